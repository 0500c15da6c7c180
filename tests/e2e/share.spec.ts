import { readFile } from 'node:fs/promises';
import type { Download, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { PlaygroundPage, TYPED } from './playground.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Share' });

async function share(page: Page) {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect(dialog(page)).toBeVisible();
  return dialog(page);
}

async function saved(page: Page, click: () => Promise<void>): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all<[Promise<Download>, Promise<void>]>([
    page.waitForEvent('download'),
    click(),
  ]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

test('a run goes round: link, files, and the runs that are kept', async ({
  page,
  context,
  expectAccessible,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const playground = new PlaygroundPage(page);
  await playground.open();
  await playground.type(TYPED, { n: 3, seed: 5, answer: '30' });
  const run = await playground.run();
  const texts = run.solutions.flatMap(({ steps }) => steps.map(({ text }) => text));

  // The link holds the whole run; one click copies it, and its length is told.
  const open = await share(page);
  await expectAccessible(page);
  await expect(open.getByRole('radio', { name: /This run/ })).toBeChecked();
  await expect(open.getByText(/^[\d,]+ characters$/)).toBeVisible();
  await open.getByRole('button', { name: 'Copy the Link' }).click();
  await expect(open.getByText('Copied.')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain('#run=');
  await open.getByRole('radio', { name: /problem, settings and seed/ }).check();
  const problemLink = await open.getByRole('textbox', { name: 'Link', exact: true }).inputValue();
  expect(problemLink).toContain('&n=3&seed=5');

  // Files, without a server.
  const file = await saved(page, () => open.getByRole('button', { name: 'Save file' }).click());
  expect(file.name).toMatch(/\.steplight\.json$/);
  expect(JSON.parse(file.content.toString())).toMatchObject({ format: 'steplight-run', version: 2 });
  await open.getByRole('combobox', { name: 'Format' }).selectOption('csv');
  const table = await saved(page, () => open.getByRole('button', { name: 'Save file' }).click());
  expect(table.content.toString().trim().split('\r\n').length).toBeGreaterThanOrEqual(4);
  const picture = await saved(page, () =>
    open.getByRole('button', { name: 'Save the picks as PNG' }).click(),
  );
  expect(picture.content.subarray(1, 4).toString()).toBe('PNG');
  expect(picture.content.length).toBeGreaterThan(10_000);
  await open.getByRole('button', { name: 'Close' }).click();

  // The link opens as the same run in a page that has never seen it, without a model.
  const other = await context.newPage();
  const models: string[] = [];
  other.on('request', (request) => {
    if (/\.onnx|ort-wasm/.test(request.url())) models.push(request.url());
  });
  await other.goto(link);
  await expect(other.getByText('Opened', { exact: true })).toBeVisible();
  await expect(other.getByRole('textbox', { name: 'Problem', exact: true })).toHaveValue(TYPED);
  const shown = await other
    .locator('[data-lane][data-step]')
    .evaluateAll((steps) => steps.map((step) => step.getAttribute('aria-label') ?? ''));
  expect(shown).toHaveLength(texts.length);

  // The problem's link fills the form and starts nothing.
  await other.goto('about:blank');
  await other.goto(problemLink);
  await expect(other.getByRole('textbox', { name: 'Problem', exact: true })).toHaveValue(TYPED);
  await expect(other.getByRole('textbox', { name: 'Seed', exact: true })).toHaveValue('5');
  expect(models).toEqual([]);

  // The finished run is among those that are kept, can be found, opened and deleted.
  await other.getByRole('button', { name: 'Your runs' }).click();
  const kept = other.getByRole('dialog', { name: 'Your runs' });
  await kept.getByRole('searchbox').fill('marbles nora');
  await expect(kept.getByText(/kept in this browser/)).toBeVisible();
  await kept.getByRole('button', { name: new RegExp(`^${TYPED.slice(0, 20)}`) }).click();
  await expect(other.getByText('Opened', { exact: true })).toBeVisible();
  await other.getByRole('button', { name: 'Your runs' }).click();
  await other.getByRole('button', { name: /^Delete the run: Nora/ }).click();
  await expect(kept.getByText('None yet.', { exact: false })).toBeVisible();
});

for (const [name, hash, message] of [
  ['script', '#run=%3Cscript%3Ealert(1)%3C/script%3E', /The run in this link is damaged/],
  ['too many lanes', '#problem=1%2B1&n=1000', /N must be a whole number from 1 to 64/],
  ['too long', `#run=${'A'.repeat(50_000)}`, /at most 44,000 are read/],
  ['unknown recorded run', '#recorded=nothing-of-this-name', /no such recorded run/],
] as const) {
  test(`a hostile link gives a message: ${name}`, async ({ page }) => {
    await page.goto(`./${hash}`);
    await expect(page.getByRole('alert')).toContainText(message);
    await expect(page.getByRole('button', { name: /^Run\b/ })).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Problem', exact: true })).toBeEditable();
  });
}

test('where storage is denied, runs live in memory and the page says so', async ({ page }) => {
  await page.addInitScript(() => {
    const denied = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    Object.defineProperty(window, 'indexedDB', { get: denied });
    Object.defineProperty(window, 'localStorage', { get: denied });
    Object.defineProperty(window, 'caches', { get: denied });
  });
  const playground = new PlaygroundPage(page);
  await playground.open();
  await playground.type(TYPED, { n: 1 });
  await playground.run();
  await page.getByRole('button', { name: 'Your runs' }).click();
  const kept = page.getByRole('dialog', { name: 'Your runs' });
  await expect(kept.getByText(/does not let the page store anything/)).toBeVisible();
  await expect(kept.getByRole('button', { name: /^Delete the run: Nora/ })).toBeVisible();
});
