import { expect, test } from './fixtures.ts';
import { PlaygroundPage, TYPED } from './playground.ts';

type WithDevice = typeof globalThis & { device?: { destroy(): void } };

test('a GPU that is lost in the middle of a run keeps what was written, and the run goes on on the processor', async ({
  page,
}) => {
  const playground = new PlaygroundPage(page);
  await playground.open();
  await playground.type(TYPED, { n: 2, seed: 5 });
  const starting = page.waitForEvent('worker');
  await playground.runButton.click();
  const worker = await starting;
  // The runtime asks for its device once the files are there; whoever asks is watched.
  await worker.evaluate(() => {
    const { prototype } = Reflect.get(globalThis, 'GPUAdapter') as {
      prototype: { requestDevice(...options: unknown[]): Promise<{ destroy(): void }> };
    };
    // eslint-disable-next-line @typescript-eslint/unbound-method -- It is called on whatever it is called on.
    const request = prototype.requestDevice;
    prototype.requestDevice = async function (...options) {
      const device = await request.apply(this, options);
      (globalThis as WithDevice).device = device;
      return device;
    };
  });
  await expect.poll(() => playground.countOf('step'), { timeout: 600_000 }).toBeGreaterThan(0);
  await worker.evaluate(() => (globalThis as WithDevice).device?.destroy());
  await expect(playground.fault).toContainText('The GPU was lost');
  const run = await playground.lastRun();
  expect(run.status.kind).toBe('failed');
  const before = run.solutions.map(({ steps }) => steps.map(({ text }) => text));
  expect(before.flat().length).toBeGreaterThan(0);

  await page.getByRole('button', { name: /^Continue/ }).click();
  await expect(page.getByText(/ on WASM/)).toBeVisible({ timeout: 120_000 });
  await expect.poll(() => playground.countOf('finished'), { timeout: 120_000 }).toBe(2);
  const after = await playground.lastRun();
  expect(after.status).toEqual({ kind: 'complete' });
  for (const [lane, lines] of before.entries())
    expect(after.solutions[lane]!.steps.slice(0, lines.length).map(({ text }) => text)).toEqual(lines);
  for (const { end, steps } of after.solutions) {
    expect(end).not.toBeNull();
    for (const { reward } of steps) expect(reward).not.toBeNull();
  }
});
