/**
 * A small static file server: explicit MIME types, real 404s, Range requests, precompressed files.
 * Used by `npm start`, by the tests, and by `vite dev` for the model and runtime files.
 */
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { contentSecurityPolicy } from './csp.mjs';

/** @type {Readonly<Record<string, string>>} */
const mimeTypes = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.wasm': 'application/wasm',
  '.onnx': 'application/octet-stream',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
};

/** Never .onnx: a compressed length makes the reader regrow its buffer, and weights hardly shrink. */
const compressible = new Set(['.html', '.js', '.mjs', '.css', '.json', '.svg', '.wasm']);

/** File extensions that get a .br and a .gz beside them at build. */
export function isCompressible(/** @type {string} */ file) {
  return compressible.has(path.extname(file));
}

const encodings = /** @type {const} */ ([
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
]);

/**
 * @typedef {object} StaticOptions
 * @property {string} root Folder that is served.
 * @property {string} [base] Path that the folder is mounted at, with slashes at both ends.
 * @property {boolean} [csp] Send the Content-Security-Policy; on unless set to false.
 * @property {boolean} [isolate] Send COOP and COEP, so that the page is cross-origin isolated.
 */

/**
 * The file system path of a request, or `null` where it is none that we serve. Hidden files, backslashes, colons
 * (drive letters, alternate streams) and dot segments are refused.
 * @param {string} pathname Percent-encoded path without the query.
 * @param {string} base
 * @returns {string[] | null}
 */
export function pathSegments(pathname, base) {
  if (!pathname.startsWith(base)) return null;
  let decoded;
  try {
    decoded = decodeURIComponent(pathname.slice(base.length));
  } catch {
    return null;
  }
  if (/[\\:\0]/.test(decoded)) return null;
  const segments = decoded.split('/');
  const bad = segments.some((part, i) => part.startsWith('.') || (part === '' && i < segments.length - 1));
  return bad ? null : segments;
}

/**
 * @param {string | undefined} header
 * @param {number} size
 * @returns {{ start: number, end: number } | 'whole' | 'unsatisfiable'}
 */
export function parseRange(header, size) {
  if (header === undefined) return 'whole';
  const match = /^bytes=(\d*)-(\d*)$/.exec(header.trim());
  // Several ranges or another unit: a server may ignore them and send the whole file.
  if (!match) return 'whole';
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return 'whole';
  return start >= size ? 'unsatisfiable' : { start, end };
}

/**
 * @param {string | undefined} header
 * @param {string} encoding
 */
