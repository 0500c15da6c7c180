import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventsOf, fold, type Run, type RunEvent } from '../../../src/domain/run.ts';
import { emptySolution, ineligibleReason, isEligible, type LaneEnd } from '../../../src/domain/solution.ts';
import { event, started } from './events.ts';

const events = fc.array(event, { maxLength: 40 });
/** Sequences that have begun, so that most events fit. */
const begun = fc.array(event, { maxLength: 40 }).map((rest): RunEvent[] => [started(4), ...rest]);

describe('the fold', () => {
  test('a small run, event by event', () => {
    const stats = { wallMs: 5, forwardMs: 4, firstTokenMs: 1, tokens: 9 };
    const run = fold(null, [
      started(2),
      { type: 'text', lane: 1, text: '6 x 7 ' },
      { type: 'text', lane: 1, text: '= 42' },
      { type: 'step', lane: 1, text: '6 x 7 = 42', tokens: 9, logprob: -2 },
      { type: 'text', lane: 1, text: 'Answ' },
      { type: 'reward', lane: 1, step: 0, reward: 0.9 },
      { type: 'outcome', lane: 1, reward: 0.8 },
      { type: 'ended', lane: 1, end: { kind: 'answer' }, answer: '42' },
      { type: 'finished', status: { kind: 'complete' }, stats },
    ])!;
    expect(run.status).toEqual({ kind: 'complete' });
    expect(run.stats).toEqual(stats);
    expect(run.solutions).toEqual([
      emptySolution(0),
      {
        lane: 1,
        steps: [{ text: '6 x 7 = 42', tokens: 9, logprob: -2, reward: 0.9 }],
        partial: 'Answ',
        outcomeReward: 0.8,
        answer: '42',
        end: { kind: 'answer' },
        forkedFrom: null,
      },
    ]);
  });

  test('is total: any well-typed events give a run, or null before one has started', () => {
    fc.assert(
      fc.property(events, (list) => {
        const run = fold(null, list);
        const start = list.findLast((e) => e.type === 'started');
        if (start === undefined) {
          expect(run).toBeNull();
          return;
        }
        expect(run!.solutions).toHaveLength(start.settings.n);
        expect(run!.solutions.map((solution) => solution.lane)).toEqual(run!.solutions.map((_, i) => i));
        expect(run!.status.kind === 'running').toBe(run!.stats === null);
      }),
      { numRuns: 1000 },
    );
  });

  test('batches give what one by one gives, wherever the list is cut', () => {
    fc.assert(
      fc.property(begun, fc.array(fc.nat(41)), (list, cuts) => {
        const whole = fold(null, list);
        const single = list.reduce<Run | null>((run, e) => fold(run, [e]), null);
        expect(single).toEqual(whole);
        const at = [0, ...cuts.map((cut) => cut % (list.length + 1)).sort((a, b) => a - b), list.length];
        let batched: Run | null = null;
        for (let i = 1; i < at.length; i++) batched = fold(batched, list.slice(at[i - 1], at[i]));
        expect(batched).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });

  test('lanes that no event touches keep their identity, and no run is changed in place', () => {
    fc.assert(
      fc.property(begun, events, (before, after) => {
        const run = fold(null, before)!;
        const copy = structuredClone(run);
        const later = after.filter((e) => e.type !== 'started');
        const next = fold(run, later)!;
        expect(run).toEqual(copy);
        const touched = new Set(later.map((e) => ('lane' in e ? e.lane : -1)));
        for (const [lane, solution] of next.solutions.entries()) {
          if (!touched.has(lane)) expect(solution).toBe(run.solutions[lane]);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('nothing to fold: the same run', () => {
    const run = fold(null, [started(2)]);
    expect(fold(run, [])).toBe(run);
    expect(fold(null, [])).toBeNull();
    expect(fold(run, [{ type: 'text', lane: 2, text: 'no such lane' }])).toBe(run);
  });

  test('steps that are already there keep their identity when another is rewarded', () => {
    const line: RunEvent = { type: 'step', lane: 0, text: 'a', tokens: 1, logprob: 0 };
    const run = fold(null, [started(1), line, line])!;
    const next = fold(run, [{ type: 'reward', lane: 0, step: 1, reward: 0.5 }])!;
    expect(next.solutions[0]!.steps[0]).toBe(run.solutions[0]!.steps[0]);
    expect(next.solutions[0]!.steps[1]!.reward).toBe(0.5);
  });

  test('a new start forgets the run before, also within a batch', () => {
    const text: RunEvent = { type: 'text', lane: 0, text: 'old' };
    expect(fold(null, [started(3), text, started(2)])).toEqual(fold(null, [started(2)]));
  });
});

describe('who may be picked', () => {
  const ends: [LaneEnd, string][] = [
    [{ kind: 'length' }, 'ran out of tokens before an answer'],
    [{ kind: 'no-answer' }, 'stopped without an answer'],
    [{ kind: 'cancelled' }, 'cancelled before an answer'],
    [{ kind: 'error', message: 'the device was lost' }, 'stopped by an error: the device was lost'],
  ];

  test('only a lane that ended by an answer', () => {
    const solution = emptySolution(0);
    expect(isEligible(solution)).toBe(false);
    expect(ineligibleReason(solution)).toBeNull();
    const answered = { ...solution, answer: '4', end: { kind: 'answer' as const } };
    expect(isEligible(answered)).toBe(true);
    expect(ineligibleReason(answered)).toBeNull();
    expect(ineligibleReason({ ...answered, answer: null })).toBe('stopped without an answer');
    for (const [end, reason] of ends) {
      expect(isEligible({ ...solution, answer: '4', end })).toBe(false);
      expect(ineligibleReason({ ...solution, end })).toBe(reason);
    }
  });
});

describe('a run that goes on', () => {
  const stats = { wallMs: 5, forwardMs: 4, firstTokenMs: 1, tokens: 9 };
  const base = (): Run => {
    const run = fold(null, [
      started(2),
      { type: 'step', lane: 0, text: 'Half: 4/2=2', tokens: 6, logprob: -1 },
      { type: 'reward', lane: 0, step: 0, reward: 0.9 },
      { type: 'step', lane: 0, text: 'Answer: 2', tokens: 4, logprob: -0.5 },
      { type: 'ended', lane: 0, end: { kind: 'answer' }, answer: '2' },
      { type: 'text', lane: 1, text: 'Ha' },
      { type: 'ended', lane: 1, end: { kind: 'cancelled' }, answer: null },
      { type: 'finished', status: { kind: 'cancelled' }, stats },
    ]);
    if (run === null) throw new Error('no run');
    return run;
  };

  test('opens cancelled lanes again, with what they had written', () => {
    const run = fold(base(), [{ type: 'resumed' }, { type: 'text', lane: 1, text: 'lf' }]);
    expect(run?.status).toEqual({ kind: 'running' });
    expect(run?.solutions[0]?.end).toEqual({ kind: 'answer' });
    expect(run?.solutions[1]).toMatchObject({ end: null, partial: 'Half' });
  });

  test('gets more lanes and keeps those that are there', () => {
    const before = base();
    const run = fold(before, [{ type: 'lanes', n: 4 }]);
    expect(run?.settings.n).toBe(4);
    expect(run?.solutions.slice(0, 2)).toEqual(before.solutions);
    expect(run?.solutions[3]).toMatchObject({ lane: 3, steps: [], end: null });
  });

  test('gets a lane that shares the first steps of another one', () => {
    const run = fold(base(), [{ type: 'forked', lane: 2, from: 0, steps: 1 }]);
    expect(run?.solutions[2]).toMatchObject({ lane: 2, end: null, forkedFrom: { lane: 0, steps: 1 } });
    expect(run?.solutions[2]?.steps).toEqual(run?.solutions[0]?.steps.slice(0, 1));
    expect(run?.settings.n).toBe(3);
  });

  test.each<RunEvent>([
    { type: 'lanes', n: 2 },
    { type: 'lanes', n: 65 },
    { type: 'lanes', n: 3.5 },
    { type: 'forked', lane: 3, from: 0, steps: 1 },
    { type: 'forked', lane: 2, from: 9, steps: 0 },
    { type: 'forked', lane: 2, from: 0, steps: 3 },
    { type: 'forked', lane: 2, from: 0, steps: -1 },
  ])('ignores what does not fit: %j', (event) => {
    const before = base();
    expect(fold(before, [event])).toEqual(before);
  });

  test('is told by its shortest events', () => {
    const run = fold(base(), [
      { type: 'forked', lane: 2, from: 0, steps: 1 },
      { type: 'step', lane: 2, text: 'Answer: 3', tokens: 4, logprob: -2 },
      { type: 'reward', lane: 2, step: 1, reward: 0.1 },
      { type: 'outcome', lane: 2, reward: 0.2 },
      { type: 'ended', lane: 2, end: { kind: 'answer' }, answer: '3' },
      { type: 'lanes', n: 5 },
      { type: 'finished', status: { kind: 'complete' }, stats },
    ]);
    if (run === null) throw new Error('no run');
    expect(fold(null, eventsOf(run))).toEqual(run);
    expect(eventsOf(run).filter(({ type }) => type === 'text')).toHaveLength(1);
  });
});
