import type { JSHandle } from '@playwright/test';
import type { Run } from '../../src/domain/run.ts';
import { expect, test } from './fixtures.ts';
import { TYPED, writingOf } from './playground.ts';
import type { SessionPage } from './session-page/session-page.ts';
import { SourceServer } from './source-server.ts';

let server: SourceServer;
test.beforeAll(async () => {
  server = await SourceServer.start();
});
test.afterAll(() => server.close());

let driven: JSHandle<SessionPage>;
test.beforeEach(async ({ page }) => {
  driven = await server.openSession(page);
});

const start = (settings: Parameters<SessionPage['start']>[1]): Promise<Run> =>
  driven.evaluate(async ({ start }, [text, settings]) => (await start(text, settings))!, [
    TYPED,
    settings,
  ] as const);

/** A run that is stopped once it has some steps. */
const startAndStop = (
  settings: Parameters<SessionPage['start']>[1],
  how: 'cancel' | 'dispose',
): Promise<Run> =>
  driven.evaluate(
    async ({ startAndStop }, [text, settings, how]) => (await startAndStop(text, settings, 2, how))!,
    [TYPED, settings, how] as const,
  );

/** Everything that lanes hold; a batch of another size rounds rewards and likelihoods differently. */
function expectSame(run: Run, other: Run): void {
  expect(run.solutions.map(writingOf)).toEqual(other.solutions.map(writingOf));
  for (const [lane, { steps, outcomeReward }] of run.solutions.entries()) {
    const same = other.solutions[lane]!;
    expect(Math.abs((outcomeReward ?? 0) - (same.outcomeReward ?? 0))).toBeLessThan(1e-3);
    for (const [i, { reward, logprob }] of steps.entries()) {
      expect(reward, `reward of lane ${lane}, step ${i}`).not.toBeNull();
      expect(Math.abs(reward! - same.steps[i]!.reward!)).toBeLessThan(1e-3);
      expect(Math.abs(logprob - same.steps[i]!.logprob)).toBeLessThan(1e-2);
    }
  }
}

test('a run that is cancelled and resumed is the run that was never interrupted', async () => {
  const settings = { n: 8, seed: 11 };
  const cut = await startAndStop(settings, 'cancel');
  expect(cut.status.kind).toBe('cancelled');
  expect(cut.solutions.filter(({ end }) => end?.kind === 'cancelled').length).toBeGreaterThan(0);
  const resumed = await driven.evaluate(async ({ session }) => {
    await session.resume('wasm');
    return session.run!;
  });
  expect(resumed.status).toEqual({ kind: 'complete' });
  const whole = await start(settings);
  expectSame(resumed, whole);
  expect(resumed.stats!.tokens).toBe(whole.stats!.tokens);
  expect(resumed.stats!.wallMs).toBeGreaterThan(cut.stats!.wallMs);
});

test('eight lanes and eight more are sixteen', async () => {
  const few = await start({ n: 8, seed: 12 });
  const more = await driven.evaluate(async ({ session }) => {
    const adding = session.addLanes(16);
    // Neither of these may come between.
    await session.addLanes(32);
    await session.start(
      { text: 'What is 1 plus 1?', answer: null },
      { ...session.run!.settings, n: 1 },
      'wasm',
    );
    const refused = session.fault;
    await adding;
    return { run: session.run!, refused };
  });
  expect(more.refused).toMatch(/running already/);
  expect(more.run.solutions.slice(0, 8)).toEqual(few.solutions);
  expectSame(more.run, await start({ n: 16, seed: 12 }));
});

test('a run whose worker is gone goes on from its text', async () => {
  const cut = await startAndStop({ n: 6, seed: 13 }, 'dispose');
  expect(cut.status.kind).toBe('failed');
  expect(cut.solutions.filter(({ end }) => end === null).length).toBeGreaterThan(0);
  const resumed = await driven.evaluate(async ({ session }) => {
    await session.resume('wasm');
    return { run: session.run!, fault: session.fault };
  });
  expect(resumed.fault).toBeNull();
  expect(resumed.run.status).toEqual({ kind: 'complete' });
  for (const [lane, { steps, end }] of resumed.run.solutions.entries()) {
    const before = cut.solutions[lane]!.steps.map(({ text }) => text);
    expect(steps.slice(0, before.length).map(({ text }) => text)).toEqual(before);
    expect(end).not.toBeNull();
    expect(steps.every(({ reward }) => reward !== null)).toBe(true);
  }
});

test('a lane is resampled from a step, edited, and explained', async () => {
  const run = await start({ n: 4, seed: 14 });
  const source = run.solutions.findIndex(({ steps }) => steps.length > 1);
  const lines = run.solutions[source]!.steps.map(({ text }) => text);
  const edited = [...lines.slice(0, -1), 'Answer: 1234'];
  const went = await driven.evaluate(
    async ({ session }, [lane, edited, lines]) => {
      const resampled = await session.resample(lane, 1, 'wasm');
      const rescored = await session.rescore(lane, edited, 'wasm');
      const after = session.run!;
      const tokens = await session.explainStep(after.problem.text, lines, 1, 'wasm');
      const faults: (string | null)[] = [session.fault];
      const nothing = await session.explainStep(after.problem.text, lines, 99, 'wasm');
      faults.push(session.fault);
      const long = await session.rescore(
        lane,
        Array.from({ length: 200 }, () => edited[0]!),
        'wasm',
      );
      faults.push(session.fault);
      return {
        resampled,
        rescored,
        nothing,
        long,
        faults,
        run: session.run!,
        same: session.run === after,
        tokens,
      };
    },
    [source, edited, lines] as const,
  );
  expect(went).toMatchObject({ resampled: 4, rescored: 5, nothing: null, long: null, same: true });
  expect(went.faults).toEqual([null, expect.stringMatching(/not part of/), expect.stringMatching(/Shorten/)]);
  expect(went.run.status).toEqual({ kind: 'complete' });
  expect(went.run.solutions.slice(0, 4)).toEqual(run.solutions);
  const [resampled, rescored] = went.run.solutions.slice(4);
  expect(resampled!.forkedFrom).toEqual({ lane: source, steps: 1 });
  expect(resampled!.end).not.toBeNull();
  expect(rescored!.steps.map(({ text }) => text)).toEqual(edited);
  expect(rescored).toMatchObject({ answer: '1234', end: { kind: 'answer' } });
  const rewards = rescored!.steps.map(({ reward }) => reward!);
  expect(rewards.slice(0, -1)).toEqual(run.solutions[source]!.steps.slice(0, -1).map(({ reward }) => reward));
  expect(rewards.at(-1)).toBeLessThan(0.5);
  expect(rescored!.outcomeReward).toBeLessThan(0.5);

  // The probabilities of a step's tokens are those with which it was sampled.
  const step = run.solutions[source]!.steps[1]!;
  const tokens = went.tokens!;
  expect(tokens.map(({ text }) => text).join('')).toBe(`${step.text}\n`);
  expect(tokens).toHaveLength(step.tokens);
  const logprob = tokens.reduce((sum, { probability }) => sum + Math.log(probability), 0);
  expect(Math.abs(logprob - step.logprob)).toBeLessThan(1e-2);
  for (const { alternatives } of tokens) {
    expect(alternatives).toHaveLength(5);
    const sum = alternatives.reduce((total, { probability }) => total + probability, 0);
    expect(sum).toBeLessThanOrEqual(1.0001);
  }
});
