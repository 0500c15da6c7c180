import { describe, expect, test } from 'vitest';
import { eventsOf, fold, type Run } from '../../../src/domain/run.ts';
import { wasCut } from '../../../src/domain/change.ts';
import { FakeDecoder, hashedLogits } from '../sampling/fake-model.ts';
import { FakeEngine } from './fake-engine.ts';

/** What lanes hold; log-probabilities are sums whose order of adding may differ in the last digit. */
const written = ({ solutions }: Run) =>
  solutions.map((solution) => ({
    ...solution,
    steps: solution.steps.map((step) => ({ ...step, logprob: Number(step.logprob.toFixed(9)) })),
  }));

const seeds = Array.from({ length: 8 }, (_, i) => i);

describe('a run that was cancelled and resumed', () => {
  test.each(seeds)('holds what an uninterrupted one does, wherever it was cut (seed %i)', async (seed) => {
    const whole = await new FakeEngine().start({ n: 5, seed });
    for (const passes of [0, 1, 2, 3, 5, 8, 13, 21, 34]) {
      const engine = new FakeEngine();
      const cut = await engine.start({ n: 5, seed }, passes);
      if (cut.status.kind === 'complete') break;
      expect(cut.status.kind).toBe('cancelled');
      const resumed = cut.solutions.some(wasCut) ? await engine.goOn(cut, { kind: 'resume' }) : cut;
      expect(written(resumed), `cut after ${passes} passes`).toEqual(written(whole));
      expect(resumed.status).toEqual({ kind: 'complete' });
      expect(resumed.stats?.tokens).toBe(whole.stats?.tokens);
      expect(resumed.stats?.tokens).toBe(engine.sampled);
    }
  });

  test('may be cut again and again, while it replays and while it samples', async () => {
    const whole = await new FakeEngine().start({ n: 4, seed: 3 });
    const engine = new FakeEngine();
    let run = await engine.start({ n: 4, seed: 3 }, 6);
    let legs = 0;
    // Some are cut before they have read what they hold, which changes nothing.
    for (; run.status.kind !== 'complete' && legs < 60; legs++) {
      run = await engine.goOn(run, { kind: 'resume' }, { passes: legs % 2 === 0 ? 1 : 30 });
    }
    expect(legs).toBeGreaterThan(2);
    expect(written(run)).toEqual(written(whole));
    expect(fold(null, engine.events)).toEqual(run);
    expect(engine.decoder.released).toBe(true);
  });

  test('reads what it holds in wide passes', async () => {
    const engine = new FakeEngine();
    const cut = await engine.start({ n: 3, seed: 2 }, 25);
    const before = engine.decoder.widths.length;
    await engine.goOn(cut, { kind: 'resume' }, { passes: 8 });
    const replay = engine.decoder.widths.slice(before);
    expect(replay.length).toBeLessThanOrEqual(8);
    expect(Math.max(...replay)).toBeGreaterThan(1);
  });

  test('goes on from its text where its tokens are not known, and keeps that text', async () => {
    for (const seed of seeds) {
      const engine = new FakeEngine();
      const cut = await engine.start({ n: 5, seed }, 9);
      if (!cut.solutions.some(wasCut)) continue;
      const resumed = await engine.goOn(cut, { kind: 'resume' }, { forgetful: true });
      expect(resumed.status).toEqual({ kind: 'complete' });
      for (const [lane, { steps, partial, end }] of cut.solutions.entries()) {
        const now = resumed.solutions[lane]!;
        expect(now.end).not.toBeNull();
        expect(now.steps.slice(0, steps.length).map(({ text }) => text)).toEqual(
          steps.map(({ text }) => text),
        );
        if (end?.kind === 'cancelled')
          expect((now.steps[steps.length]?.text ?? now.partial).startsWith(partial)).toBe(true);
        expect(now.steps.every(({ reward }) => reward !== null)).toBe(true);
      }
    }
  });

  test('also when the engine went away without a word', async () => {
    const engine = new FakeEngine();
    const whole = await new FakeEngine().start({ n: 4, seed: 5 });
    const cut = await engine.start({ n: 4, seed: 5 }, 7);
    const lost: Run = {
      ...cut,
      status: { kind: 'failed', message: 'The GPU was lost.' },
      solutions: cut.solutions.map((s) => (s.end?.kind === 'cancelled' ? { ...s, end: null } : s)),
    };
    expect(written(await engine.goOn(lost, { kind: 'resume' }))).toEqual(written(whole));
  });
});

