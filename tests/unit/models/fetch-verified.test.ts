import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EngineFault } from '../../../src/domain/fault.ts';
import { fetchVerified } from '../../../src/models/fetch-verified.ts';
import { storeKey } from '../../../src/models/file-store.ts';
import { parseRange } from '../../../tools/server.mjs';
import { MemoryCaches } from './memory-caches.ts';

const right = randomBytes(400_000);
const file = {
  path: 'pocket/onnx/model.onnx',
  bytes: right.length,
  sha256: createHash('sha256').update(right).digest('hex'),
};

/** What the server does with the next requests; the last answer goes for all that follow. */
interface Answer {
  readonly body?: Buffer;
  readonly etag?: string | null;
  /** The connection breaks after this many bytes. */
  readonly breakAfter?: number;
  /** Whether it knows ranges. */
  readonly ranges?: boolean;
}

let caches: MemoryCaches;
let server: Server;
let folderUrl: string;
let answers: Answer[];
let asked: IncomingMessage['headers'][];

beforeEach(async () => {
  caches = new MemoryCaches();
  vi.stubGlobal('caches', caches);
  answers = [{}];
  asked = [];
  server = createServer((request, response) => {
    asked.push(request.headers);
    const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? {};
    const { body = right, etag = '"one"', breakAfter, ranges = true } = answer;
    const same = request.headers['if-range'] === undefined || request.headers['if-range'] === etag;
    const range = parseRange(ranges && same ? request.headers.range : undefined, body.length);
    const span = typeof range === 'object' ? range : { start: 0, end: body.length - 1 };
    if (etag !== null) response.setHeader('ETag', etag);
    if (range !== 'whole') {
      response.statusCode = 206;
      response.setHeader('Content-Range', `bytes ${span.start}-${span.end}/${body.length}`);
    }
    response.setHeader('Content-Length', span.end + 1 - span.start);
    const sent = body.subarray(span.start, span.end + 1);
    if (breakAfter === undefined) response.end(sent);
    else response.write(sent.subarray(0, breakAfter), () => setTimeout(() => response.destroy(), 50));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  folderUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/static-models/`;
});

afterEach(() => {
  vi.unstubAllGlobals();
  server.closeAllConnections();
  server.close();
});

async function load(signal = new AbortController().signal): Promise<{ content: Buffer; seen: number[] }> {
  const seen: number[] = [];
  const contents = await fetchVerified(folderUrl, [file], (loaded) => seen.push(loaded), signal);
  return { content: Buffer.from(contents.get(file.path) ?? []), seen };
}

const key = (): string => storeKey(folderUrl, file);

describe('fetching a file', () => {
  it('gives it and keeps it; the next time nothing is asked', async () => {
    expect((await load()).content.equals(right)).toBe(true);
    expect((await load()).content.equals(right)).toBe(true);
    expect(asked).toHaveLength(1);
    expect([...caches.entries.keys()]).toEqual([key()]);
  });

  it('finds a damaged entry by its sha256, deletes it and fetches the file again', async () => {
    const altered = Buffer.from(right);
    altered[7] = altered[7]! ^ 1;
    await caches.put(key(), new Response(new Uint8Array(altered)));
    expect((await load()).content.equals(right)).toBe(true);
    expect(asked).toHaveLength(1);
    const kept = await caches.match(key());
    expect(Buffer.from(await kept!.arrayBuffer()).equals(right)).toBe(true);
  });

  it('refuses another content, and keeps nothing', async () => {
    answers = [{ body: randomBytes(right.length) }];
    await expect(load()).rejects.toThrow(/model\.onnx is damaged: it does not match/);
    expect(caches.entries.size).toBe(0);
  });

  it('does without storage', async () => {
    caches.full = true;
    expect((await load()).content.equals(right)).toBe(true);
    expect(caches.entries.size).toBe(0);
  });
});

describe('a download that breaks', () => {
  it('goes on at once from the bytes that are there', async () => {
    answers = [{ breakAfter: 150_000 }, {}];
    const { content, seen } = await load();
    expect(content.equals(right)).toBe(true);
    expect(asked).toHaveLength(2);
    expect(asked[1]).toMatchObject({ range: 'bytes=150000-', 'if-range': '"one"' });
    expect(seen.every((loaded, i) => loaded >= (seen[i - 1] ?? 0))).toBe(true);
    expect([...caches.entries.keys()]).toEqual([key()]);
  });

  it('is kept when the server stays away, and goes on from there the next time', async () => {
    answers = [{ breakAfter: 150_000 }, { breakAfter: 0 }];
    await expect(load()).rejects.toThrow(/connection broke.*goes on from where it broke/);
    expect([...caches.entries.keys()]).toEqual([`${key()}&part`]);
    answers = [{}];
    asked = [];
    expect((await load()).content.equals(right)).toBe(true);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ range: 'bytes=150000-' });
    expect([...caches.entries.keys()]).toEqual([key()]);
  });

  it('is kept when it is cancelled', async () => {
    answers = [{ breakAfter: 200_000 }];
    const abort = new AbortController();
    const loading = fetchVerified(
      folderUrl,
      [file],
      (loaded) => {
        if (loaded >= 100_000) abort.abort();
      },
      abort.signal,
    );
    await expect(loading).rejects.toSatisfy(
      (error) => error instanceof EngineFault && error.kind === 'cancelled',
    );
    answers = [{}];
    asked = [];
    expect((await load()).content.equals(right)).toBe(true);
    expect(asked[0]?.range).toMatch(/^bytes=\d{5,}-$/);
  });

  it.each<[string, Answer]>([
    ['has another version by now', { etag: '"two"' }],
    ['knows no ranges', { ranges: false }],
  ])('begins anew where the server %s', async (_name, then) => {
    answers = [{ breakAfter: 150_000, body: randomBytes(right.length) }, then];
    expect((await load()).content.equals(right)).toBe(true);
    expect(asked).toHaveLength(2);
  });

  it('begins anew where the parts do not fit together', async () => {
    answers = [{ breakAfter: 150_000, body: randomBytes(right.length) }, {}];
    expect((await load()).content.equals(right)).toBe(true);
    expect(asked.map(({ range }) => range)).toEqual([undefined, 'bytes=150000-', undefined]);
  });

  it('begins anew without an ETag, or with a weak one', async () => {
    for (const etag of [null, 'W/"one"']) {
      caches.entries.clear();
      answers = [{ breakAfter: 150_000, etag }, {}];
      asked = [];
      expect((await load()).content.equals(right)).toBe(true);
      expect(asked.map(({ range }) => range)).toEqual([undefined, undefined]);
    }
  });

  it('gives up after some tries', async () => {
    answers = [{ breakAfter: 10_000 }];
    await expect(load()).rejects.toThrow(/connection broke/);
    expect(asked.length).toBeLessThan(6);
  });
});
