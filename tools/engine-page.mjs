/** Opens tools/engine-page in Chromium: the product's engine, to be called from a script. */
import path from 'node:path';
import { createServer } from 'vite';
import { launchBrowser } from './browser.mjs';
import { root } from './run.mjs';

/** @typedef {import('./engine-page/engine-page.ts').EnginePage} EnginePage */

/**
 * Runs in the page.
 * @param {{ name: string; parameters: readonly unknown[] }} request
 */
function callEnginePage({ name, parameters }) {
  /** @type {Record<string, (...parameters: readonly unknown[]) => unknown>} */
  const functions = Reflect.get(globalThis, 'enginePage');
  return functions[name]?.(...parameters);
}

/**
 * @param {'webgpu' | 'wasm'} backend
 * @returns {Promise<{
 *   call: <Name extends keyof EnginePage>(name: Name, ...parameters: Parameters<EnginePage[Name]>) =>
 *     Promise<Awaited<ReturnType<EnginePage[Name]>>>;
 *   close: () => Promise<void>;
 * }>}
 */
export async function openEnginePage(backend) {
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
    await page.goto(`${server.resolvedUrls?.local[0] ?? ''}tools/engine-page/index.html`);
    await page.waitForFunction('"enginePage" in window', null, { timeout: 120_000 });
    return {
      call: async (name, ...parameters) => {
        /** @type {unknown} */
        const result = await page.evaluate(callEnginePage, { name, parameters });
        // The page answers with what the function of that name returns, as JSON.
        return /** @type {any} */ (result);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