describe('a run that gets more lanes', () => {
  test('holds what one with that many does', async () => {
    for (const seed of seeds) {
      const engine = new FakeEngine();
      const few = await engine.start({ n: 3, seed });
      const more = await engine.goOn(few, { kind: 'lanes', n: 7 });
      const all = await new FakeEngine().start({ n: 7, seed });
      expect(written(more)).toEqual(written(all));
      expect(more.settings).toEqual(all.settings);
      expect(more.stats?.tokens).toBe(all.stats?.tokens);
    }
  });

  test('can still be resumed if others were cut before', async () => {
    const engine = new FakeEngine();
    const all = await new FakeEngine().start({ n: 6, seed: 1 });
    const cut = await engine.start({ n: 3, seed: 1 }, 5);
    const lost: Run = { ...cut, solutions: cut.solutions.map((s) => (wasCut(s) ? { ...s, end: null } : s)) };
    const more = await engine.goOn(lost, { kind: 'lanes', n: 6 }, { passes: 12 });
    expect(more.status.kind).toBe('cancelled');
    expect(more.solutions.every(({ end }) => end !== null)).toBe(true);
    // Lanes of different lengths go on together.
    const resumed = await engine.goOn(more, { kind: 'resume' });
    expect(written(resumed)).toEqual(written(all));
  });
});

describe('a lane that is resampled from a step', () => {
  test('shares the steps before, and draws from a stream of its own', async () => {
    const engine = new FakeEngine();
    const run = await engine.start({ n: 4, seed: 4 });
    const source = run.solutions.findIndex(({ steps }) => steps.length > 2);
    const forked = await engine.goOn(run, { kind: 'resample', lane: source, steps: 2 });
    const lane = forked.solutions[4]!;
    expect(forked.solutions.slice(0, 4)).toEqual(run.solutions);
    expect(lane.forkedFrom).toEqual({ lane: source, steps: 2 });
    expect(lane.steps.slice(0, 2)).toEqual(run.solutions[source]!.steps.slice(0, 2));
    expect(lane.end).not.toBeNull();
    expect(lane.steps).not.toEqual(run.solutions[source]!.steps);
    expect(lane.steps.every(({ reward }) => reward !== null)).toBe(true);
    const again = await engine.goOn(run, { kind: 'resample', lane: source, steps: 2 });
    expect(written(again)).toEqual(written(forked));
    expect(fold(null, eventsOf(forked))).toEqual(forked);
  });

  test('from the beginning is the lane that a larger N gives', async () => {
    const engine = new FakeEngine();
    const run = await engine.start({ n: 2, seed: 6 });
    const forked = await engine.goOn(run, { kind: 'resample', lane: 1, steps: 0 });
    const all = await new FakeEngine().start({ n: 3, seed: 6 });
    expect(written(forked)[2]).toEqual({ ...written(all)[2], forkedFrom: { lane: 1, steps: 0 } });
  });

  test('gets the rewards that the shared steps lack, and a run that was kept has them too', async () => {
    const engine = new FakeEngine();
    const run = await engine.start({ n: 3, seed: 4 });
    const bare: Run = {
      ...run,
      solutions: run.solutions.map((s) => ({ ...s, steps: s.steps.map((t) => ({ ...t, reward: null })) })),
    };
    const source = run.solutions.findIndex(({ steps }) => steps.length > 2);
    const forked = await engine.goOn(bare, { kind: 'resample', lane: source, steps: 2 });
    const rewards = forked.solutions[3]!.steps.slice(0, 2).map(({ reward }) => reward);
    expect(rewards).toEqual(run.solutions[source]!.steps.slice(0, 2).map(({ reward }) => reward));
    expect(fold(null, eventsOf(forked))).toEqual(forked);
  });
});

describe('a run whose text does not fit', () => {
  test('a lane that holds more than it may write ends by length', async () => {
    const engine = new FakeEngine();
    const cut = await engine.start({ n: 3, seed: 1 }, 10);
    const small: Run = { ...cut, settings: { ...cut.settings, maxTokens: 4 } };
    const resumed = await engine.goOn(small, { kind: 'resume' });
    expect(resumed.status).toEqual({ kind: 'complete' });
    for (const [lane, { end }] of resumed.solutions.entries())
      if (wasCut(cut.solutions[lane]!)) expect(end).toEqual({ kind: 'length' });
  });

  test('a lane longer than the context is not fed', async () => {
    const cut = await new FakeEngine().start({ n: 3, seed: 1 }, 10);
    const decoder = new FakeDecoder({ context: 8, logits: hashedLogits });
    const resumed = await new FakeEngine(decoder).goOn(cut, { kind: 'resume' });
    expect(resumed.solutions.filter(({ end }) => end?.kind === 'length').length).toBeGreaterThan(0);
    expect(resumed.solutions.every((solution) => !wasCut(solution))).toBe(true);
  });
});
