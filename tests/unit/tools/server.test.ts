import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentSecurityPolicy } from '../../../tools/csp.mjs';
import {
  accepts,
  parseRange,
  pathSegments,
  startServer,
  type RunningServer,
} from '../../../tools/server.mjs';

const script = 'export const lane = 1;\n'.repeat(100);
let folder = '';
let server: RunningServer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'steplight-server-'));
  const site = path.join(folder, 'site');
  await mkdir(path.join(site, 'assets'), { recursive: true });
  await mkdir(path.join(site, 'embed'));
  await mkdir(path.join(site, 'empty'));
  const files: Record<string, string | Buffer> = {
    'index.html': '<!doctype html><title>Home</title>',
    'embed/index.html': '<!doctype html><title>Embed</title>',
    'assets/app-1a2b.js': script,
    'assets/app-1a2b.js.br': brotliCompressSync(script),
    'assets/app-1a2b.js.gz': gzipSync(script),
    'model.onnx': '0123456789',
    'model.onnx.gz': 'never sent',
    'engine.wasm': 'wasm',
    'zero.txt': '',
    '.hidden': 'secret',
  };
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(site, name), content);
  await writeFile(path.join(folder, 'outside.txt'), 'secret');
  await symlink(path.join(folder, 'outside.txt'), path.join(site, 'link.txt'));
  server = await startServer({ root: site });
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A request as it is: fetch would normalise the path and decode the body. */
function ask(target: string, headers: http.OutgoingHttpHeaders = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    http
      .request({ host: '127.0.0.1', port: server.port, path: target, headers, method }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        );
      })
      .on('error', reject)
      .end();
  });
}

describe('types and headers', () => {
  it.each([
    ['/', 'text/html; charset=utf-8'],
    ['/?preset=1', 'text/html; charset=utf-8'],
    ['/embed/', 'text/html; charset=utf-8'],
    ['/assets/app-1a2b.js', 'text/javascript; charset=utf-8'],
    ['/engine.wasm', 'application/wasm'],
    ['/model.onnx', 'application/octet-stream'],
  ])('%s is %s', async (target, type) => {
    const { status, headers } = await ask(target);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe(type);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toBe(contentSecurityPolicy);
    expect(headers['cross-origin-opener-policy']).toBeUndefined();
  });

  it('keeps files named after their content, and asks again for the others', async () => {
    expect((await ask('/assets/app-1a2b.js')).headers['cache-control']).toContain('immutable');
    expect((await ask('/model.onnx')).headers['cache-control']).toBe('no-cache');
  });

  it('answers 304 to what the reader has', async () => {
    const { headers } = await ask('/model.onnx');
    const again = await ask('/model.onnx', { 'if-none-match': headers.etag });
    expect(again.status).toBe(304);
    expect(again.body).toHaveLength(0);
  });

  it('isolates the page when asked', async () => {
    const isolated = await startServer({ root: path.join(folder, 'site'), isolate: true });
    const { headers } = await fetch(isolated.url);
    await isolated.close();
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-embedder-policy')).toBe('require-corp');
  });

  it('sends no body to HEAD, and refuses other methods', async () => {
    const head = await ask('/model.onnx', {}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '10', 0]);
    expect((await ask('/', {}, 'POST')).status).toBe(405);
  });

  it('serves an empty file', async () => {
    const { status, headers } = await ask('/zero.txt');
    expect([status, headers['content-length']]).toEqual([200, '0']);
  });
});

describe('compression', () => {
  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
  ])('for "%s" is %s', async (accepted, encoding) => {
    const { headers } = await ask('/assets/app-1a2b.js', { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers.vary).toBe('Accept-Encoding');
  });

  it('never happens to weights', async () => {
    const { headers, body } = await ask('/model.onnx', { 'accept-encoding': 'br, gzip' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers['content-length']).toBe('10');
    expect(body.toString()).toBe('0123456789');
  });

  it('gives way to a range', async () => {
    const range = await ask('/assets/app-1a2b.js', { 'accept-encoding': 'br', range: 'bytes=0-5' });
    expect([range.status, range.headers['content-encoding'], range.body.toString()]).toEqual([
      206,
      undefined,
      'export',
    ]);
  });

  it('reads the header', () => {
    expect(accepts(undefined, 'br')).toBe(false);
    expect(accepts('GZIP ; q=0.5', 'gzip')).toBe(true);
    expect(accepts('*', 'br')).toBe(true);
  });
});

describe('ranges', () => {
  it.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=0-1,4-5', 200, '0123456789', undefined],
    ['lines=1-2', 200, '0123456789', undefined],
  ])('%s', async (range, status, body, contentRange) => {
    const answer = await ask('/model.onnx', { range });
    expect([answer.status, answer.body.toString(), answer.headers['content-range']]).toEqual([
      status,
      body,
      contentRange,
    ]);
  });

  it('beyond the end is refused', async () => {
    const { status, headers } = await ask('/model.onnx', { range: 'bytes=10-' });
    expect([status, headers['content-range']]).toEqual([416, 'bytes */10']);
    expect(parseRange('bytes=-0', 10)).toBe('unsatisfiable');
  });

  it('of another version is ignored', async () => {
    const { status } = await ask('/model.onnx', { range: 'bytes=2-4', 'if-range': '"other"' });
    expect(status).toBe(200);
  });
});

describe('paths', () => {
  it.each([
    '/none',
    '/none.js',
    '/index.htm',
    '/empty',
    '/empty/',
    '/.hidden',
    '/../outside.txt',
    '/assets/../../outside.txt',
    '/%2e%2e/outside.txt',
    '/..%2foutside.txt',
    '/..%5coutside.txt',
    '/link.txt',
    '//outside.txt',
    '/%00',
    '/%zz',
    '/C:/outside.txt',
    '/model.onnx/',
  ])('%s is a real 404', async (target) => {
    const { status, headers, body } = await ask(target);
    expect(status).toBe(404);
    expect(headers['content-type']).toContain('text/plain');
    expect(body.toString()).not.toContain('secret');
  });

  it('of a folder leads to the one with a slash', async () => {
    const { status, headers } = await ask('/embed');
    expect([status, headers.location]).toEqual([301, '/embed/']);
  });

  it('outside the base are not served', () => {
    expect(pathSegments('/a/b/c.js', '/a/b/')).toEqual(['c.js']);
    expect(pathSegments('/c.js', '/a/b/')).toBeNull();
  });

  it('survives a request that is no HTTP', async () => {
    await new Promise((resolve) => {
      const socket = connect(server.port, '127.0.0.1', () => socket.end('nonsense\r\n\r\n'));
      socket.once('close', resolve);
      socket.resume();
    });
    expect((await ask('/')).status).toBe(200);
  });
});

describe('ports', () => {
  it('takes the next one where that is allowed', async () => {
    const site = path.join(folder, 'site');
    await expect(startServer({ root: site, port: server.port })).rejects.toThrow('EADDRINUSE');
    const next = await startServer({ root: site, port: server.port, tries: 20 });
    expect(next.port).toBeGreaterThan(server.port);
    await next.close();
  });
});
