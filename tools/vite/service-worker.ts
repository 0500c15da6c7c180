import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { readRecordedIndex } from '../../src/formats/recorded-index.ts';
import { root } from '../run.mjs';

/** The service worker's script, beside the pages: its scope is the whole site. */
export const serviceWorkerFile = 'sw.js';

/** Most bytes of one file of the shell: heavier ones are stored when a person asks for it. */
const largestFile = 2_000_000;

/** Files of public/ that the shell needs: the icons, the description of the app, and the run that opens the page. */
function publicFiles(): string[] {
  const read = (file: string): string => readFileSync(path.join(root, 'public', file), 'utf8');
  const index = readRecordedIndex(read('recorded/index.json'));
  const first = index.ok ? index.value.runs[0] : undefined;
  return [
    'icon.svg',
    'manifest.webmanifest',
    ...readdirSync(path.join(root, 'public/icons')).map((file) => `icons/${file}`),
    ...(first === undefined ? [] : [`recorded/${first.file}`]),
  ];
}

/** Writes into the built service worker which files the shell consists of, and a version that follows from their content. */
export function serviceWorker(): Plugin {
  return {
    name: 'steplight:service-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const worker = bundle[serviceWorkerFile];
        if (worker?.type !== 'chunk') this.error('The service worker is not in the build.');
        const hash = createHash('sha256');
        const files = ['./'];
        let bytes = 0;
        const add = (name: string, content: string | Uint8Array): void => {
          const size = Buffer.byteLength(content);
          if (size > largestFile) this.error(`${name} is too large for the shell: ${size} bytes.`);
          hash.update(`${name}\0${size}\0`).update(content);
          files.push(name);
          bytes += size;
        };
        for (const [name, item] of Object.entries(bundle).sort(([a], [b]) => (a < b ? -1 : 1))) {
          // Every browser that can run this reads woff2.
          if (name === serviceWorkerFile || /\.(?:ttf|woff|map)$/.test(name)) continue;
          add(name, item.type === 'chunk' ? item.code : item.source);
        }
        for (const file of publicFiles()) add(file, readFileSync(path.join(root, 'public', file)));
        worker.code = worker.code
          .replace('__SHELL_FILES__', JSON.stringify(files))
          .replace('__SHELL_VERSION__', hash.digest('hex').slice(0, 16));
        this.info(`offline shell: ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB before compression`);
      },
    },
  };
}
