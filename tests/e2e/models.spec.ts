import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from './fixtures.ts';
import { PlaygroundPage, TYPED } from './playground.ts';

// Requests of a service worker would pass by the routes below.
test.use({ serviceWorkers: 'block' });

let folder: string;

test.beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'steplight-models-'));
  // A site may have further models; a person need not bring all of them.
  await cp('dist/static-models/pocket', path.join(folder, 'static-models/pocket'), { recursive: true });
});

test.afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** Files of other models that are the same as one of the pocket model's: what is brought is kept for both. */
async function sharedFiles(): Promise<number> {
  const { models } = JSON.parse(await readFile('dist/static-models/manifest.json', 'utf8')) as {
    readonly models: readonly {
      readonly id: string;
      readonly files: readonly { readonly sha256: string }[];
    }[];
  };
  const pocket = new Set(models.find(({ id }) => id === 'pocket')?.files.map(({ sha256 }) => sha256));
  return models
    .filter(({ id }) => id !== 'pocket')
    .flatMap(({ files }) => files)
    .filter(({ sha256 }) => pocket.has(sha256)).length;
}

test('models from a folder are checked and stored; a run fetches none', async ({
  page,
  expectAccessible,
}) => {
  const asked: string[] = [];
  await page.route('**/static-models/pocket/**', async (route) => {
    asked.push(route.request().url());
    await route.abort();
  });
  const tokenizer = path.join(folder, 'static-models/pocket/tokenizer.json');
  const right = await readFile(tokenizer);
  await writeFile(tokenizer, right.subarray(0, 1000));
  await rm(path.join(folder, 'static-models/pocket/config.json'));

  const playground = new PlaygroundPage(page);
  await playground.open();
  await page.getByRole('button', { name: 'Models and storage' }).click();
  const dialog = page.getByRole('dialog', { name: 'Models and storage' });
  const model = dialog.getByRole('row', { name: /Pocket/ });
  await expect(model).toContainText('not stored');
  await dialog.getByLabel('Load models from a folder').setInputFiles(path.join(folder, 'static-models'));
  // The last one: what came of the choice of models is told above it.
  const said = dialog.getByRole('status').last();
  await expect(said).toContainText(`${4 + (await sharedFiles())} files checked and stored`);
  await expect(said).toContainText(/pocket\/tokenizer\.json has 1,000 bytes and should have [\d,]+/);
  await expect(said).toContainText('Still missing: pocket/config.json, pocket/tokenizer.json');
  await expect(model).toContainText('4 of 6 files');
  await expectAccessible(page);

  // One by one, and whatever they are called.
  const renamed = path.join(folder, 'renamed.bin');
  await writeFile(renamed, right);
  await dialog
    .getByLabel('Load from files')
    .setInputFiles([renamed, 'dist/static-models/pocket/config.json', 'package.json']);
  await expect(said).toContainText('2 files checked and stored');
  await expect(said).toContainText('All files of the models are here');
  await expect(model).toContainText(/stored\s*[\d.]+ MB/);
  await dialog.getByRole('button', { name: 'Close' }).click();
  // Nothing is left to fetch.
  await expect(playground.runButton).not.toContainText('loads');

  await playground.type(TYPED, { n: 2, answer: '30' });
  expect((await playground.run()).status).toEqual({ kind: 'complete' });
  expect(asked).toEqual([]);

  await page.getByRole('button', { name: 'Models and storage' }).click();
  await model.getByRole('button', { name: /^Delete/ }).click();
  await expect(model).toContainText('not stored');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.reload();
  await expect(playground.runButton).toContainText(/loads [\d.]+ MB once/);
});
