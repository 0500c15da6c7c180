import type { Page } from '@playwright/test';
import { expect, test } from './hub/hub-test.ts';
import { PlaygroundPage, TYPED } from './playground.ts';

const GENERATOR = 'steplight-test/tiny-qwen2-generator';
const PRM = 'steplight-test/tiny-llama-prm';
const ORM = 'steplight-test/tiny-qwen3-orm';
/** What WASM loads of the generator. */
const WEIGHTS = 'onnx/model_q4.onnx';

/** The dialog about models, as a person uses it. */
class ModelsDialog {
  readonly dialog;
  readonly fault;
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
    this.dialog = page.getByRole('dialog', { name: 'Models and storage' });
    this.fault = this.dialog.getByRole('alert');
  }

  async open(): Promise<void> {
    await this.page.getByRole('button', { name: 'Change models' }).click();
    await expect(this.dialog).toBeVisible();
  }

  async close(): Promise<void> {
    await this.dialog.getByRole('button', { name: 'Close' }).click();
  }

  async lookUp(id: string, revision = 'main'): Promise<void> {
    await this.dialog.getByRole('combobox', { name: 'Model', exact: true }).selectOption('Another one …');
    await this.dialog.getByLabel('Id on the hub').fill(id);
    await this.dialog.getByLabel('Revision').fill(revision);
    await this.dialog.getByRole('button', { name: 'Look up' }).click();
  }

  async add(id: string): Promise<void> {
    await this.lookUp(id);
    await this.dialog.getByRole('button', { name: 'Add and use' }).click();
    await expect(this.dialog.getByRole('rowheader', { name: id.split('/')[1]!, exact: true })).toBeVisible();
  }
}

test('a typed problem runs on a generator, a PRM and an ORM of a hub, live scored, and later without a network', async ({
  page,
  hub,
  expectAccessible,
}) => {
  const playground = new PlaygroundPage(page);
  await playground.open();
  expect(hub.requests).toEqual([]);
  const models = new ModelsDialog(page);
  await models.open();
  await models.lookUp(GENERATOR);
  await expect(models.dialog).toContainText(/commit c0ffee000000 · licence mit · Qwen2ForCausalLM/);
  await expect(models.dialog).toContainText(/On WASM it loads q4 weights, \d+ kB/);
  await expectAccessible(page);
  for (const id of [GENERATOR, PRM, ORM]) await models.add(id);
  await expect(models.dialog.getByLabel(/^Generator/)).toHaveValue(/tiny-qwen2-generator/);
  await expect(models.dialog.getByLabel(/^PRM/)).toHaveValue(/tiny-llama-prm/);
  await expect(models.dialog.getByLabel(/^ORM/)).toHaveValue(/tiny-qwen3-orm/);
  await expect(models.dialog).toContainText(/The next run fetches \d+(\.\d)? (kB|MB) once/);
  await expect(models.dialog).toContainText('compare solutions of one problem');
  await expectAccessible(page);
  await models.close();

  await playground.type(TYPED, { n: 4, seed: 3 });
  await playground.setAdvanced('Max tokens', 120);
  await playground.runButton.click();
  await expect(
    page.getByText(/tiny-qwen2-generator; PRM: tiny-llama-prm; ORM: tiny-qwen3-orm/),
  ).toBeVisible();
  await expect.poll(() => playground.countOf('finished'), { timeout: 120_000 }).toBe(1);
  const events = await playground.events();
  const run = await playground.lastRun();
  expect(run.status).toEqual({ kind: 'complete' });
  expect(run.models).toMatchObject({
    generator: { id: GENERATOR, revision: 'c0ffee000000', dtype: 'q4' },
    prm: { id: PRM },
    orm: { id: ORM, comparable: 'within-problem' },
  });
  const steps = run.solutions.flatMap((solution) => solution.steps);
  expect(steps.length).toBeGreaterThan(3);
  for (const { reward } of steps) expect(reward).not.toBeNull();
  for (const { answer, outcomeReward } of run.solutions) expect(outcomeReward === null).toBe(answer === null);
  // Live: the first step is judged before any lane has ended.
  expect(events.findIndex(({ type }) => type === 'reward')).toBeLessThan(
    events.findIndex(({ type }) => type === 'ended'),
  );
  await expectAccessible(page);

  // The next visit has everything here.
  hub.takeRequests();
  await hub.close();
  await page.reload();
  await expect(playground.runButton).not.toContainText('loads');
  await playground.type(TYPED, { n: 2, seed: 3 });
  await playground.setAdvanced('Max tokens', 120);
  await playground.runButton.click();
  await expect.poll(() => playground.countOf('finished'), { timeout: 120_000 }).toBe(1);
  const again = await playground.lastRun();
  expect(again.solutions.map((each) => each.steps.map(({ text }) => text))).toEqual(
    run.solutions.slice(0, 2).map((each) => each.steps.map(({ text }) => text)),
  );
  expect(hub.takeRequests()).toEqual([]);

  // Other models: those in use are given back with their worker.
  expect(page.workers()).toHaveLength(1);
  await models.open();
  await models.dialog.getByLabel(/^Generator/).selectOption({ index: 0 });
  await expect.poll(() => page.workers().length).toBe(0);
});

