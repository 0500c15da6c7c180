import { expect, test } from './fixtures.ts';
import { PlaygroundPage, TYPED, forgive } from './playground.ts';

for (const way of ['button', 'Escape'] as const) {
  test(`cancelling by ${way} keeps what was written, and the next run starts`, async ({ page }, {
    project,
  }) => {
    // A GPU that is computed by the CPU needs seconds for one pass of 64 lanes.
    const lanes = project.name === 'webgpu' ? 8 : 64;
    const playground = new PlaygroundPage(page);
    await playground.open();
    // The models are loaded by a small run, so that the long one is cancelled while it writes.
    await playground.type(TYPED, { n: 1 });
    await playground.run();
    await playground.type(TYPED, { n: lanes, seed: 9 });
    await playground.runButton.click();
    await expect.poll(() => playground.countOf('started'), { intervals: [20] }).toBe(2);
    await expect
      .poll(async () => (await playground.lastRun()).solutions.some(({ steps }) => steps.length > 0), {
        intervals: [20],
        timeout: 100_000,
      })
      .toBe(true);
    const before = await playground.lastRun();
    if (way === 'button') await playground.cancelButton.click();
    else await page.keyboard.press('Escape');
    await playground.finished(1);

    const run = await playground.lastRun();
    expect(run.status.kind).toBe('cancelled');
    expect(run.solutions).toHaveLength(lanes);
    let cut = 0;
    for (const [lane, { steps, partial, end, answer }] of run.solutions.entries()) {
      const earlier = before.solutions[lane]!;
      const written = [...steps.map(({ text }) => text), partial].join('\n');
      const wasWritten = [...earlier.steps.map(({ text }) => text), earlier.partial].join('\n');
      expect(written.startsWith(wasWritten), `lane ${lane} keeps its text`).toBe(true);
      expect(end, `lane ${lane} has ended`).not.toBeNull();
      if (end?.kind === 'cancelled') {
        cut++;
        expect(answer).toBeNull();
      }
      await expect(playground.stepsOf(lane)).toHaveCount(steps.length);
    }
    expect(cut, 'lanes that were cut').toBeGreaterThan(0);
    await expect(page.getByText('Cancelled', { exact: true })).toBeVisible();
    await expect(playground.fault).toHaveCount(0);
    await expect(playground.problem).toHaveValue(TYPED);

    await playground.type(TYPED, { n: 2 });
    expect((await playground.run()).status.kind).toBe('complete');
  });
}

test('cancelling while the models load leaves the page usable', async ({ page, watch }) => {
  const playground = new PlaygroundPage(page);
  let asked = 0;
  await page.route('**/*.onnx', () => {
    // Never answered: the download hangs.
    asked++;
  });
  await playground.open();
  await playground.type(TYPED, { n: 2, seed: 3 });
  await playground.runButton.click();
  await expect(page.getByRole('progressbar')).toBeVisible();
  await expect.poll(() => asked).toBe(1);
  await playground.cancelButton.click();
  await expect(playground.runButton).toBeVisible();
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await expect(playground.fault).toHaveCount(0);
  expect(await playground.countOf('started')).toBe(0);
  await expect(playground.problem).toHaveValue(TYPED);

  await page.unroute('**/*.onnx');
  expect((await playground.run()).status.kind).toBe('complete');
  forgive(watch, /\.onnx/);
});
