import { RECORDED, POOL_FILE } from '../state/recorded.ts';
import type { PageSession } from '../state/playground.svelte.ts';
import type { BackendChoice } from '../../domain/run.ts';

/** How far the site is from working without a network. */
export type OfflineState =
  /** Not from a server with a secure address, or the browser cannot. */
  | { readonly kind: 'impossible'; readonly reason: string }
  | { readonly kind: 'idle' }
  | { readonly kind: 'storing'; readonly what: string }
  | { readonly kind: 'ready'; readonly bytes: number | null }
  | { readonly kind: 'failed'; readonly message: string };

/** Registers the service worker, and stores everything that a run needs when the person asks for it. */
export class Offline {
  state: OfflineState = $state.raw({ kind: 'idle' });

  /** Stores the shell in the background; a failure costs nothing but a visit without a network. */
  register(): void {
    const { protocol } = location;
    if (!import.meta.env.PROD || !protocol.startsWith('http')) {
      this.state = { kind: 'impossible', reason: 'This copy is a file: it needs no network as it is.' };
    } else if (!('serviceWorker' in navigator)) {
      this.state = {
        kind: 'impossible',
        reason:
          'Storing for offline use needs a secure address (https or localhost) and a browser that allows it.',
      };
    } else {
      navigator.serviceWorker.register(new URL('sw.js', document.baseURI)).catch((error: unknown) => {
        this.state = { kind: 'impossible', reason: `The browser does not allow it here (${String(error)}).` };
      });
    }
  }

  /** Fetches what is missing: the models for this device, the runtime, the recorded runs. */
  async store(session: PageSession, backend: BackendChoice): Promise<void> {
    if (this.state.kind === 'storing' || this.state.kind === 'impossible') return;
    try {
      this.state = { kind: 'storing', what: 'the page' };
      await navigator.serviceWorker.ready;
      // Only a worker in charge of this page sees its requests.
      await controlled();
      this.state = { kind: 'storing', what: 'the models' };
      if (!(await session.prepare(backend))) {
        this.state = { kind: 'failed', message: session.fault ?? 'Stopped. Press the button to go on.' };
        return;
      }
      this.state = { kind: 'storing', what: 'the runtime and the recorded runs' };
      const files = [
        'static-models/manifest.json',
        ...['mjs', 'wasm'].map((type) => `ort/ort-wasm-simd-threaded.asyncify.${type}`),
        ...RECORDED.runs.map(({ file }) => `recorded/${file}`),
        ...(POOL_FILE === null ? [] : [`recorded/${POOL_FILE}`]),
      ];
      for (const file of files) {
        const response = await fetch(new URL(file, document.baseURI));
        if (!response.ok) throw new Error(`${file}: status ${response.status}`);
        await response.arrayBuffer();
      }
      const missing = await missingFrom(files);
      if (missing !== null) throw new Error(`the browser did not keep ${missing}`);
      // Otherwise the browser may drop it when the disk is full.
      await navigator.storage.persist().catch(() => false);
      const { usage } = await navigator.storage.estimate().catch(() => ({ usage: undefined }));
      this.state = { kind: 'ready', bytes: usage ?? null };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.state = {
        kind: 'failed',
        message: `Not everything could be stored (${reason}). Free some space or check the connection, and press the button again.`,
      };
    }
  }
}

function controlled(): Promise<void> {
  if (navigator.serviceWorker.controller !== null) return Promise.resolve();
  return new Promise((resolve) => {
    navigator.serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true });
  });
}

async function missingFrom(files: readonly string[]): Promise<string | null> {
  for (const file of files) {
    if ((await caches.match(new URL(file, document.baseURI), { ignoreVary: true })) === undefined)
      return file;
  }
  return null;
}
