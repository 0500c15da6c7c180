import { EngineFault } from './fault.ts';

/** One file of a model, as the manifest declares it. */
export interface DeclaredFile {
  /** Relative to the models' folder. */
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** The cache's name; entries are keyed by URL and sha256, so a new model never meets an old entry. */
const CACHE_NAME = 'steplight-models';

/**
 * Fetches files, from the cache where they are there, and checks the length and sha256 of each. A cache entry that
 * does not match is deleted and fetched again. Storage that is denied or full is no error: the network serves.
 *
 * @param folderUrl absolute URL of the models' folder, ending in "/"
 * @param onProgress receives the bytes loaded over all files; at most `bytes` of each are counted
 * @returns the contents by path
 * @throws EngineFault of kind `files` naming the file and what to do, or `cancelled`
 */
export async function fetchVerified(
  folderUrl: string,
  files: readonly DeclaredFile[],
  onProgress: (loadedBytes: number) => void,
  signal: AbortSignal,
): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const cache = await openCache();
  const contents = new Map<string, Uint8Array<ArrayBuffer>>();
  let before = 0;
  for (const file of files) {
    const report = (loaded: number): void => onProgress(before + Math.min(loaded, file.bytes));
    contents.set(file.path, await fetchOne(folderUrl + file.path, file, cache, report, signal));
    before += file.bytes;
    onProgress(before);
  }
  return contents;
}

async function openCache(): Promise<Cache | null> {
  try {
    return typeof caches === 'undefined' ? null : await caches.open(CACHE_NAME);
  } catch {
    return null;
  }
}

async function fetchOne(
  url: string,
  file: DeclaredFile,
  cache: Cache | null,
  onProgress: (loaded: number) => void,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = `${url}?sha256=${file.sha256}`;
  const cached = await cache?.match(key).catch(() => undefined);
  if (cached !== undefined) {
    const content = new Uint8Array(await cached.arrayBuffer());
    if ((await mismatch(file, content)) === null) return content;
    await cache?.delete(key).catch(() => false);
  }
  const content = await download(url, file, onProgress, signal);
  const fault = await mismatch(file, content);
  if (fault !== null) throw new EngineFault('files', `${fileName(file.path)} ${fault}`);
  // A full or denied storage costs the next visit a download, no more.
  await cache?.put(key, new Response(content)).catch(() => undefined);
  return content;
}

async function download(
  url: string,
  file: DeclaredFile,
  onProgress: (loaded: number) => void,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const name = fileName(file.path);
  let response: Response;
  try {
    response = await fetch(url, { signal });
  } catch (error) {
    if (signal.aborted) throw new EngineFault('cancelled', 'Loading was cancelled.');
    throw new EngineFault(
      'files',
      `${name} could not be fetched. Check the connection and try again.`,
      error,
    );
  }
  if (!response.ok) {
    throw new EngineFault(
      'files',
      `${name} is missing on the server (status ${response.status}). The site may be incomplete: reload the page, or build it again.`,
    );
  }
  const content = new Uint8Array(file.bytes);
  let loaded = 0;
  try {
    for await (const chunk of readChunks(response)) {
      // A longer file than declared is damaged; stop before it fills the memory.
      if (loaded + chunk.length > file.bytes) throw new EngineFault('files', `${name} ${DAMAGED}`);
      content.set(chunk, loaded);
      loaded += chunk.length;
      onProgress(loaded);
    }
  } catch (error) {
    if (error instanceof EngineFault) throw error;
    if (signal.aborted) throw new EngineFault('cancelled', 'Loading was cancelled.');
    throw new EngineFault('files', `The connection broke while ${name} was loading. Try again.`, error);
  }
  return content.subarray(0, loaded);
}

async function* readChunks(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

const DAMAGED =
  'is damaged: it does not match the model list. Reload the page; if that does not help, the site must be built again.';

/** What is wrong with a file's content, or `null`. */
async function mismatch(file: DeclaredFile, content: Uint8Array<ArrayBuffer>): Promise<string | null> {
  if (content.length !== file.bytes) {
    return `is damaged: ${content.length.toLocaleString('en')} of ${file.bytes.toLocaleString('en')} bytes are there. Reload the page to fetch it again.`;
  }
  return (await sha256(content)) === file.sha256 ? null : DAMAGED;
}

async function sha256(content: Uint8Array<ArrayBuffer>): Promise<string> {
  // crypto.subtle is absent on plain http addresses of a local network, where the site should work too.
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  const digest =
    subtle === undefined
      ? (await import('@noble/hashes/sha2.js')).sha256(content)
      : new Uint8Array(await subtle.digest('SHA-256', content));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
