/** The page and its worker as two scripts without imports, to be put into one HTML file by tools/build-single.mjs. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defaultClientConditions, defineConfig } from 'vite';
import { root } from '../run.mjs';
import { wat } from '../vite/wat.ts';

const recordedIndex = readFileSync(path.join(root, 'public/recorded/index.json'), 'utf8');

export default defineConfig({
  root,
  base: './',
  publicDir: false,
  plugins: [svelte({ configFile: path.join(root, 'svelte.config.js') })],
  define: {
    'import.meta.env.RECORDED_INDEX': JSON.stringify(recordedIndex),
    'import.meta.env.HAS_POOL': 'true',
  },
  resolve: { conditions: ['onnxruntime-web-use-extern-wasm', ...defaultClientConditions] },
  worker: { format: 'iife', plugins: () => [wat()], rolldownOptions: { output: { codeSplitting: false } } },
  build: {
    target: 'esnext',
    outDir: 'dist-single/parts',
    emptyOutDir: true,
    modulePreload: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 20_000,
    rolldownOptions: {
      input: path.join(root, 'src/single/main.ts'),
      output: { codeSplitting: false, entryFileNames: 'page.js', assetFileNames: 'page[extname]' },
    },
  },
});
