import { existsSync, readFileSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defaultClientConditions, defineConfig } from 'vite';
import { scriptBudget } from './tools/vite/budget.ts';
import { cspMeta } from './tools/vite/csp-meta.ts';
import { finishSite } from './tools/vite/finish.ts';
import { LicenceNotes } from './tools/vite/licences.ts';
import { offlineBytes } from './tools/vite/offline-files.ts';
import { pagePolicy } from './tools/vite/page-policy.ts';
import { serviceWorker, serviceWorkerFile } from './tools/vite/service-worker.ts';
import { serveFolders } from './tools/vite/served-folders.ts';
import { wat } from './tools/vite/wat.ts';

const licences = new LicenceNotes();
const recorded = (file: string): URL => new URL(`public/recorded/${file}`, import.meta.url);

export default defineConfig({
  // Relative: the site works from any path.
  base: './',
  plugins: [
    svelte(),
    wat(),
    serveFolders(),
    cspMeta(),
    scriptBudget(),
    pagePolicy(),
    licences.plugin(),
    serviceWorker(),
    finishSite(licences),
  ],
  // What the page knows of public/recorded without a request, so that it asks for nothing that is not there.
  define: {
    'import.meta.env.RECORDED_INDEX': JSON.stringify(
      existsSync(recorded('index.json')) ? readFileSync(recorded('index.json'), 'utf8') : null,
    ),
    'import.meta.env.HAS_POOL': JSON.stringify(existsSync(recorded('pool.json'))),
    'import.meta.env.OFFLINE_BYTES': String(offlineBytes()),
  },
  resolve: {
    // Without it the runtime's glue code is bundled, and its .wasm emitted a second time.
    conditions: ['onnxruntime-web-use-extern-wasm', ...defaultClientConditions],
  },
  worker: { format: 'es', plugins: () => [wat(), licences.plugin()] },
  optimizeDeps: {
    // What is met late (in the worker, or on demand) must not be pre-bundled then: that reloads the page.
    exclude: ['@huggingface/transformers', 'onnxruntime-web'],
    include: ['@noble/hashes/sha2.js', 'katex'],
  },
  build: {
    target: 'esnext',
    rolldownOptions: {
      input: { index: 'index.html', embed: 'embed.html', sw: 'src/offline/service-worker.ts' },
      output: {
        entryFileNames: ({ name }) => (name === 'sw' ? serviceWorkerFile : 'assets/[name]-[hash].js'),
      },
    },
    modulePreload: { polyfill: false },
    // The Content-Security-Policy has no data: for fonts and scripts.
    assetsInlineLimit: 0,
    // The worker's chunk holds transformers.js; what the page loads first has a budget of its own.
    chunkSizeWarningLimit: 2_000,
  },
  server: { host: '127.0.0.1' },
});
