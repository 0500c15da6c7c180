/**
 * `npm run screenshots`: takes every state below in light and dark, narrow and wide, into docs/screenshots/.
 * Names given as parameters restrict it to those states.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { launchBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { reportFailure, root } from './run.mjs';
import { startServer } from './server.mjs';

/** @typedef {import('@playwright/test').Page} Page */

const folder = path.join(root, 'docs/screenshots');
const widths = { 390: 844, 1440: 900 };
const schemes = /** @type {const} */ (['light', 'dark']);

/** How long a run may take on a slow machine. */
const runTimeout = 300_000;

const problem = 'Sara has 4 boxes with 12 pencils each. She gives away 9 pencils. How many pencils are left?';

/** @type {Readonly<Record<string, (page: Page) => Promise<void>>>} */
const states = {
  'first-paint': async (page) => {
    await page.getByRole('main').waitFor();
  },
  'finished-run': async (page) => {
    await page.getByRole('textbox', { name: /^problem/i }).fill(problem);
    await page.getByRole('textbox', { name: /correct answer/i }).fill('39');
    await page.getByRole('button', { name: /^run/i }).click();
    await page.getByRole('button', { name: /^cancel/i }).waitFor();
    await page.getByRole('button', { name: /^run/i }).waitFor({ timeout: runTimeout });
  },
};

async function main() {
  const wanted = process.argv.slice(2);
  await ensureBuilt();
  await mkdir(folder, { recursive: true });
  const server = await startServer({ root: path.join(root, 'dist') });
  const browser = await launchBrowser('wasm');
  try {
    for (const [name, reach] of Object.entries(states)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      const page = await browser.newPage();
      await page.goto(server.url);
      await reach(page);
      for (const [width, height] of Object.entries(widths)) {
        for (const scheme of schemes) {
          await page.setViewportSize({ width: Number(width), height });
          await page.emulateMedia({ colorScheme: scheme });
          const file = path.join(folder, `${name}-${scheme}-${width}.png`);
          await page.screenshot({ path: file, fullPage: true, animations: 'disabled' });
          console.log(path.relative(root, file));
        }
      }
      await page.close();
    }
  } finally {
    await browser.close();
    await server.close();
  }
}

await main().catch(reportFailure);
