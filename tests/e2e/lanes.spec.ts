import { expect, test } from './fixtures.ts';
import { PlaygroundPage, TYPED, writingOf } from './playground.ts';

test('lanes are the same at N=4 and at N=16', async ({ page }) => {
  const playground = new PlaygroundPage(page);
  await playground.open();
  await playground.type(TYPED, { n: 4, seed: 5 });
  const few = await playground.run();
  await playground.type(TYPED, { n: 16, seed: 5 });
  const many = await playground.run();
  expect(many.solutions).toHaveLength(16);
  for (const [lane, solution] of few.solutions.entries()) {
    const same = many.solutions[lane]!;
    expect(writingOf(same), `lane ${lane}`).toEqual(writingOf(solution));
    for (const [index, { reward }] of solution.steps.entries()) {
      expect(Math.abs((same.steps[index]?.reward ?? NaN) - (reward ?? NaN))).toBeLessThan(1e-3);
    }
  }
  // Lanes are different samples, not one sample many times.
  expect(new Set(many.solutions.map((solution) => JSON.stringify(writingOf(solution)))).size).toBeGreaterThan(
    1,
  );
});

test('greedy lanes are all alike', async ({ page }) => {
  const playground = new PlaygroundPage(page);
  await playground.open();
  await playground.type(TYPED, { n: 3 });
  await playground.field('Temperature').fill('0');
  const { solutions } = await playground.run();
  expect(writingOf(solutions[1]!)).toEqual(writingOf(solutions[0]!));
  expect(writingOf(solutions[2]!)).toEqual(writingOf(solutions[0]!));
});

test('a second start while one is under way changes nothing', async ({ page }) => {
  const playground = new PlaygroundPage(page);
  await playground.open();
  await playground.type(TYPED, { n: 8, seed: 2 });
  await playground.problem.focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press('Control+Enter');
  await playground.finished(0);
  expect(await playground.countOf('started')).toBe(1);
  expect(await playground.countOf('ended')).toBe(8);
  await expect(playground.fault).toHaveCount(0);
});
