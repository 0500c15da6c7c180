import type { DeclaredFile } from '../domain/declared-file.ts';
import { EngineFault } from '../domain/fault.ts';
import { FileStore } from './file-store.ts';
import { fileName, mismatchOf, type Mismatch } from './verify.ts';

/**
 * Where files come from. The site's may change with the site. A hub's are of one commit and never change. Those of a
 * folder were picked by the person and are in the store, or nowhere.
 */
export type FileSource = 'site' | 'hub' | 'folder';

/** A broken connection that brought something is taken up again at once, this many times. */
const RETRIES = 3;

/** A shorter beginning of a file is not worth keeping. */
const SHORTEST_PART = 64_000;

/** A file under way. */
interface Download {
  readonly url: string;
  readonly source: FileSource;
  readonly file: DeclaredFile;
  readonly content: Uint8Array<ArrayBuffer>;
  /** Bytes of `content` that are there. */
  loaded: number;
  /** Names the version on the server that they are of; `null` if they cannot be added to. */
  etag: string | null;
  /** Whether `content` consists of more than one answer. */
  joined: boolean;
}

/**
 * Fetches files, from the store where they are there, and checks the length and digest of each. A stored file that does
 * not match is deleted and fetched again. A download that breaks or is cancelled is kept as far as it came, and goes on
 * from there if the server still has the same file. No credentials and no referrer are sent to a hub. Storage that is denied or full is no error: the network serves.
 *
 * @param folderUrl absolute URL of the files' folder, ending in "/"
 * @param onProgress receives the bytes loaded over all files; at most `bytes` of each are counted
 * @returns the contents by path
 * @throws EngineFault of kind `files` naming the file and what to do, or `cancelled`
 */
export async function fetchVerified(
  folderUrl: string,
  files: readonly DeclaredFile[],
  onProgress: (loadedBytes: number) => void,
  signal: AbortSignal,
  source: FileSource = 'site',
): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const store = await FileStore.open();
  const contents = new Map<string, Uint8Array<ArrayBuffer>>();
  let before = 0;
  for (const file of files) {
    const report = (loaded: number): void => onProgress(before + Math.min(loaded, file.bytes));
    contents.set(file.path, await fetchOne(folderUrl, file, store, report, signal, source));
    before += file.bytes;
    onProgress(before);
  }
  return contents;
}

async function fetchOne(
  folderUrl: string,
  file: DeclaredFile,
  store: FileStore | null,
  onProgress: (loaded: number) => void,
  signal: AbortSignal,
  source: FileSource,
): Promise<Uint8Array<ArrayBuffer>> {
  const stored = await store?.read(folderUrl, file);
  if (stored !== null && stored !== undefined) return stored;
  if (source === 'folder')
    throw new EngineFault(
      'files',
      `${fileName(file.path)} was picked from a folder, and this browser no longer keeps it. Pick the folder again.`,
    );

  const part = (await store?.readPart(folderUrl, file)) ?? null;
  const content = allocate(file);
  if (part !== null) content.set(part.content);
  const download: Download = {
    url: folderUrl + file.path,
    source,
    file,
    content,
    loaded: part?.content.length ?? 0,
    etag: part?.etag ?? null,
    joined: false,
  };
  const keepPart = async (): Promise<boolean> => {
    const { loaded, etag } = download;
    if (store === null || etag === null || loaded < SHORTEST_PART) return false;
    return store.writePart(folderUrl, file, { content: content.subarray(0, loaded), etag });
  };

  for (let retries = 0; ;) {
    const before = download.loaded;
    const received = await receive(download, onProgress, signal);
    if (received.kind === 'ended' || received.kind === 'longer') {
      const fault: Mismatch | null =
        received.kind === 'longer'
          ? { kind: 'content' }
          : await mismatchOf(file, content.subarray(0, download.loaded));
      if (fault === null) {
        await store?.write(folderUrl, file, content);
        return content;
      }
      // The file on the server may have changed without its ETag doing so.
      if (!download.joined) {
        await store?.deletePart(folderUrl, file);
        throw damaged(file, fault, source);
      }
      restart(download);
    } else if (signal.aborted) {
      await keepPart();
      throw new EngineFault('cancelled', 'Loading was cancelled.');
    } else if (received.kind === 'refused') {
      const kept = await keepPart();
      throw new EngineFault('files', refusal(file, received.status, source, kept));
    } else if (download.loaded <= before || ++retries > RETRIES) {
      const name = fileName(file.path);
      const kept = await keepPart();
      throw new EngineFault(
        'files',
        download.loaded === 0
          ? `${name} could not be fetched. Check the connection and try again.`
          : `The connection broke while ${name} was loading. Try again${kept ? ': it goes on from where it broke' : ''}.`,
        received.cause,
      );
    }
  }
}

/** How an answer went. */
type Received =
  | { readonly kind: 'ended' }
  /** There is more than was declared; it was not read. */
  | { readonly kind: 'longer' }
  | { readonly kind: 'broke'; readonly cause: unknown }
  | { readonly kind: 'refused'; readonly status: number };

