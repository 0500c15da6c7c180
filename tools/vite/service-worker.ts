import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { readRecordedIndex } from '../../src/formats/recorded-index.ts';
import { root } from '../run.mjs';
import { modelSizes, offlineFiles, offlineList, offlineListFile } from './offline-files.ts';

/** The service worker's script, beside the pages: its scope is the whole site. */
export const serviceWorkerFile = 'sw.js';

/** Most bytes of one file of the shell: heavier ones are stored when a person asks for it. */
const largestFile = 2_000_000;

/** Most bytes of the whole shell, before compression: every visitor's browser stores it. */
const shellBudget = 3_000_000;

/**
 * Files that are copied into the site as they are and that the shell needs, by their path in the site: the icons, the
 * description of the app, the list of models, and the run that opens the page.
 */
function copiedFiles(): Map<string, string> {
  const index = readRecordedIndex(readFileSync(path.join(root, 'public/recorded/index.json'), 'utf8'));
  const first = index.ok ? index.value.runs[0] : undefined;
  const files = [
    'icon.svg',
    'manifest.webmanifest',
    ...readdirSync(path.join(root, 'public/icons')).map((file) => `icons/${file}`),
    ...(first === undefined ? [] : [`recorded/${first.file}`]),
  ];
  return new Map([
    ...files.map((file) => [file, `public/${file}`] as const),
    ['static-models/manifest.json', 'static-models/manifest.json'],
  ]);
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
        const list = offlineList();
        this.emitFile({ type: 'asset', fileName: offlineListFile, source: list });
        add(offlineListFile, list);
        for (const [file, from] of copiedFiles()) add(file, readFileSync(path.join(root, from)));
        const megabytes = (value: number): string => `${(value / 1e6).toFixed(1)} MB`;
        const sizes = [
          { what: `offline shell, ${files.length} files before compression`, bytes, budget: shellBudget },
          ...modelSizes(),
        ];
        for (const { what, bytes: size, budget } of sizes) {
          const line = `${what}: ${megabytes(size)}, at most ${megabytes(budget)}`;
          if (size > budget) this.error(`Over budget: ${line}.`);
          this.info(line);
        }
        const sums = Object.fromEntries(offlineFiles().map(({ path: file, sha256 }) => [file, sha256]));
        worker.code = worker.code
          .replace('__SHELL_FILES__', JSON.stringify(files))
          .replace('__SITE_FILES__', JSON.stringify(sums))
          .replace('__SHELL_VERSION__', hash.digest('hex').slice(0, 16));
      },
    },
  };
}
