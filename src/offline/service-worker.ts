/**
 * Makes the site open without a network. The shell (pages, scripts, styles, one recorded run) is stored when this is
 * installed; the runtime, the model list and the other recorded runs when they are first fetched. Weights are stored and
 * checked by the engine itself (models/fetch-verified.ts). No model runs in here.
 *
 * The build replaces the two constants below: another build is another worker.
 */
const worker = globalThis as unknown as ServiceWorkerGlobalScope;

const SHELL_FILES: readonly string[] = JSON.parse('__SHELL_FILES__') as string[];
const VERSION = '__SHELL_VERSION__';

const SHELL = `steplight-shell-${VERSION}`;
/** Files that keep their names over builds; each is replaced whenever the network has it. */
const SITE = 'steplight-site';

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
            .filter((name) => name.startsWith('steplight-shell-') && name !== SHELL)
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
  if (path.endsWith('.onnx')) return;
  if (path.startsWith('assets/')) event.respondWith(fromShell(request));
  else if (/^(?:ort|static-models|recorded)\//.test(path)) event.respondWith(fromNetwork(request, SITE));
  else if (request.mode === 'navigate' || SHELL_FILES.includes(path))
    event.respondWith(fromNetwork(request, SHELL));
});

/** Files in assets/ are named after their content: what is stored is right. */
async function fromShell(request: Request): Promise<Response> {
  const stored = await (await caches.open(SHELL)).match(request, { ignoreSearch: true });
  return stored ?? fetch(request);
}

/** The network's answer where there is one, else what was stored. Only whole, good answers to known names are stored. */
async function fromNetwork(request: Request, name: string): Promise<Response> {
  const cache = await caches.open(name);
  try {
    const response = await fetch(request);
    // Pages are stored at installation only, with the scripts that they belong to.
    if (response.status === 200 && name === SITE) {
      await cache.put(request, response.clone()).catch(() => undefined);
    }
    return response;
  } catch (error) {
    const stored = await cache.match(request, { ignoreSearch: true, ignoreVary: true });
    if (stored !== undefined) return stored;
    throw error;
  }
}