/** One request for a file, or for the rest of it. */
async function receive(
  download: Download,
  onProgress: (loaded: number) => void,
  signal: AbortSignal,
): Promise<Received> {
  const { url, file, content, source } = download;
  if (download.etag === null) restart(download);
  const from = download.loaded;
  let response: Response;
  try {
    response = await fetch(url, {
      signal,
      headers: from === 0 ? {} : rangeFrom(from, download),
      ...(source === 'hub' ? { credentials: 'omit', referrerPolicy: 'no-referrer' } : {}),
    });
  } catch (cause) {
    return { kind: 'broke', cause };
  }
  if (from > 0 && !isRest(response, from, download)) {
    // A server that is busy says nothing of what is there.
    if (isBusy(response)) return { kind: 'refused', status: response.status };
    if (response.status !== 200) {
      void response.body?.cancel();
      restart(download);
      return receive(download, onProgress, signal);
    }
    restart(download);
  }
  if (!response.ok) return { kind: 'refused', status: response.status };
  download.joined = download.loaded > 0;
  download.etag = source === 'hub' ? PINNED : resumableTag(response);
  onProgress(download.loaded);
  try {
    for await (const chunk of readChunks(response)) {
      // A longer file than declared is damaged; stop before it fills the memory.
      if (download.loaded + chunk.length > file.bytes) return { kind: 'longer' };
      content.set(chunk, download.loaded);
      download.loaded += chunk.length;
      onProgress(download.loaded);
    }
  } catch (cause) {
    return { kind: 'broke', cause };
  }
  return { kind: 'ended' };
}

/** Stands for the ETag of files that never change. */
const PINNED = '"pinned"';

function rangeFrom(from: number, { source, etag }: Download): Record<string, string> {
  const range = { Range: `bytes=${from}-` };
  // Without `If-Range`, the end of one version could be put behind the beginning of another. A hub's file has one
  // version, and other hosts need not allow the header.
  return source === 'hub' ? range : { ...range, 'If-Range': etag ?? '' };
}

function allocate(file: DeclaredFile): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(file.bytes);
  } catch (cause) {
    throw new EngineFault(
      'files',
      `${fileName(file.path)} does not fit in this browser's memory. Choose a smaller model, or one with 4-bit weights.`,
      cause,
    );
  }
}

function isBusy({ status }: Response): boolean {
  return status === 429 || status >= 500;
}

function refusal(file: DeclaredFile, status: number, source: FileSource, kept: boolean): string {
  const name = fileName(file.path);
  if (source === 'site')
    return `${name} is missing on the server (status ${status}). The site may be incomplete: reload the page, or build it again.`;
  if (status === 401 || status === 403)
    return `The hub does not give ${name} to everybody (status ${status}): the model is private, or its licence must be accepted first. Download it with your account and pick the folder here, or choose another model.`;
  if (status === 404)
    return `${name} is no longer on the hub (status 404). Look the model up again to get its present files.`;
  if (status === 429)
    return `The hub has had too many requests from here (status 429). Wait a minute and try again.`;
  return `The hub could not give ${name} (status ${status}). Try again later${kept ? ': it goes on from where it broke' : ''}.`;
}

function restart(download: Download): void {
  download.loaded = 0;
  download.etag = null;
  download.joined = false;
}

/** Whether an answer is the rest of a file from a place on, and nothing else. */
function isRest(response: Response, from: number, { file: { bytes }, source }: Download): boolean {
  const range = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(response.headers.get('content-range') ?? '');
  if (response.status !== 206) return false;
  // Another host need not show this header; its length it does.
  if (range === null)
    return source === 'hub' && Number(response.headers.get('content-length')) === bytes - from;
  const [, first, last, total] = range;
  return Number(first) === from && Number(last) === bytes - 1 && (total === '*' || Number(total) === bytes);
}

/** An ETag that stands for exactly these bytes. A compressed answer's is of other bytes than those that are read. */
function resumableTag(response: Response): string | null {
  const tag = response.headers.get('etag');
  const encoding = response.headers.get('content-encoding') ?? 'identity';
  return tag !== null && tag.startsWith('"') && encoding === 'identity' ? tag : null;
}

async function* readChunks(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // What is not read must not be fetched on.
    reader.cancel().catch(() => undefined);
  }
}

function damaged(file: DeclaredFile, fault: Mismatch, source: FileSource): EngineFault {
  const name = fileName(file.path);
  if (source === 'hub')
    return new EngineFault(
      'files',
      `${name} is damaged: it does not match the digest that the hub states. It was not kept; try again. If that does not help, somebody on the way changes it.`,
    );
  return new EngineFault(
    'files',
    fault.kind === 'length'
      ? `${name} is damaged: ${fault.bytes.toLocaleString('en')} of ${file.bytes.toLocaleString('en')} bytes are there. Reload the page to fetch it again.`
      : `${name} is damaged: it does not match the model list. Reload the page; if that does not help, the site must be built again.`,
  );
}
