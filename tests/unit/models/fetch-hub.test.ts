import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeclaredFile } from '../../../src/domain/declared-file.ts';
import { fetchVerified, type FileSource } from '../../../src/models/fetch-verified.ts';
import { storeKey } from '../../../src/models/file-store.ts';
import { gitSha1, sha256 } from '../../../src/models/verify.ts';
import { MemoryCaches } from './memory-caches.ts';

const weights = randomBytes(400_000);
const config = Buffer.from('{"a":1}\n');
const large: DeclaredFile = {
  path: 'onnx/model.onnx',
  bytes: weights.length,
  sha256: createHash('sha256').update(weights).digest('hex'),
};
const small: DeclaredFile = {
  path: 'config.json',
  bytes: config.length,
  gitSha1: createHash('sha1').update(`blob ${config.length}\0`).update(config).digest('hex'),
};

/** What the hub does with the next requests; the last answer goes for all that follow. */
interface Answer {
  readonly status?: number;
  readonly body?: Buffer;
  /** The connection breaks after this many bytes of the answer. */
  readonly breakAfter?: number;
  /** Whether the range of an answer is stated; other hosts need not show it to a page. */
  readonly stated?: boolean;
}

let caches: MemoryCaches;
let server: Server;
let folderUrl: string;
let answers: Answer[];
let asked: IncomingMessage['headers'][];
/** Whether the page closed the connection of the last answer. */
let closed: boolean;

function answer(request: IncomingMessage, response: ServerResponse): void {
  asked.push(request.headers);
  const next = (answers.length > 1 ? answers.shift() : answers[0]) ?? {};
  const { status = 200, body = weights, breakAfter, stated = true } = next;
  if (status !== 200) {
    response.writeHead(status).end('no');
    return;
  }
  // No ETag: a hub's file of one commit is known by its digest alone.
  const from = Number(/^bytes=(\d+)-$/u.exec(request.headers.range ?? '')?.[1] ?? 0);
  const rest = body.subarray(from);
  if (from > 0) {
    response.statusCode = 206;
    if (stated) response.setHeader('Content-Range', `bytes ${from}-${body.length - 1}/${body.length}`);
  }
  response.setHeader('Content-Length', rest.length);
  if (breakAfter === undefined) response.end(rest);
  else response.write(rest.subarray(0, breakAfter), () => setTimeout(() => response.destroy(), 50));
}

