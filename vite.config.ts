import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defaultClientConditions, defineConfig } from 'vite';
import { scriptBudget } from './tools/vite/budget.ts';
import { cspMeta } from './tools/vite/csp-meta.ts';
import { finishSite } from './tools/vite/finish.ts';
import { LicenceNotes } from './tools/vite/licences.ts';
import { serveFolders } from './tools/vite/served-folders.ts';

const licences = new LicenceNotes();

export default defineConfig({
  // Relative: the site works from any path.
  base: './',
  plugins: [svelte(), serveFolders(), cspMeta(), scriptBudget(), licences.plugin(), finishSite(licences)],
  resolve: {
    // Without it the runtime's glue code is bundled, and its .wasm emitted a second time.
    conditions: ['onnxruntime-web-use-extern-wasm', ...defaultClientConditions],
  },
  worker: { format: 'es', plugins: () => [licences.plugin()] },
  optimizeDeps: {
    // What is met late (in the worker, or on demand) must not be pre-bundled then: that reloads the page.
    exclude: ['@huggingface/transformers', 'onnxruntime-web'],
    include: ['@noble/hashes/sha2.js', 'katex'],
  },
  build: {
    target: 'esnext',
    modulePreload: { polyfill: false },
    // The Content-Security-Policy has no data: for fonts and scripts.
    assetsInlineLimit: 0,
    // The worker's chunk holds transformers.js; what the page loads first has a budget of its own.
    chunkSizeWarningLimit: 2_000,
  },
  server: { host: '127.0.0.1' },
});
