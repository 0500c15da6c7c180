import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { startServer } from '../../tools/server.mjs';
import { expect, test } from './fixtures.ts';
import { forgive, PlaygroundPage, TYPED } from './playground.ts';

/** Of a kind that the pocket models never met. */
const FREE_TEXT =
  'A restaurant waiter earned 30 dollars in tips on Friday and twice that amount on Saturday. How much did he earn altogether?';

interface Manifest {
  readonly models: {
    readonly id: string;
    readonly variants: readonly { readonly dtype: string }[];
    readonly files: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
  }[];
}

const MODELS = path.resolve('dist/static-models');

/** A second model: the first under another name, with a notice and attribution of its own. */
function secondOf([pocket]: Manifest['models']): object {
  if (pocket === undefined) throw new Error('The site has no models.');
  const second = {
    ...pocket,
    id: 'standard',
    title: 'Standard: the same model under another name',
    range: 'Problems as people write them.',
    licence: 'Apache-2.0',
    attribution: [
      { title: 'A trunk', url: 'https://example.test/trunk', licence: 'Apache-2.0', text: 'By somebody.' },
    ],
    // One set of weights for every device, as the larger model has.
    variants: pocket.variants.filter(({ dtype }) => dtype === 'q8'),
    files: [
      ...pocket.files.filter(({ path }) => !path.endsWith('_q4.onnx')),
      // Nothing fetches it: it is not even there.
      { path: 'pocket/NOTICE', bytes: 100, sha256: '0'.repeat(64) },
    ],
  };
  return JSON.parse(JSON.stringify(second).replaceAll('"pocket/', '"standard/')) as object;
}

/** The model list with two models: those that were built, or else the first twice. */
async function listOfTwo(): Promise<{ readonly isReal: boolean; readonly manifest: object }> {
  const manifest = JSON.parse(await readFile(path.join(MODELS, 'manifest.json'), 'utf8')) as Manifest;
  const isReal = manifest.models.some(({ id }) => id === 'standard');
  return {
    isReal,
    manifest: isReal ? manifest : { ...manifest, models: [...manifest.models, secondOf(manifest.models)] },
  };
}