beforeEach(async () => {
  caches = new MemoryCaches();
  vi.stubGlobal('caches', caches);
  answers = [{}];
  asked = [];
  closed = false;
  server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  folderUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/owner/name/resolve/c0ffee/`;
});

afterEach(() => {
  vi.unstubAllGlobals();
  server.closeAllConnections();
  server.close();
});

async function load(file: DeclaredFile = large, source: FileSource = 'hub'): Promise<Buffer> {
  const signal = new AbortController().signal;
  const contents = await fetchVerified(folderUrl, [file], () => undefined, signal, source);
  return Buffer.from(contents.get(file.path) ?? []);
}

const key = (file: DeclaredFile = large): string => storeKey(folderUrl, file);

describe('a file of a hub', () => {
  it('is verified by sha256, or by the id that git gives it, and kept under that', async () => {
    expect((await load(large)).equals(weights)).toBe(true);
    answers = [{ body: config }];
    expect((await load(small)).equals(config)).toBe(true);
    expect([...caches.entries.keys()]).toEqual([key(large), key(small)]);
    expect(key(small)).toMatch(/config\.json\?git=[0-9a-f]{40}$/);
    await load(large);
    await load(small);
    expect(asked).toHaveLength(2);
  });

  it('is asked for without cookies, referrer or conditions', async () => {
    answers = [{ breakAfter: 150_000 }, {}];
    await load();
    for (const headers of asked)
      for (const name of ['cookie', 'referer', 'authorization', 'if-range'])
        expect(headers).not.toHaveProperty(name);
  });

  it.each([large, small])('of another content is refused, and nothing of it is kept: $path', async (file) => {
    answers = [{ body: randomBytes(file.bytes) }];
    await expect(load(file)).rejects.toThrow(/does not match the digest that the hub states/);
    expect(caches.entries.size).toBe(0);
  });

  it('that is shorter than stated is refused', async () => {
    answers = [{ body: weights.subarray(0, 300_000) }];
    await expect(load()).rejects.toThrow(/model\.onnx is damaged/);
    expect(caches.entries.size).toBe(0);
  });

  it('that is longer than stated is refused, and not fetched to its end', async () => {
    server.removeAllListeners('request');
    server.on('request', (_, response: ServerResponse) => {
      response.writeHead(200);
      response.write(Buffer.concat([weights, weights]));
      response.on('close', () => (closed = true));
      // Never ends.
    });
    await expect(load()).rejects.toThrow(/model\.onnx is damaged/);
    await vi.waitFor(() => expect(closed).toBe(true));
    expect(caches.entries.size).toBe(0);
  });

  it('in the store that is damaged is fetched again', async () => {
    for (const [file, body] of [
      [large, weights],
      [small, config],
    ] as const) {
      await caches.put(key(file), new Response(new Uint8Array(file.bytes)));
      answers = [{ body }];
      expect((await load(file)).equals(body)).toBe(true);
      const kept = await caches.match(key(file));
      expect(Buffer.from(await kept!.arrayBuffer()).equals(body)).toBe(true);
    }
  });
});

describe('a download from a hub that breaks', () => {
  it.each([true, false])('goes on without an ETag (range stated: %s)', async (stated) => {
    answers = [{ breakAfter: 150_000 }, { stated }];
    expect((await load()).equals(weights)).toBe(true);
    expect(asked.map(({ range }) => range)).toEqual([undefined, 'bytes=150000-']);
  });

  it('goes on the next time from what was kept', async () => {
    answers = [{ breakAfter: 150_000 }, { breakAfter: 0 }];
    await expect(load()).rejects.toThrow(/goes on from where it broke/);
    expect([...caches.entries.keys()]).toEqual([`${key()}&part`]);
    asked = [];
    answers = [{}];
    expect((await load()).equals(weights)).toBe(true);
    expect(asked.map(({ range }) => range)).toEqual(['bytes=150000-']);
    expect([...caches.entries.keys()]).toEqual([key()]);
  });

  it.each([429, 503])('is kept while the hub is busy (status %i), and goes on later', async (status) => {
    answers = [{ breakAfter: 150_000 }, { status }];
    await expect(load()).rejects.toThrow(new RegExp(`status ${status}`));
    expect(asked).toHaveLength(2);
    expect([...caches.entries.keys()]).toEqual([`${key()}&part`]);
    asked = [];
    answers = [{}];
    expect((await load()).equals(weights)).toBe(true);
    expect(asked.map(({ range }) => range)).toEqual(['bytes=150000-']);
  });

  it('begins anew where the hub has no such range', async () => {
    answers = [{ breakAfter: 150_000 }, { status: 416 }, {}];
    expect((await load()).equals(weights)).toBe(true);
    expect(asked.map(({ range }) => range)).toEqual([undefined, 'bytes=150000-', undefined]);
  });

  it('begins anew where the beginning was another file’s', async () => {
    answers = [{ breakAfter: 150_000, body: randomBytes(weights.length) }, {}];
    expect((await load()).equals(weights)).toBe(true);
    expect(asked).toHaveLength(3);
  });

  it('keeps no beginning of a file that is wrong in the end', async () => {
    const wrong = randomBytes(weights.length);
    answers = [{ breakAfter: 150_000, body: wrong }, { breakAfter: 0 }];
    await expect(load()).rejects.toThrow(/connection broke/);
    answers = [{ body: wrong }];
    await expect(load()).rejects.toThrow(/does not match the digest/);
    expect(caches.entries.size).toBe(0);
  });
});

describe('a hub that does not give a file says why', () => {
  it.each([
    [401, /private, or its licence must be accepted/],
    [403, /private, or its licence must be accepted/],
    [404, /no longer on the hub.*Look the model up again/],
    [429, /too many requests.*Wait a minute/],
    [500, /status 500.*Try again later\.$/],
  ])('status %i', async (status, message) => {
    answers = [{ status }];
    await expect(load()).rejects.toThrow(message);
    expect(asked).toHaveLength(1);
    expect(caches.entries.size).toBe(0);
  });
});

describe('a file that was picked from a folder', () => {
  it('is in the store, or nowhere: nothing is fetched', async () => {
    await expect(load(large, 'folder')).rejects.toThrow(/Pick the folder again/);
    await caches.put(key(), new Response(new Uint8Array(weights)));
    expect((await load(large, 'folder')).equals(weights)).toBe(true);
    expect(asked).toEqual([]);
  });
});

describe('digests', () => {
  it('are the same where the browser has no cryptography, as on plain http', async () => {
    const content = new Uint8Array(config);
    const known = {
      sha256: createHash('sha256').update(config).digest('hex'),
      gitSha1: 'gitSha1' in small ? small.gitSha1 : '',
    };
    expect({ sha256: await sha256(content), gitSha1: await gitSha1(content) }).toEqual(known);
    vi.stubGlobal('crypto', {});
    expect({ sha256: await sha256(content), gitSha1: await gitSha1(content) }).toEqual(known);
  });

  it('of git are those that git gives', async () => {
    // git hash-object of an empty file, and of "hello\n".
    expect(await gitSha1(new Uint8Array())).toBe('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391');
    expect(await gitSha1(new TextEncoder().encode('hello\n'))).toBe(
      'ce013625030ba8dba906f756967f9e9ca394464a',
    );
  });
});