test('a hub that refuses is told with what to do', async ({ page, hub, watch }) => {
  const playground = new PlaygroundPage(page);
  await playground.open();
  const models = new ModelsDialog(page);
  await models.open();
  await models.lookUp('not an id');
  await expect(models.fault).toContainText('owner/name');
  await models.lookUp('nobody/nothing');
  await expect(models.fault).toContainText('The hub has no public model nobody/nothing');
  await models.lookUp(GENERATOR, 'other');
  await expect(models.fault).toContainText('has no such revision');
  hub.gated = GENERATOR;
  await models.lookUp(GENERATOR);
  await expect(models.fault).toContainText('is gated');
  hub.gated = null;
  await models.add(GENERATOR);
  await models.close();

  await playground.type(TYPED, { n: 2 });
  hub.troubles = [{ kind: 'gone', path: WEIGHTS }];
  await playground.runButton.click();
  await expect(playground.fault).toContainText('model_q4.onnx is no longer on the hub');
  hub.troubles = [{ kind: 'wrong-content', path: WEIGHTS }];
  await playground.runButton.click();
  await expect(playground.fault).toContainText('does not match the digest that the hub states');
  hub.troubles = [];
  await hub.close();
  await playground.runButton.click();
  await expect(playground.fault).toContainText(/model_q4.onnx could not be fetched\. Check the connection/);
  expect((await playground.events()).length).toBe(0);
  // The browser says on the console what each answer was.
  expect(watch.errors.splice(0).every((error) => /Failed to load resource/.test(error))).toBe(true);
});

test('a download that breaks or is cancelled goes on where it was', async ({ page, hub, watch }) => {
  const playground = new PlaygroundPage(page);
  await playground.open();
  const models = new ModelsDialog(page);
  await models.open();
  await models.add(GENERATOR);
  await models.close();
  await playground.type(TYPED, { n: 2, seed: 1 });
  await playground.setAdvanced('Max tokens', 40);

  // Cancelled while it is slow: what came is kept.
  hub.troubles = [{ kind: 'slow', path: WEIGHTS, ms: 400 }];
  await playground.runButton.click();
  const progress = page.getByRole('progressbar');
  await expect
    .poll(async () => Number((await progress.getAttribute('value').catch(() => '0')) ?? 0), {
      timeout: 60_000,
    })
    .toBeGreaterThan(140_000);
  await playground.cancelButton.click();
  await expect(playground.runButton).toBeVisible();
  hub.takeRequests();

  // Cut once: taken up by itself.
  hub.troubles = [{ kind: 'cut', path: WEIGHTS, after: 16_384 }];
  await playground.runButton.click();
  await expect.poll(() => playground.countOf('finished'), { timeout: 120_000 }).toBe(1);
  const asked = hub.takeRequests().filter((each) => each.includes('bytes='));
  expect(asked.length).toBeGreaterThanOrEqual(2);
  for (const each of asked)
    expect(each).toMatch(
      /^cas-bridge\.xethub\.hf\.co\/[0-9a-f]{64} bytes=\d+-$|^huggingface\.co.*bytes=\d+-$/,
    );
  expect((await playground.lastRun()).status).toEqual({ kind: 'complete' });
  expect(watch.errors.splice(0).every((error) => /Failed to load resource|ERR_/.test(error))).toBe(true);
});

test('a model is picked as a folder, kept in this browser, and judges what the bundled one writes', async ({
  page,
  hub,
}) => {
  const playground = new PlaygroundPage(page);
  await playground.open();
  const models = new ModelsDialog(page);
  await models.open();
  const folder = models.dialog.getByLabel('Pick a folder');
  await folder.setInputFiles('tests/fixtures/formats');
  await expect(models.fault).toContainText(
    'This is no model’s folder: it lacks config.json and tokenizer.json',
  );
  await folder.setInputFiles('tests/fixtures/hub/steplight-test/tiny-qwen2-value-prm');
  await expect(models.dialog).toContainText('tiny-qwen2-value-prm');
  await models.dialog.getByRole('button', { name: 'Add and use' }).click();
  const row = models.dialog.getByRole('row', { name: /tiny-qwen2-value-prm/ });
  await expect(row).toContainText('stored');
  await expect(models.dialog.getByLabel(/^PRM/)).toHaveValue(/tiny-qwen2-value-prm/);
  await models.close();
  await playground.type(TYPED, { n: 2, seed: 2 });
  await playground.runButton.click();
  await expect.poll(() => playground.countOf('finished'), { timeout: 120_000 }).toBe(1);
  const run = await playground.lastRun();
  expect(run.models).toMatchObject({ generator: { id: 'pocket' }, prm: { id: 'tiny-qwen2-value-prm' } });
  expect(run.models.orm).toMatchObject({ id: 'pocket' });
  for (const { reward } of run.solutions.flatMap(({ steps }) => steps)) expect(reward).not.toBeNull();
  expect(run.solutions.some(({ outcomeReward }) => outcomeReward !== null)).toBe(true);
  expect(hub.requests).toEqual([]);

  // Removed with its files: the role goes back to the bundled model.
  await models.open();
  await models.dialog.getByRole('button', { name: 'Remove: tiny-qwen2-value-prm' }).click();
  await expect(row).toHaveCount(0);
  await expect(models.dialog.getByLabel(/^PRM/)).toHaveValue(/pocket/);
  await expect(models.dialog).toContainText('tiny-qwen2-value-prm was removed with its files');
});