export function accepts(header, encoding) {
  for (const part of (header ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    if (name !== encoding && name !== '*') continue;
    const q = parameters.find((text) => text.startsWith('q='));
    return q === undefined || Number(q.slice(2)) > 0;
  }
  return false;
}

async function fileStat(/** @type {string} */ file) {
  try {
    return await stat(file);
  } catch {
    return null;
  }
}

/**
 * @param {StaticOptions} options
 * @returns {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => Promise<void>}
 */
export function createStaticHandler({ root, base = '/', csp = true, isolate = false }) {
  const absoluteRoot = path.resolve(root);

  return async (request, response) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    if (csp) response.setHeader('Content-Security-Policy', contentSecurityPolicy);
    if (isolate) {
      response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
      response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    }

    const fail = (/** @type {number} */ status, /** @type {string} */ text) => {
      response.writeHead(status, {
        'Content-Type': 'text/plain; charset=utf-8',
        'Cache-Control': 'no-store',
      });
      response.end(request.method === 'HEAD' ? undefined : `${status} ${text}\n`);
    };

    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      fail(405, 'Method not allowed');
      return;
    }
    const pathname = (request.url ?? '/').split(/[?#]/, 1)[0] ?? '/';
    const segments = pathSegments(pathname, base);
    if (segments === null) {
      fail(404, 'Not found');
      return;
    }

    let file = path.join(absoluteRoot, ...segments);
    if (segments.at(-1) === '') file = path.join(file, 'index.html');
    const info = await fileStat(file);
    if (info?.isDirectory() && (await fileStat(path.join(file, 'index.html')))) {
      response.writeHead(301, { Location: `${pathname.replace(/^\/+/, '/')}/` });
      response.end();
      return;
    }
    if (!info?.isFile() || !(await isInside(file, absoluteRoot))) {
      fail(404, 'Not found');
      return;
    }

    response.setHeader(
      'Content-Type',
      mimeTypes[path.extname(file).toLowerCase()] ?? 'application/octet-stream',
    );
    // Vite names the files in assets/ after their content.
    const immutable = segments[0] === 'assets';
    response.setHeader('Cache-Control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache');

    let body = { file, size: info.size, encoding: 'identity' };
    if (isCompressible(file)) {
      response.setHeader('Vary', 'Accept-Encoding');
      if (request.headers.range === undefined) {
        for (const { name, suffix } of encodings) {
          if (!accepts(request.headers['accept-encoding'], name)) continue;
          const packed = await fileStat(file + suffix);
          if (!packed?.isFile() || packed.mtimeMs < info.mtimeMs) continue;
          body = { file: file + suffix, size: packed.size, encoding: name };
          response.setHeader('Content-Encoding', name);
          break;
        }
      }
    }
    const etag = `"${info.size.toString(36)}-${Math.round(info.mtimeMs).toString(36)}-${body.encoding}"`;
    response.setHeader('ETag', etag);
    response.setHeader('Accept-Ranges', 'bytes');
    if (request.headers['if-none-match']?.split(',').some((tag) => tag.trim() === etag)) {
      response.writeHead(304).end();
      return;
    }

    const ifRange = request.headers['if-range'];
    const rangeHeader = ifRange === undefined || ifRange === etag ? request.headers.range : undefined;
    const range = parseRange(rangeHeader, body.size);
    if (range === 'unsatisfiable') {
      response.setHeader('Content-Range', `bytes */${body.size}`);
      fail(416, 'Range not satisfiable');
      return;
    }
    let span = { start: 0, end: body.size - 1 };
    if (range !== 'whole') {
      span = range;
      response.statusCode = 206;
      response.setHeader('Content-Range', `bytes ${span.start}-${span.end}/${body.size}`);
    }
    response.setHeader('Content-Length', span.end - span.start + 1);
    if (request.method === 'HEAD' || body.size === 0) {
      response.end();
      return;
    }
    // A reader that goes away is no error of ours, and a file that vanishes ends the connection.
    pipeline(createReadStream(body.file, span), response, () => {});
  };
}

/**
 * Symbolic links may not lead out of the served folder.
 * @param {string} file
 * @param {string} root
 */
async function isInside(file, root) {
  try {
    const [realFile, realRoot] = await Promise.all([realpath(file), realpath(root)]);
    return realFile.startsWith(realRoot + path.sep);
  } catch {
    return false;
  }
}

/**
 * @typedef {object} RunningServer
 * @property {string} url Address of the site's root, ending in "/".
 * @property {number} port
 * @property {() => Promise<void>} close
 */

/**
 * Serves on 127.0.0.1. A taken port is an error, unless `tries` allows the next ones.
 * @param {StaticOptions & { port?: number, tries?: number }} options
 * @returns {Promise<RunningServer>}
 */
export async function startServer({ port = 0, tries = 1, ...options }) {
  const handler = createStaticHandler(options);
  for (let attempt = 0; ; attempt++) {
    const server = createServer((request, response) => {
      handler(request, response).catch((/** @type {unknown} */ error) => {
        console.error(error);
        response.destroy();
      });
    });
    try {
      await new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port === 0 ? 0 : port + attempt, '127.0.0.1', () => resolve(undefined));
      });
    } catch (error) {
      const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (taken && attempt + 1 < tries) continue;
      throw error;
    }
    const address = /** @type {import('node:net').AddressInfo} */ (server.address());
    return {
      url: `http://127.0.0.1:${address.port}${options.base ?? '/'}`,
      port: address.port,
      close: () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    };
  }
}

/** Ends the process cleanly on Ctrl+C and on a polite kill. */
export function closeOnSignal(/** @type {RunningServer} */ server) {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      void server.close().then(() => process.exit(0));
    });
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({
    options: {
      root: { type: 'string', default: fileURLToPath(new URL('../dist', import.meta.url)) },
      port: { type: 'string', default: '4173' },
      base: { type: 'string', default: '/' },
      isolate: { type: 'boolean', default: false },
    },
  });
  const server = await startServer({ ...values, port: Number(values.port) });
  console.log(server.url);
  closeOnSignal(server);
}
