import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold, type Run, type RunEvent } from '../../../src/domain/run.ts';
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
