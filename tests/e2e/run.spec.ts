import { formatReward } from '../../src/ui/text/numbers.ts';
import { expect, test } from './fixtures.ts';
import { METHODS, PlaygroundPage, TYPED, writingOf } from './playground.ts';

test('a typed problem is solved by eight lanes, judged step by step, and picked from in four ways', async ({
  page,
}, { project }) => {
  const playground = new PlaygroundPage(page);
  await playground.open();
  await playground.type(TYPED, { n: 8, seed: 1, answer: '30' });
  const run = await playground.run();

  expect(run.status.kind).toBe('complete');
  expect(run.backend).toBe(project.name);
  expect(run.problem).toEqual({ text: TYPED, answer: '30' });
  expect(run.solutions).toHaveLength(8);
  await expect(playground.lanes).toHaveCount(8);
  for (const { lane, steps, end, answer, outcomeReward } of run.solutions) {
    expect(end, `lane ${lane} has ended`).not.toBeNull();
    expect(steps.length, `steps of lane ${lane}`).toBeGreaterThan(0);
    for (const [index, step] of steps.entries()) {
      const which = `lane ${lane}, step ${index}`;
      expect(step.reward, which).toBeGreaterThanOrEqual(0);
      expect(step.reward, which).toBeLessThanOrEqual(1);
      expect(step.tokens, which).toBeGreaterThan(0);
      expect(step.logprob, which).toBeLessThanOrEqual(0);
    }
    const shown = await playground.stepNames(lane);
    expect(shown.map((name) => /Reward ([<>]?\d\.\d+)\./.exec(name)?.[1])).toEqual(
      steps.map(({ reward }) => (reward === null ? undefined : formatReward(reward))),
    );
    if (end?.kind !== 'answer') continue;
    expect(answer, `answer of lane ${lane}`).not.toBeNull();
    expect(outcomeReward, `outcome of lane ${lane}`).toBeGreaterThanOrEqual(0);
    expect(outcomeReward, `outcome of lane ${lane}`).toBeLessThanOrEqual(1);
  }

  const answers = run.solutions.flatMap(({ end, answer }) => (end?.kind === 'answer' ? [answer] : []));
  expect(answers.length, 'lanes with an answer').toBeGreaterThan(0);
  for (const method of METHODS) {
    const picked = await playground.pick(method).getByRole('strong').first().innerText();
    expect(answers, method).toContain(picked);
    await expect(playground.pick(method), `${method} gives a number`).toContainText(/\d\.\d\d|\d of \d/);
  }
  await expect(playground.fault).toHaveCount(0);
});

test('the same seed gives the same tokens, another seed others', async ({ page }) => {
  const playground = new PlaygroundPage(page);
  await playground.open();
  await playground.type(TYPED, { n: 4, seed: 77 });
  const first = await playground.run();
  const second = await playground.run();
  expect(second.solutions).toEqual(first.solutions);

  await playground.type(TYPED, { n: 4, seed: 78 });
  const other = await playground.run();
  expect(other.solutions.map(writingOf)).not.toEqual(first.solutions.map(writingOf));

  await playground.open();
  await playground.type(TYPED, { n: 4, seed: 77 });
  const afterReload = await playground.run();
  expect(afterReload.solutions.map(writingOf)).toEqual(first.solutions.map(writingOf));
});