/** The built site with two models in it. Paths below static-models/ that are asked for are noted. */
async function serveTwo(context: BrowserContext): Promise<string[]> {
  const asked: string[] = [];
  const { isReal, manifest } = await listOfTwo();
  await context.route('**/static-models/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    const name = pathname.slice(pathname.indexOf('/static-models/') + '/static-models/'.length);
    asked.push(name);
    if (isReal) return route.continue();
    if (name === 'manifest.json') return route.fulfill({ json: manifest });
    return route.fulfill({
      body: await readFile(path.join(MODELS, name.replace(/^standard\//, 'pocket/'))),
      contentType: 'application/octet-stream',
    });
  });
  return asked;
}

/** The same as a folder. */
async function copyOfTwo(folder: string): Promise<void> {
  // What is compressed is of the list as it was.
  await cp('dist', folder, { recursive: true, filter: (source) => !/\.(?:br|gz)$/.test(source) });
  const { isReal, manifest } = await listOfTwo();
  if (isReal) return;
  await cp(path.join(MODELS, 'pocket'), path.join(folder, 'static-models/standard'), { recursive: true });
  await writeFile(path.join(folder, 'static-models/manifest.json'), JSON.stringify(manifest));
}

test.describe('two tiers', () => {
  // Requests of a service worker would pass by the routes.
  test.use({ serviceWorkers: 'block' });

  let asked: string[];
  const standardFiles = (): string[] => asked.filter((name) => name.startsWith('standard/'));

  test.beforeEach(async ({ context }) => {
    asked = await serveTwo(context);
  });

  test('the larger tier is chosen by its size, loaded once, and used at the next visit until it is deleted', async ({
    page,
    expectAccessible,
  }) => {
    const playground = new PlaygroundPage(page);
    await playground.open();
    const pocket = page.getByRole('radio', { name: /^Pocket/ });
    const standard = page.getByRole('radio', { name: /^Standard \([\d.]+ MB\)/ });
    await expect(pocket).toBeChecked();
    // The first paint is the recorded run, as ever.
    await expect(page.getByText('Recorded', { exact: true })).toBeVisible();
    await expect(standard).toHaveAccessibleDescription(/\w{4}.*\./);

    await pocket.focus();
    await page.keyboard.press('ArrowDown');
    await expect(standard).toBeChecked();
    await expect(playground.runButton).toContainText(/loads [\d.]+ MB once/);
    await expectAccessible(page);
    expect(standardFiles()).toEqual([]);

    // What was chosen and never loaded is not waiting at the next visit.
    await page.reload();
    await expect(pocket).toBeChecked();
    await standard.check();

    await playground.type(TYPED, { n: 2, seed: 5, answer: '30' });
    await playground.setAdvanced('Max tokens', 48);
    const run = await playground.run();
    expect(run.models).toMatchObject({
      generator: { id: 'standard' },
      prm: { id: 'standard' },
      orm: { id: 'standard' },
    });
    expect(standardFiles().some((name) => /LICENSE|NOTICE/.test(name))).toBe(false);
    await expect(page.locator('.settings')).toContainText(/^Standard · 2 lanes/);
    await expect(page.getByRole('radio', { name: /^Standard in this browser/ })).toBeChecked();
    await expect(playground.runButton).not.toContainText('loads');

    asked.length = 0;
    await page.reload();
    await expect(page.getByRole('radio', { name: /^Standard/ })).toBeChecked();
    await expect(playground.runButton).not.toContainText('loads');
    await playground.type(TYPED, { n: 1, seed: 5 });
    await playground.setAdvanced('Max tokens', 24);
    await playground.run();
    expect(standardFiles()).toEqual([]);

    // Deleted, it is forgotten.
    await page.getByRole('button', { name: 'Models and storage' }).click();
    const dialog = page.getByRole('dialog', { name: 'Models and storage' });
    await dialog.getByRole('button', { name: /^Delete: Standard/ }).click();
    await expect(dialog.getByRole('row', { name: /^Standard/ })).toContainText('not stored');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.reload();
    await expect(pocket).toBeChecked();
  });

  test('loading can be cancelled, and tiers change between runs', async ({ page }) => {
    const playground = new PlaygroundPage(page);
    await playground.open();
    const tier = (name: RegExp) => page.getByRole('radio', { name });
    await playground.type(TYPED, { n: 1, seed: 5 });
    await playground.setAdvanced('Max tokens', 24);
    const first = await playground.run();
    expect(first.models.generator.id).toBe('pocket');
    await expect.poll(() => page.workers().length).toBe(1);

    await tier(/^Standard/).check();
    // The worker of the other models has ended: their memory is given back.
    await expect.poll(() => page.workers().length).toBe(0);
    // What was written stays, and does not go on with other models.
    await expect(playground.lanes).toHaveCount(1);
    await page.getByRole('button', { name: /^Add 1 lane/ }).click();
    await expect(playground.fault).toContainText('“standard” is chosen now', { timeout: 120_000 });
    expect(await playground.countOf('started')).toBe(1);

    await tier(/^Pocket/).check();
    await expect.poll(() => page.workers().length).toBe(0);
    const again = await playground.run();
    expect(again.models.generator.id).toBe('pocket');
    expect(again.solutions).toEqual(first.solutions);

    await tier(/^Standard/).check();
    const last = await playground.run();
    expect(last.models.generator.id).toBe('standard');
    expect(page.workers()).toHaveLength(1);
  });

  test('what is loading can be cancelled', async ({ page, context }) => {
    // Never answered: loading waits.
    await context.route('**/static-models/standard/**', () => new Promise<void>(() => {}));
    const playground = new PlaygroundPage(page);
    await playground.open();
    await page.getByRole('radio', { name: /^Standard/ }).check();
    await page.getByRole('button', { name: 'Load now' }).click();
    await expect(page.getByText(/^0 B of [\d.]+ MB/)).toBeVisible();
    await expect(page.getByRole('radio', { name: /^Pocket/ })).toBeDisabled();
    await playground.cancelButton.click();
    await expect(playground.runButton).toBeVisible();
    await expect(page.getByRole('radio', { name: /^Pocket/ })).toBeEnabled();
    await expect(playground.fault).toHaveCount(0);
  });

  test('a typed problem beyond the pocket models suggests the larger tier, until that is dismissed', async ({
    page,
    expectAccessible,
  }) => {
    const playground = new PlaygroundPage(page);
    await playground.open();
    const hint = page.getByText(/^This looks beyond what the pocket models learned\. Standard \([\d.]+ MB\)/);
    await playground.type(TYPED);
    await page.waitForTimeout(1_500);
    await expect(hint).toHaveCount(0);
    await playground.type(FREE_TEXT);
    await expect(hint).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Use Standard' }).click();
    await expect(page.getByRole('radio', { name: /^Standard/ })).toBeChecked();
    await expect(hint).toHaveCount(0);
    await expect(playground.runButton).toBeFocused();

    await page.getByRole('radio', { name: /^Pocket/ }).check();
    await expect(hint).toBeVisible();
    await page.getByRole('button', { name: 'Dismiss this suggestion' }).click();
    await expect(hint).toHaveCount(0);
    await page.reload();
    await playground.type(FREE_TEXT);
    await page.waitForTimeout(1_500);
    await expect(hint).toHaveCount(0);
    expect(standardFiles()).toEqual([]);
  });

  test('the page names whose work the larger tier is', async ({ page }) => {
    await new PlaygroundPage(page).open();
    const about = page.locator('#about');
    await expect(about).toContainText(
      /Standard \([\d.]+ MB, fetched when you choose it, Apache-2\.0 licence\)/,
    );
  });
});

test('a tier that was loaded works when the server is gone', async ({ page, watch }) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'steplight-tiers-'));
  await copyOfTwo(folder);
  const server = await startServer({ root: folder });
  let running = true;
  try {
    const ready = page.getByText(/^Ready: this page now runs without a network/);
    const standard = page.getByRole('radio', { name: /^Standard/ });
    const playground = new PlaygroundPage(page);
    await playground.open(server.url);
    const type = async (): Promise<void> => {
      await playground.type(TYPED, { n: 1, seed: 5 });
      await playground.setAdvanced('Max tokens', 24);
    };
    await standard.check();
    await type();
    await playground.run();
    // It is not among what is stored beforehand, and stays where it is.
    await page.getByRole('button', { name: /^Make available offline \(\d\d\.\d MB\)/ }).click();
    await expect(ready).toBeVisible({ timeout: 120_000 });
    await expect(page.getByRole('radio', { name: /^Standard in this browser/ })).toBeChecked();
    await server.close();
    running = false;

    await page.reload();
    await expect(ready).toBeVisible();
    await expect(standard).toBeChecked();
    await type();
    const run = await playground.run();
    expect(run.models.generator.id).toBe('standard');
    expect(run.status).toEqual({ kind: 'complete' });
    forgive(watch, /ERR_CONNECTION_REFUSED|Failed to load resource|FetchEvent/);
  } finally {
    if (running) await server.close();
    await rm(folder, { recursive: true });
  }
});

test('with one model there is nothing to choose', async ({ page }) => {
  await page.route('**/static-models/manifest.json', async (route) => {
    const { models, ...rest } = JSON.parse(
      await readFile(path.join(MODELS, 'manifest.json'), 'utf8'),
    ) as Manifest;
    await route.fulfill({ json: { ...rest, models: models.filter(({ id }) => id === 'pocket') } });
  });
  const playground = new PlaygroundPage(page);
  await playground.open();
  await expect(playground.runButton).toContainText('loads');
  await playground.type(FREE_TEXT);
  await page.waitForTimeout(1_500);
  await expect(page.getByRole('radio', { name: /^(?:Pocket|Standard)/ })).toHaveCount(0);
  await expect(page.getByText(/^This looks beyond/)).toHaveCount(0);
});
