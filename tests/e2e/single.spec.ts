import { stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { buildSingle, singleFile } from '../../tools/build-single.mjs';
import { expect, test } from './fixtures.ts';
import { PlaygroundPage, TYPED } from './playground.ts';

test.beforeAll(async () => {
  const newer = await stat(singleFile).catch(() => null);
  // The build of the site is newer than the file, or there is no file: make it anew.
  const site = await stat('dist/index.html');
  if (newer === null || newer.mtimeMs < site.mtimeMs) await buildSingle();
});

test('one HTML file, opened from a disk without a network, solves a typed problem', async ({
  page,
  context,
}, { project }) => {
  await context.setOffline(true);
  const requests: string[] = [];
  page.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url())) requests.push(request.url());
  });
  const playground = new PlaygroundPage(page);
  const address = pathToFileURL(singleFile).href;
  await playground.open(address);
  // The first paint is a recorded run, as on the site.
  await expect(page.getByText('Recorded', { exact: true })).toBeVisible();
  await expect(playground.lanes).toHaveCount(16);
  const lanes = project.name === 'webgpu' ? 1 : 4;
  await playground.type(TYPED, { n: lanes, seed: 3, answer: '30' });
  const run = await playground.run();
  expect(run.status).toEqual({ kind: 'complete' });
  expect(run.backend).toBe(project.name);
  expect(run.solutions).toHaveLength(lanes);
  expect(run.solutions.flatMap(({ steps }) => steps).every(({ reward }) => reward !== null)).toBe(true);
  await expect(playground.fault).toHaveCount(0);
  expect(requests.filter((url) => url !== address && !url.startsWith(`${address}#`))).toEqual([]);
});
