/**
 * Who may import whom under src/. A part is a folder, or one file whose row goes before its folder's. Imports within
 * a part are free; types count like values; a part without a row fails. Add a folder only together with its row.
 */

/**
 * @typedef {object} Row
 * @property {readonly string[]} parts Other parts that it may import.
 * @property {readonly string[]} [packages] Packages that it may import.
 * @property {readonly string[]} [workers] Files that it may start as a worker, by `new URL(file, import.meta.url)`.
 */

/** @type {Readonly<Record<string, Row>>} */
export const importTable = {
  domain: { parts: [] },
  answers: { parts: ['domain'], packages: ['fraction.js'] },
  picks: { parts: ['domain', 'answers'], packages: ['pure-rand'] },
  sampling: { parts: ['domain'] },
  scoring: { parts: ['domain'] },
  runtime: {
    parts: ['domain'],
    packages: ['@huggingface/transformers', 'onnxruntime-common', 'onnxruntime-web'],
  },
  // Files with a declared sha256, fetched by the page and by the worker alike.
  models: { parts: ['domain'], packages: ['@noble/hashes'] },
  'worker/protocol.ts': { parts: ['domain'] },
  worker: {
    parts: ['worker/protocol.ts', 'domain', 'sampling', 'scoring', 'answers', 'runtime', 'models', 'formats'],
    packages: ['comlink'],
  },
  session: {
    parts: ['domain', 'picks', 'answers', 'models', 'formats', 'worker/protocol.ts'],
    packages: ['comlink', 'svelte'],
    workers: ['worker/main.ts'],
  },
  formats: { parts: ['domain'], packages: ['valibot'] },
  share: { parts: ['domain', 'formats'], packages: ['idb'] },
  charts: { parts: ['domain', 'picks'], packages: ['d3-scale', 'd3-shape', 'svelte'] },
  ui: {
    parts: ['session', 'charts', 'share', 'models', 'formats', 'answers', 'picks', 'domain'],
    packages: ['svelte', 'katex'],
  },
  embed: { parts: ['session', 'share', 'ui'], packages: ['svelte'] },
  // The service worker.
  offline: { parts: [] },
  // One HTML file: the same page and worker, with their files inlined.
  single: { parts: ['ui', 'session', 'worker'], packages: ['svelte', 'comlink'] },
  'main.ts': { parts: ['ui', 'session'], packages: ['svelte'] },
};
