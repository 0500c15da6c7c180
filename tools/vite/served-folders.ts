import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';
import { createStaticHandler } from '../server.mjs';
import { root } from '../run.mjs';

interface ServedFolder {
  /** Name of the folder in the site. */
  readonly name: string;
  /** Where it comes from, relative to the repository. */
  readonly from: string;
  /** Files to take; all where it is absent. */
  readonly files?: readonly string[];
}

/** The builds of ONNX Runtime that the worker loads; `asyncify` has both WebGPU and WASM, and runs everywhere. */
const runtimeBuilds = ['asyncify'];

/**
 * Folders that keep their names in the site, in `vite dev` and in the build, because the worker and the libraries in
 * it make their URLs at run time. The runtime comes in the version that transformers.js depends on.
 */
export const servedFolders: readonly ServedFolder[] = [
  {
    name: 'ort',
    from: 'node_modules/onnxruntime-web/dist',
    files: runtimeBuilds.flatMap((build) =>
      ['mjs', 'wasm'].map((type) => `ort-wasm-simd-threaded.${build}.${type}`),
    ),
  },
  { name: 'static-models', from: 'static-models' },
];

export function serveFolders(): Plugin {
  return {
    name: 'steplight:serve-folders',
    apply: 'serve',
    configureServer(server) {
      for (const { name, from, files } of servedFolders) {
        const handler = createStaticHandler({ root: path.join(root, from), csp: false });
        server.middlewares.use(`/${name}`, (request, response, next) => {
          const file = (request.url ?? '/').slice(1).split('?', 1)[0] ?? '';
          if (files !== undefined && !files.includes(file)) {
            response.writeHead(404).end();
            return;
          }
          handler(request, response).catch(next);
        });
      }
    },
  };
}

export async function copyFolders(target: string): Promise<void> {
  for (const { name, from, files } of servedFolders) {
    const source = path.join(root, from);
    const destination = path.join(target, name);
    await mkdir(destination, { recursive: true });
    if (files === undefined) {
      await cp(source, destination, { recursive: true });
    } else {
      await Promise.all(files.map((file) => cp(path.join(source, file), path.join(destination, file))));
    }
  }
}
