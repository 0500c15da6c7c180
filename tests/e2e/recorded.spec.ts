import { readFile } from 'node:fs/promises';
import { readRecordedIndex } from '../../src/formats/recorded-index.ts';
import { expect, test } from './fixtures.ts';
import { METHODS, PlaygroundPage } from './playground.ts';

test('the first paint is a finished recorded run, before any byte of a model', async ({
  page,
  expectAccessible,
}) => {
  const models: string[] = [];
  page.on('request', (request) => {
    if (/\.onnx|ort-wasm/.test(request.url())) models.push(request.url());
  });
  const playground = new PlaygroundPage(page);
  await playground.open();
  await expect(page.getByText('Recorded', { exact: true })).toBeVisible();
  await expect(playground.lanes).toHaveCount(16);
  for (const method of METHODS) await expect(playground.pick(method)).toBeVisible();
  await expectAccessible(page);
  expect(models).toEqual([]);
});

test('every example has a recorded run that opens', async ({ page }) => {
  const index = readRecordedIndex(await readFile('public/recorded/index.json', 'utf8'));
  if (!index.ok) throw new Error(index.message);
  expect(index.value.runs.length).toBeGreaterThanOrEqual(12);
  const playground = new PlaygroundPage(page);
  await playground.open();
  for (const { file } of index.value.runs) {
    const response = await page.request.get(`recorded/${file}`);
    expect(response.status(), file).toBe(200);
  }
});

test('the chart of accuracy is one slider, and its numbers are a table', async ({ page }) => {
  const playground = new PlaygroundPage(page);
  await playground.open();
  const chart = page.getByRole('slider', { name: 'Accuracy against N' });
  await page.getByRole('heading', { name: 'Accuracy against N' }).scrollIntoViewIfNeeded();
  await expect(chart).toHaveAttribute('aria-valuetext', /^N = 64: PRM \d+\.\d%, ORM/);
  await chart.focus();
  await page.keyboard.press('Home');
  await expect(chart).toHaveAttribute('aria-valuetext', /^N = 1: /);
  await page.keyboard.press('PageUp');
  await expect(chart).toHaveAttribute('aria-valuetext', /^N = 2: /);
  await page.getByText('The numbers as a table').first().click();
  await expect(page.getByRole('row', { name: /^64 / })).toBeVisible();
});
