import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import path from 'node:path';

/** A file of a model on the hub. */
interface HubFile {
  readonly path: string;
  readonly content: Buffer;
  /** Large files are kept elsewhere, and are known by their sha256. */
  readonly large: boolean;
}

/** What goes wrong, for one model or one file. */
export type Trouble =
  /** The answer's body ends after so many bytes, once. */
  | { readonly kind: 'cut'; readonly path: string; readonly after: number }
  /** Some bytes are other ones than the digest says. */
  | { readonly kind: 'wrong-content'; readonly path: string }
  /** Every chunk of 16 KiB waits. */
  | { readonly kind: 'slow'; readonly path: string; readonly ms: number }
  | { readonly kind: 'gone'; readonly path: string };

const COMMIT = 'c0ffee'.padEnd(40, '0');
const LARGEST_SMALL_FILE = 60_000;

/**
 * A hub on this machine that behaves as the real one does: a listing in pages, small files by their git id, large ones
 * redirected to another host that serves ranges but does not show their headers to pages. Models are folders.
 */
export class HubServer {
  readonly #server: Server;
  readonly #models: ReadonlyMap<string, readonly HubFile[]>;
  /** Requests so far: host and path, with the range that was asked for. */
  readonly requests: string[] = [];
  troubles: Trouble[] = [];
  /** A model that is there, but not for everybody. */
  gated: string | null = null;

  private constructor(server: Server, models: ReadonlyMap<string, readonly HubFile[]>) {
    this.#server = server;
    this.#models = models;
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  /** @param folder with a folder for each owner, and in it one for each model */
  static async start(folder: string, port: number): Promise<HubServer> {
    const models = new Map<string, HubFile[]>();
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const [owner, name, ...rest] = path
        .relative(folder, path.join(entry.parentPath, entry.name))
        .split(path.sep);
      if (owner === undefined || name === undefined || rest.length === 0) continue;
      const id = `${owner}/${name}`;
      const content = await readFile(path.join(entry.parentPath, entry.name));
      const large = content.length > LARGEST_SMALL_FILE || entry.name.includes('.onnx');
      models.set(id, [...(models.get(id) ?? []), { path: rest.join('/'), content, large }]);
    }
    const pem = (name: string) => readFile(path.join(import.meta.dirname, name));
    const server = createServer({ key: await pem('key.pem'), cert: await pem('certificate.pem') });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return new HubServer(server, models);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Requests for contents of files, by path, since the last call. */
  takeRequests(): string[] {
    return this.requests.splice(0);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const host = request.headers.host ?? '';
    const url = new URL(request.url ?? '/', `https://${host}`);
    this.requests.push(`${host}${url.pathname} ${request.headers.range ?? ''}`.trim());
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (request.method === 'OPTIONS') {
      // The real hub allows no more than what needs no asking.
      response.writeHead(403).end();
      return;
    }
    if (host.endsWith('.hf.co')) {
      await this.#serve(url.searchParams.get('path') ?? '', url.pathname.slice(1), request, response);
      return;
    }
    response.setHeader('Access-Control-Expose-Headers', 'X-Error-Code, Link, ETag');
    const [, api, id = '', what = '', rest = ''] =
      /^\/(api\/models\/)?([^/]+\/[^/]+)\/(revision|tree|resolve)\/(.*)$/.exec(decodeURI(url.pathname)) ?? [];
    const files = this.#models.get(id);
    if (id === this.gated) {
      refuse(response, 401, 'GatedRepo');
    } else if (files === undefined) {
      refuse(response, 401, 'RepoNotFound');
    } else if (api === undefined) {
      const file = files.find((each) => each.path === rest.slice(COMMIT.length + 1));
      if (file === undefined || this.#has('gone', file.path)) refuse(response, 404, 'EntryNotFound');
      else if (file.large)
        response
          .writeHead(302, {
            location: `https://cas-bridge.xethub.hf.co/${sha256(file.content)}?path=${encodeURIComponent(`${id}/${file.path}`)}`,
          })
          .end();
      else await this.#serve(`${id}/${file.path}`, sha256(file.content), request, response);
    } else if (what === 'revision') {
      if (rest !== 'main' && rest !== COMMIT) refuse(response, 404, 'RevisionNotFound');
      else
        json(response, {
          id,
          sha: COMMIT,
          tags: ['license:mit'],
          config: { architectures: [architecture(files)] },
        });
    } else {
      // Two pages, as long listings have.
      const half = Math.ceil(files.length / 2);
      const second = url.searchParams.has('cursor');
      if (!second)
        response.setHeader('Link', `<https://${host}${url.pathname}?recursive=true&cursor=2>; rel="next"`);
      json(response, [
        ...(second ? [] : [{ type: 'directory', oid: '0'.repeat(40), size: 0, path: 'onnx' }]),
        ...files.slice(...(second ? [half] : [0, half])).map(describe),
      ]);
    }
  }

  async #serve(
    place: string,
    digest: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const [owner = '', name = '', ...rest] = place.split('/');
    const file = this.#models
      .get(`${owner}/${name}`)
      ?.find((each) => each.path === rest.join('/') && sha256(each.content) === digest);
    if (file === undefined) {
      refuse(response, 404, 'EntryNotFound');
      return;
    }
    let content = file.content;
    if (this.#has('wrong-content', file.path)) {
      content = Buffer.from(content);
      content[content.length >> 1]! ^= 1;
    }
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const body = content.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': body.length,
      etag: '"of another version"',
      ...(from > 0
        ? { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }
        : { 'accept-ranges': 'bytes' }),
    });
    const cut = this.troubles.find((trouble) => trouble.kind === 'cut' && trouble.path === file.path);
    if (cut?.kind === 'cut') {
      this.troubles = this.troubles.filter((trouble) => trouble !== cut);
      response.write(body.subarray(0, cut.after), () => {
        // What was written must arrive before the connection breaks.
        setTimeout(() => response.destroy(), 300);
      });
      return;
    }
    for (let at = 0; at < body.length; at += 16_384) {
      const slow = this.troubles.find((trouble) => trouble.kind === 'slow' && trouble.path === file.path);
      if (slow?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, slow.ms));
      if (response.destroyed) return;
      response.write(body.subarray(at, at + 16_384));
    }
    response.end();
  }

  #has(kind: Trouble['kind'], file: string): boolean {
    return this.troubles.some((trouble) => trouble.kind === kind && trouble.path === file);
  }
}

function describe({ path: place, content, large }: HubFile) {
  const header = `blob ${content.length}\0`;
  return {
    type: 'file',
    path: place,
    size: content.length,
    // Of a large file this is the id of a pointer to it.
    oid: large ? 'f'.repeat(40) : createHash('sha1').update(header).update(content).digest('hex'),
    ...(large ? { lfs: { oid: sha256(content), size: content.length, pointerSize: 130 } } : {}),
  };
}

function architecture(files: readonly HubFile[]): unknown {
  const config = files.find((file) => file.path === 'config.json')?.content.toString() ?? '{}';
  return (JSON.parse(config) as { architectures?: unknown[] }).architectures?.[0];
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'x-error-code': code }).end();
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
