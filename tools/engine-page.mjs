/** Opens a page of this folder in Chromium: parts of the product, to be called from a script. */
import path from 'node:path';
import { createServer } from 'vite';
import { launchBrowser } from './browser.mjs';
import { root } from './run.mjs';

/** @typedef {import('./engine-page/engine-page.ts').EnginePage} EnginePage */
/** @typedef {import('./bench-page/bench-page.ts').BenchPage} BenchPage */

/**
 * A page whose functions a script can call; parameters and results travel as JSON.
 * @template Functions
 * @typedef {{
 *   call: <Name extends keyof Functions>(
 *     name: Name,
 *     ...parameters: Functions[Name] extends (...parameters: infer P) => unknown ? P : never
 *   ) => Promise<Functions[Name] extends (...parameters: never[]) => infer R ? Awaited<R> : never>;
 *   close: () => Promise<void>;
 * }} ToolPage
 */

/**
 * Runs in the page.
 * @param {{ global: string; name: string; parameters: readonly unknown[] }} request
 */
function callFunction({ global, name, parameters }) {
  /** @type {Record<string, (...parameters: readonly unknown[]) => unknown>} */
  const functions = Reflect.get(globalThis, global);
  return functions[name]?.(...parameters);
}

/**
 * The product's engine and picks.
 * @param {'webgpu' | 'wasm'} backend
 * @returns {Promise<ToolPage<EnginePage>>}
 */
export const openEnginePage = (backend) => openToolPage(backend, 'engine-page', 'enginePage');

/**
 * The benchmark.
 * @param {'webgpu' | 'wasm'} backend
 * @returns {Promise<ToolPage<BenchPage>>}
 */
export const openBenchPage = (backend) => openToolPage(backend, 'bench-page', 'benchPage');

/**
 * @param {'webgpu' | 'wasm'} backend
 * @param {string} folder the page's folder, beside this file
 * @param {string} global the property of the window that holds the functions
 */
async function openToolPage(backend, folder, global) {
  const server = await createServer({
    root,
    configFile: path.join(root, 'vite.config.ts'),
    logLevel: 'error',
    server: {
      port: 0,
      hmr: false,
      watch: null,
      // Isolated, so that the WASM runtime gets its threads.
      headers: {
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cross-Origin-Embedder-Policy': 'require-corp',
      },
    },
  });
  await server.listen();
  const browser = await launchBrowser(backend);
  const close = async () => {
    await browser.close();
    await server.close();
  };
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(`page: ${error.message}`));
    await page.goto(`${server.resolvedUrls?.local[0] ?? ''}tools/${folder}/index.html`);
    await page.waitForFunction(`${JSON.stringify(global)} in window`, null, { timeout: 120_000 });
    /** @type {ToolPage<any>['call']} */
    const call = (name, ...parameters) =>
      page.evaluate(callFunction, { global, name: String(name), parameters });
    return { call, close };
  } catch (error) {
    await close();
    throw error;
  }
}
