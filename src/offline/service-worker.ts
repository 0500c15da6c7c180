/**
 * Makes the site open without a network. The shell (pages, scripts, styles, the list of models, one recorded run) is
 * stored when this is installed. The runtime and the other recorded runs are stored and checked by the page when the
 * person asks for it (ui/offline), the weights by the engine too (models/fetch-verified.ts); what is stored is read
 * here where the network has no answer. No model runs in here.
 *
 * The build replaces the three constants below: another build is another worker.
 */
const worker = globalThis as unknown as ServiceWorkerGlobalScope;

const SHELL_FILES: readonly string[] = JSON.parse('__SHELL_FILES__') as string[];
/** sha256 by path: the keys of the store end in it (models/file-store.ts), so another build's file is never met. */
const SITE_FILES: Readonly<Record<string, string>> = JSON.parse('__SITE_FILES__') as Record<string, string>;
const VERSION = '__SHELL_VERSION__';

const SHELL_PREFIX = 'steplight-shell-';
const SHELL = SHELL_PREFIX + VERSION;
const STORE = 'steplight-models';

worker.addEventListener('install', (event) => {
  event.waitUntil(
    caches.open(SHELL).then((cache) =>
      // Around the browser's own cache, which may hold an older build's pages.
      cache.addAll(SHELL_FILES.map((file) => new Request(file, { cache: 'reload' }))),
    ),
  );
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names
            .filter((name) => name.startsWith(SHELL_PREFIX) && name !== SHELL)
            .map((name) => caches.delete(name)),
        ),
      )
      .then(() => worker.clients.claim()),
  );
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const scope = worker.registration.scope;
  if (request.method !== 'GET' || !request.url.startsWith(scope) || request.headers.has('range')) return;
  const path = request.url.slice(scope.length).split(/[?#]/, 1)[0] ?? '';
  if (path.startsWith('assets/')) event.respondWith(fromShell(request));
  else if (request.mode === 'navigate' || SHELL_FILES.includes(path))
    event.respondWith(fromNetwork(request, SHELL, request));
  else if (path in SITE_FILES)
    event.respondWith(fromNetwork(request, STORE, `${scope}${path}?sha256=${SITE_FILES[path] ?? ''}`));
});

/** Files in assets/ are named after their content: what is stored is right. */
async function fromShell(request: Request): Promise<Response> {
  const stored = await (await caches.open(SHELL)).match(request, { ignoreSearch: true });
  return stored ?? fetch(request);
}

/** The network's answer where there is one, else what was stored under the key. Nothing is stored on the way. */
async function fromNetwork(request: Request, name: string, key: Request | string): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const cache = await caches.open(name);
    const stored = await cache.match(key, { ignoreSearch: typeof key !== 'string', ignoreVary: true });
    if (stored !== undefined) return stored;
    throw error;
  }
}
