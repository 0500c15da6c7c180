import { EngineFault } from '../../domain/fault.ts';
import { fetchVerified } from '../../models/fetch-verified.ts';
import { FileStore, storeKey } from '../../models/file-store.ts';
import type { WantedFile } from '../../models/import-files.ts';
import { listSiteFiles, siteRoot } from '../models/site-files.ts';
import { formatBytes } from '../text/numbers.ts';

/** How far the site is from working without a network. */
export type OfflineState =
  /** Not from a server with a secure address, or the browser cannot. */
  | { readonly kind: 'impossible'; readonly reason: string }
  /** `note` says what has changed, if anything. */
  | { readonly kind: 'idle'; readonly note: string | null }
  | { readonly kind: 'storing'; readonly loadedBytes: number; readonly totalBytes: number }
  | { readonly kind: 'ready'; readonly bytes: number }
  | { readonly kind: 'failed'; readonly message: string };

/** What is stored in all, as the build counted it; 0 where there is no such list. */
export const OFFLINE_BYTES: number = Number(import.meta.env['OFFLINE_BYTES'] ?? 0);

/** Set once a person has asked for it, so that a later build of the site can say that it is not stored yet. */
const WANTED_KEY = 'steplight-offline';

/** Registers the service worker, and stores everything that a run needs when the person asks for it. */
export class Offline {
  state: OfflineState = $state.raw({ kind: 'idle', note: null });
  #abort = new AbortController();

  /** Stores the shell in the background; a failure costs nothing but a visit without a network. */
  async register(): Promise<void> {
    if (location.protocol === 'file:') {
      this.state = { kind: 'impossible', reason: 'This copy is a file: it needs no network as it is.' };
      return;
    }
    if (!import.meta.env.PROD) {
      this.state = { kind: 'impossible', reason: 'Only the built site can be stored for offline use.' };
      return;
    }
    // Absent on an address that is not secure, whatever its type says.
    const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
    if (container === undefined) {
      this.state = {
        kind: 'impossible',
        reason:
          'Storing for offline use needs a secure address (https or localhost) and a browser that allows it.',
      };
      return;
    }
    try {
      await container.register(new URL('sw.js', document.baseURI));
      if (wanted() && this.state.kind === 'idle') await this.#check();
    } catch (error) {
      this.state = { kind: 'impossible', reason: `The browser does not allow it here (${describe(error)}).` };
    }
  }

  /** Fetches what is missing and checks all of it: models for every device, the runtime, the recorded runs. */
  async store(): Promise<void> {
    if (this.state.kind === 'storing' || this.state.kind === 'impossible') return;
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.state = { kind: 'storing', loadedBytes: 0, totalBytes: OFFLINE_BYTES };
    try {
      // Only a worker in charge of this page sees its requests.
      await Promise.race([controlled(), aborted(signal)]);
      const { needed: files, known } = await siteFiles(signal);
      const totalBytes = sum(files);
      const store = await FileStore.open();
      if (store === null) throw new Error('this browser denies storage to the page');
      // Otherwise the browser may drop it when the disk is full.
      await navigator.storage.persist().catch(() => false);
      let before = 0;
      for (const { folderUrl, file } of files) {
        const show = (loaded: number): void => {
          this.state = { kind: 'storing', loadedBytes: before + loaded, totalBytes };
        };
        await fetchVerified(folderUrl, [file], show, signal);
        if (!(await store.has(folderUrl, file))) throw new Error(await whyNotKept(file.path));
        before += file.bytes;
      }
      await prune(store, known);
      remember();
      this.state = { kind: 'ready', bytes: totalBytes };
    } catch (error) {
      this.state = signal.aborted
        ? { kind: 'idle', note: 'Stopped. What has come is kept: press the button to go on.' }
        : {
            kind: 'failed',
            message:
              error instanceof EngineFault
                ? error.message
                : `Not everything could be stored: ${describe(error)}. Press the button to try again.`,
          };
    }
  }

  /** Stops storing; what has come is kept. */
  cancel(): void {
    this.#abort.abort();
  }

  /** Says whether what was stored at an earlier visit is all that this build needs. */
  async #check(): Promise<void> {
    const store = await FileStore.open();
    if (store === null) return;
    const files = (await siteFiles(this.#abort.signal).catch(() => null))?.needed;
    if (files === undefined || this.state.kind !== 'idle') return;
    for (const { folderUrl, file } of files) {
      if (await store.has(folderUrl, file)) continue;
      this.state = {
        kind: 'idle',
        note: 'Not all files of this version of the page are stored: press the button to fetch what is missing.',
      };
      return;
    }
    this.state = { kind: 'ready', bytes: sum(files) };
  }
}

/** What must be stored, and all that the site's lists name: further models stay where they were loaded. */
async function siteFiles(
  signal: AbortSignal,
): Promise<{ readonly needed: readonly WantedFile[]; readonly known: readonly WantedFile[] }> {
  const groups = await listSiteFiles(signal);
  if (!groups.ok) throw new Error(groups.message);
  return {
    needed: groups.value.filter(({ isBasic }) => isBasic).flatMap(({ files }) => files),
    known: groups.value.flatMap(({ files }) => files),
  };
}

function sum(files: readonly WantedFile[]): number {
  return files.reduce((total, { file }) => total + file.bytes, 0);
}

/** Deletes files of this site that no list names any more. */
async function prune(store: FileStore, files: readonly WantedFile[]): Promise<void> {
  const keys = new Set(files.map(({ folderUrl, file }) => storeKey(folderUrl, file)));
  const root = siteRoot();
  for (const { key, url } of await store.list()) {
    if (url.startsWith(root) && !keys.has(key)) await store.delete(key);
  }
}

async function whyNotKept(path: string): Promise<string> {
  const { quota, usage } = await navigator.storage.estimate().catch((): StorageEstimate => ({}));
  const left = quota === undefined || usage === undefined ? null : Math.max(0, quota - usage);
  return `the browser did not keep ${path}${left === null ? '' : ` (${formatBytes(left)} are left for this site)`}. Free some space on the disk, or leave the private window`;
}

function controlled(): Promise<void> {
  if (navigator.serviceWorker.controller !== null) return Promise.resolve();
  return new Promise((resolve) => {
    navigator.serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true });
  });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
  });
}

function wanted(): boolean {
  try {
    return localStorage.getItem(WANTED_KEY) !== null;
  } catch {
    return false;
  }
}

function remember(): void {
  try {
    localStorage.setItem(WANTED_KEY, '1');
  } catch {
    // Then a later visit does not say how much is stored.
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
