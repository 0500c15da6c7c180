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

/** @param {Page} page */
const settled = async (page) => {
  await page.getByRole('list', { name: 'Lanes', exact: true }).waitFor();
};

/**
 * @param {Page} page
 * @param {{ lanes?: number }} [options]
 */
async function run(page, { lanes } = {}) {
  await page.getByRole('textbox', { name: /^problem/i }).fill(problem);
  await page.getByRole('textbox', { name: /correct answer/i }).fill('39');
  if (lanes !== undefined)
    await page.getByRole('textbox', { name: 'Solutions (N)', exact: true }).fill(String(lanes));
  await page.getByRole('button', { name: /^run/i }).click();
  await page.getByRole('button', { name: /^cancel/i }).waitFor();
  await page.getByRole('button', { name: /^run/i }).waitFor({ timeout: runTimeout });
}

/**
 * How a state is reached from the page as it opens. Whole pages are taken, but for states that lie over the page.
 * @type {Readonly<Record<string, { readonly reach: (page: Page) => Promise<void>, readonly hash?: string, readonly over?: true }>>}
 */
const states = {
  'first-paint': { reach: settled },
  'finished-run': { reach: run },
  inspector: {
    reach: async (page) => {
      await settled(page);
      await page.locator('[data-lane="1"][data-step="1"]').click();
    },
    over: true,
  },
  tour: {
    reach: async (page) => {
      await page.locator('.ring').waitFor();
      // The page scrolls to what is lit.
      await page.waitForTimeout(1_500);
    },
    hash: '#tour=2',
    over: true,
  },
  presenter: {
    reach: async (page) => {
      await page.getByRole('dialog', { name: 'Presenter mode' }).waitFor();
      await page.keyboard.press('End');
    },
    hash: '#present',
    over: true,
  },
  'lanes-64': { reach: (page) => run(page, { lanes: 64 }) },
  'open-data': {
    reach: async (page) => {
      await settled(page);
      await page.getByRole('button', { name: 'Open data' }).click();
      await page.getByRole('button', { name: 'Put an example in' }).click();
    },
    over: true,
  },
};

async function main() {
  const wanted = process.argv.slice(2);
  await ensureBuilt();
  await mkdir(folder, { recursive: true });
  const server = await startServer({ root: path.join(root, 'dist') });
  const browser = await launchBrowser('wasm');
  try {
    for (const [name, { reach, hash = '', over = false }] of Object.entries(states)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      for (const [width, height] of Object.entries(widths)) {
        // What is lit or opened is placed for one width.
        const page = await browser.newPage({ viewport: { width: Number(width), height } });
        await page.goto(`${server.url}${hash}`);
        await reach(page);
        for (const scheme of schemes) {
          await page.emulateMedia({ colorScheme: scheme });
          const file = path.join(folder, `${name}-${scheme}-${width}.png`);
          await page.screenshot({ path: file, fullPage: !over, animations: 'disabled' });
          console.log(path.relative(root, file));
        }
        await page.close();
      }
    }
  } finally {
    await browser.close();
    await server.close();
  }
}

await main().catch(reportFailure);
