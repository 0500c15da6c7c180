import type { DeclaredFile } from '../domain/declared-file.ts';
import { mismatchOf } from './verify.ts';

/**
 * The cache's name. Entries are keyed by URL and digest, so a new file never meets an old entry of the same name; the
 * service worker reads them by the same keys.
 */
const CACHE_NAME = 'steplight-models';

/** Marks the beginning of a file whose download broke. */
const PART = '&part';

const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  mjs: 'text/javascript',
  wasm: 'application/wasm',
};

/** The beginning of a file, and the ETag of the version that it is of. */
export interface Part {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** A file in the store. */
export interface StoredFile {
  readonly key: string;
  /** The file's address without the digest. */
  readonly url: string;
  readonly sha256: string | null;
  readonly bytes: number;
  /** Whether it is the beginning of a file only. */
  readonly partial: boolean;
}

/** The address under which a file is kept. */
export function storeKey(folderUrl: string, file: DeclaredFile): string {
  const digest = 'sha256' in file ? `sha256=${file.sha256}` : `git=${file.gitSha1}`;
  return `${folderUrl}${file.path}?${digest}`;
}

/** Files kept in this browser. What is read may be damaged: every reader checks it. */
export class FileStore {
  readonly #cache: Cache;

  private constructor(cache: Cache) {
    this.#cache = cache;
  }

  /** `null` where the browser denies storage. */
  static async open(): Promise<FileStore | null> {
    try {
      return typeof caches === 'undefined' ? null : new FileStore(await caches.open(CACHE_NAME));
    } catch {
      return null;
    }
  }

  /** The content of a file; one that is not the declared file is deleted. */
  async read(folderUrl: string, file: DeclaredFile): Promise<Uint8Array<ArrayBuffer> | null> {
    const key = storeKey(folderUrl, file);
    const stored = await this.#match(key);
    if (stored === null) return null;
    if ((await mismatchOf(file, stored.content)) === null) return stored.content;
    await this.delete(key);
    return null;
  }

  /** Whether a file is there, by its length; nothing is read. */
  async has(folderUrl: string, file: DeclaredFile): Promise<boolean> {
    const response = await this.#cache.match(storeKey(folderUrl, file)).catch(() => undefined);
    return response !== undefined && (await lengthOf(response)) === file.bytes;
  }

  /** Bytes of the files that are not there. */
  async missing(folderUrl: string, files: readonly DeclaredFile[]): Promise<number> {
    const sizes = await Promise.all(
      files.map(async (file) => ((await this.has(folderUrl, file)) ? 0 : file.bytes)),
    );
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Whether the browser kept it. Storage that is full or denied costs the next visit a download, no more. */
  async write(folderUrl: string, file: DeclaredFile, content: Uint8Array<ArrayBuffer>): Promise<boolean> {
    const type = TYPES[file.path.slice(file.path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    const key = storeKey(folderUrl, file);
    const kept = await this.#put(key, content, { 'content-type': type });
    await this.deletePart(folderUrl, file);
    return kept;
  }

  /** What is there of a file whose download broke. */
  async readPart(folderUrl: string, file: DeclaredFile): Promise<Part | null> {
    const stored = await this.#match(storeKey(folderUrl, file) + PART);
    const etag = stored?.headers.get('etag') ?? null;
    return stored === null || etag === null || stored.content.length >= file.bytes
      ? null
      : { content: stored.content, etag };
  }

  async writePart(folderUrl: string, file: DeclaredFile, { content, etag }: Part): Promise<boolean> {
    return this.#put(storeKey(folderUrl, file) + PART, content, { etag });
  }

  async deletePart(folderUrl: string, file: DeclaredFile): Promise<void> {
    await this.delete(storeKey(folderUrl, file) + PART);
  }

  /** Everything in the store, in the order it came. */
  async list(): Promise<StoredFile[]> {
    const files: StoredFile[] = [];
    for (const { url: key } of await this.#cache.keys().catch(() => [])) {
      const response = await this.#cache.match(key).catch(() => undefined);
      if (response === undefined) continue;
      const [url = key, query = ''] = key.split('?', 2);
      files.push({
        key,
        url,
        sha256: /^sha256=([0-9a-f]{64})/.exec(query)?.[1] ?? null,
        bytes: await lengthOf(response),
        partial: key.endsWith(PART),
      });
    }
    return files;
  }

  async delete(key: string): Promise<void> {
    await this.#cache.delete(key).catch(() => false);
  }

  async #match(
    key: string,
  ): Promise<{ readonly content: Uint8Array<ArrayBuffer>; readonly headers: Headers } | null> {
    try {
      const response = await this.#cache.match(key);
      return response === undefined
        ? null
        : { content: new Uint8Array(await response.arrayBuffer()), headers: response.headers };
    } catch {
      return null;
    }
  }

  async #put(
    key: string,
    content: Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>>,
  ): Promise<boolean> {
    try {
      const length = String(content.length);
      await this.#cache.put(
        key,
        new Response(content, { headers: { ...headers, 'content-length': length } }),
      );
      return true;
    } catch {
      return false;
    }
  }
}

async function lengthOf(response: Response): Promise<number> {
  const declared = response.headers.get('content-length');
  return declared === null ? (await response.blob()).size : Number(declared);
}
