import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupAnswers } from '../../../src/answers/group.ts';
import { PICK_METHODS, REDUCTIONS, type Pick, type PickOptions } from '../../../src/domain/pick.ts';
import {
  pickAll,
  pickByMajority,
  pickByOrm,
  pickByPrm,
  pickByWeightedVote,
} from '../../../src/picks/pick.ts';
import { bySpelling, product, runOf, type Lane } from './runs.ts';

type Picked = Extract<Pick, { kind: 'picked' }>;

function picked(pick: Pick): Picked {
  if (pick.kind !== 'picked') throw new Error(`Nothing was picked: ${pick.message}`);
  return pick;
}

/** The four methods disagree here, for reasons that can be checked by hand. */
const lanes: Lane[] = [
  { answer: '41', rewards: [0.9, 0.2], outcome: 0.6 }, // product 0.18
  { answer: '42', rewards: [0.8, 0.5], outcome: 0.3 }, // product 0.40
  { answer: '41', rewards: [0.5, 0.5], outcome: 0.2 }, // product 0.25
  { answer: '43', rewards: [0.6, 0.6], outcome: 0.9 }, // product 0.36
  { answer: '41', rewards: [0.1, 0.5], outcome: 0.1 }, // product 0.05
  { answer: '43', rewards: [0.5, 0.6], outcome: 0.05 }, // product 0.30
  { answer: null, rewards: [0.9], end: { kind: 'length' } },
];

describe('the methods', () => {
  const run = runOf(lanes);

  test('PRM best-of-N', () => {
    const pick = picked(pickByPrm(run, product, bySpelling));
    expect(pick).toMatchObject({ method: 'prm', lane: 1, answer: '42' });
    expect(pick.reason).toMatchObject({ kind: 'best-score', measure: 'product', lanes: 6, tie: false });
    if (pick.reason.kind !== 'best-score') throw new Error();
    expect(pick.reason.score).toBeCloseTo(0.4, 12);
    expect(pick.reason.logScore).toBeCloseTo(Math.log(0.4), 12);
    expect(pick.reason.runnerUp).toMatchObject({ lane: 3, answer: '43' });
    expect(pick.reason.runnerUp!.score).toBeCloseTo(0.36, 12);
    expect(pick.excluded).toEqual([
      { lane: 6, reason: { kind: 'no-answer', message: 'ran out of tokens before an answer' } },
    ]);
  });

  test('ORM best-of-N', () => {
    const pick = picked(pickByOrm(run, product, bySpelling));
    expect(pick).toMatchObject({ method: 'orm', lane: 3, answer: '43' });
    expect(pick.reason).toMatchObject({ measure: 'outcome', score: 0.9, runnerUp: { lane: 0, score: 0.6 } });
  });

  test('majority vote', () => {
    const pick = picked(pickByMajority(run, product, bySpelling));
    expect(pick).toMatchObject({ method: 'majority', lane: 0, answer: '41' });
    expect(pick.reason).toMatchObject({
      kind: 'vote',
      measure: 'count',
      weight: 3,
      total: 6,
      votes: 3,
      lanes: 6,
      runnerUp: { answer: '43', weight: 2, votes: 2, lane: 3 },
      tie: false,
    });
  });

  test('PRM-weighted and ORM-weighted vote', () => {
    const byPrm = picked(pickByWeightedVote(run, product, 'prm', bySpelling));
    // 41: 0.48, 42: 0.40, 43: 0.66
    expect(byPrm).toMatchObject({ method: 'prm-weighted', lane: 3, answer: '43' });
    if (byPrm.reason.kind !== 'vote') throw new Error();
    expect(byPrm.reason.weight).toBeCloseTo(0.66, 12);
    expect(byPrm.reason.runnerUp).toMatchObject({ answer: '41', votes: 3 });
    expect(byPrm.reason.total).toBeCloseTo(1.54, 12);
    const byOrm = picked(pickByWeightedVote(run, product, 'orm', bySpelling));
    // 41: 0.9, 42: 0.3, 43: 0.95
    expect(byOrm).toMatchObject({ method: 'orm-weighted', lane: 3, answer: '43' });
  });

  test('pickAll gives all of them, in order, and only the first n lanes count', () => {
    expect(pickAll(run, product, bySpelling).map((pick) => pick.method)).toEqual(PICK_METHODS);
    expect(pickAll(run, product, bySpelling)).toEqual([
      pickByPrm(run, product, bySpelling),
      pickByOrm(run, product, bySpelling),
      pickByMajority(run, product, bySpelling),
      pickByWeightedVote(run, product, 'prm', bySpelling),
      pickByWeightedVote(run, product, 'orm', bySpelling),
    ]);
    for (const pick of pickAll(run, { ...product, n: 1 }, bySpelling)) {
      expect(picked(pick)).toMatchObject({ lane: 0, answer: '41', reason: { lanes: 1, runnerUp: null } });
    }
  });

  test('changing the reduction re-ranks', () => {
    const run = runOf([
      { answer: '1', rewards: [0.9, 0.9, 0.9, 0.9] }, // product 0.66, min 0.9
      { answer: '2', rewards: [0.8] },
      { answer: '3', rewards: [0.1, 0.95] }, // last 0.95
    ]);
    const winner = (reduction: PickOptions['reduction']): string =>
      picked(pickByPrm(run, { reduction, n: 64 }, bySpelling)).answer;
    expect(REDUCTIONS.map(winner)).toEqual(['2', '1', '3', '1', '1']);
  });

  test('changing the neutral rule re-ranks without a model', () => {
    const run = runOf([
      { answer: '1', rewards: [0.9], classes: [{ positive: 0.1, neutral: 0.8, negative: 0.1 }] },
      { answer: '2', rewards: [0.7], classes: [{ positive: 0.7, neutral: 0, negative: 0.3 }] },
    ]);
    expect(picked(pickByPrm(run, product, bySpelling)).answer).toBe('1');
    expect(picked(pickByPrm(run, { ...product, neutral: 'positive' }, bySpelling)).answer).toBe('1');
    expect(picked(pickByPrm(run, { ...product, neutral: 'negative' }, bySpelling)).answer).toBe('2');
  });

  test('spellings of one answer vote together, and a person can override', () => {
    const run = runOf([
      { answer: '7' },
      { answer: '1,000' },
      { answer: '1000' },
      { answer: '7' },
      { answer: '1000' },
    ]);
    expect(picked(pickByMajority(run, product))).toMatchObject({ answer: '1,000', lane: 1 });
    const overrides = [{ a: '1,000', b: '1000', verdict: 'different' as const }];
    const apart = pickByMajority(run, product, (answers) => groupAnswers(answers, overrides));
    expect(picked(apart)).toMatchObject({ answer: '7', lane: 0, reason: { tie: true } });
  });
});

describe('ties', () => {
  test('the earliest lane wins between equal scores, and the reason says so', () => {
    const run = runOf([
      { answer: '1', rewards: [0.1], outcome: 0.1 },
      { answer: '2', rewards: [0.5, 0.4], outcome: 0.7 },
      { answer: '3', rewards: [0.4, 0.5], outcome: 0.7 },
    ]);
    for (const pick of [pickByPrm(run, product, bySpelling), pickByOrm(run, product, bySpelling)]) {
      expect(picked(pick)).toMatchObject({ lane: 1, reason: { tie: true, runnerUp: { lane: 2 } } });
    }
  });

  test('equal scores of the same answer are no tie between answers', () => {
    const run = runOf([
      { answer: '1', rewards: [0.5] },
      { answer: '1', rewards: [0.5] },
      { answer: '2', rewards: [0.4] },
    ]);
    expect(picked(pickByPrm(run, product, bySpelling))).toMatchObject({ lane: 0, reason: { tie: false } });
  });

  test('the group with the earliest lane wins between equal votes', () => {
    const run = runOf([{ answer: '9' }, { answer: '2' }, { answer: '3' }, { answer: '3' }, { answer: '2' }]);
    expect(picked(pickByMajority(run, product, bySpelling))).toMatchObject({
      lane: 1,
      answer: '2',
      reason: { weight: 2, tie: true, runnerUp: { answer: '3', weight: 2 } },
    });
  });

  test('equal sums of weights tie exactly: 0.3 + 0.3 against 0.6', () => {
    const run = runOf([
      { answer: 'b', rewards: [0.6], outcome: 0.6 },
      { answer: 'a', rewards: [0.3], outcome: 0.3 },
      { answer: 'a', rewards: [0.3], outcome: 0.3 },
    ]);
    for (const by of ['prm', 'orm'] as const) {
      const pick = picked(pickByWeightedVote(run, product, by, bySpelling));
      expect(pick).toMatchObject({ answer: 'b', reason: { tie: true } });
    }
  });
});

describe('who may be picked', () => {
  test('a run without lanes, and n = 0', () => {
    for (const pick of [...pickAll(runOf([]), product), ...pickAll(runOf(lanes), { ...product, n: 0 })]) {
      expect(pick).toMatchObject({ kind: 'none', message: 'There is no lane to pick from.', excluded: [] });
    }
    for (const pick of pickAll(runOf(lanes), { ...product, n: Number.NaN })) expect(pick.kind).toBe('none');
  });

  test('nobody is eligible: each lane says why', () => {
    const run = runOf([
      { answer: null, rewards: [0.9], end: { kind: 'length' } },
      { answer: null, end: { kind: 'cancelled' } },
      { answer: null, end: { kind: 'error', message: 'the device was lost' } },
      { answer: '5', rewards: [1], outcome: 1, end: { kind: 'cancelled' } },
      { answer: null, end: { kind: 'no-answer' } },
    ]);
    for (const pick of pickAll(run, product)) {
      expect(pick).toMatchObject({ kind: 'none', message: 'No lane reached an answer.' });
      expect(pick.excluded.map(({ lane }) => lane)).toEqual([0, 1, 2, 3, 4]);
      expect(pick.excluded.every(({ reason }) => reason.kind === 'no-answer')).toBe(true);
    }
  });

  test('while the run is going on, lanes being written are not picked', () => {
    const run = runOf([{ answer: null, rewards: [0.9], end: null }], null, false);
    for (const pick of pickAll(run, product)) {
      expect(pick).toEqual({
        kind: 'none',
        method: pick.method,
        message: 'No lane has reached an answer yet.',
        excluded: [{ lane: 0, reason: { kind: 'running' } }],
      });
    }
  });

  test('a lane that lacks rewards is left out of PRM picks, votes all the same, and says why', () => {
    const run = runOf([
      { answer: '1', rewards: [0.9, null, null], outcome: 0.5 },
      { answer: '2', rewards: [0.1, 0.1] },
      { answer: '1', rewards: [] },
    ]);
    const byPrm = picked(pickByPrm(run, product, bySpelling));
    expect(byPrm.answer).toBe('2');
    expect(byPrm.excluded).toEqual([
      { lane: 0, reason: { kind: 'missing-rewards', missing: [1, 2], steps: 3 } },
      { lane: 2, reason: { kind: 'no-steps' } },
    ]);
    expect(picked(pickByOrm(run, product, bySpelling)).excluded).toEqual([
      { lane: 1, reason: { kind: 'missing-outcome' } },
      { lane: 2, reason: { kind: 'missing-outcome' } },
    ]);
    expect(picked(pickByMajority(run, product, bySpelling))).toMatchObject({ answer: '1', excluded: [] });
  });

  test('no score at all: the message says which is missing', () => {
    const run = runOf([{ answer: '1', rewards: [null] }]);
    expect(pickByPrm(run, product)).toMatchObject({
      message: 'No lane with an answer has a reward for each of its steps.',
    });
    expect(pickByOrm(run, product)).toMatchObject({
      message: 'No lane with an answer has an outcome reward.',
    });
  });

  test('rewards from outside that are no probabilities exclude their lane', () => {
    for (const bad of [Number.NaN, Infinity, -0.01, 1.01, '0.9' as unknown as number]) {
      const run = runOf([
        { answer: '1', rewards: [0.9, bad], outcome: bad },
        { answer: '2', rewards: [0.1], outcome: 0.1 },
      ]);
      expect(picked(pickByPrm(run, product, bySpelling))).toMatchObject({
        answer: '2',
        excluded: [{ lane: 0, reason: { kind: 'bad-reward', step: 1 } }],
      });
      expect(picked(pickByOrm(run, product, bySpelling))).toMatchObject({
        answer: '2',
        excluded: [{ lane: 0, reason: { kind: 'bad-outcome' } }],
      });
    }
  });
});

describe('64 lanes with 40 steps of about 1e-9', () => {
  const run = runOf(
    Array.from({ length: 64 }, (_, lane) => ({
      answer: String(lane % 16),
      // Lane 37 is best by a hair.
      rewards: Array.from({ length: 40 }, (_, step) => (lane === 37 && step === 0 ? 1.0001e-9 : 1e-9)),
    })),
  );

  test('the best is found although every product is 0 as a number', () => {
    const pick = picked(pickByPrm(run, product, bySpelling));
    expect(pick).toMatchObject({
      lane: 37,
      answer: '5',
      reason: { score: 0, tie: false, runnerUp: { lane: 0 } },
    });
  });

  test('and so is the heaviest group', () => {
    const pick = picked(pickByWeightedVote(run, product, 'prm', bySpelling));
    expect(pick).toMatchObject({ answer: '5', lane: 5, reason: { weight: 0, votes: 4, tie: false } });
  });

  test('without the hair all tie, and the earliest lane wins', () => {
    const even = runOf(
      Array.from({ length: 64 }, (_, lane) => ({
        answer: String(lane % 16),
        rewards: new Array<number>(40).fill(1e-9),
      })),
    );
    for (const pick of [
      pickByPrm(even, product, bySpelling),
      pickByWeightedVote(even, product, 'prm', bySpelling),
    ]) {
      expect(picked(pick)).toMatchObject({ lane: 0, answer: '0', reason: { tie: true } });
    }
  });

  test('scores of exactly 0 tie too', () => {
    const zero = runOf([
      { answer: '1', rewards: [0], outcome: 0 },
      { answer: '2', rewards: [0], outcome: 0 },
      { answer: '2', rewards: [0], outcome: 0 },
    ]);
    for (const pick of pickAll(zero, product, bySpelling).filter((p) => p.method !== 'majority')) {
      expect(picked(pick)).toMatchObject({ lane: 0, answer: '1', reason: { tie: true } });
    }
  });
});

describe('properties', () => {
  const grade = fc.constantFrom(0, 0.25, 0.5, 0.75, 1, 1e-9, 0.3, 0.6);
  const lane: fc.Arbitrary<Lane> = fc.record({
    answer: fc.option(fc.constantFrom('1', '2', '3', '4')),
    rewards: fc.array(fc.option(grade, { freq: 8 }), { maxLength: 4 }),
    outcome: fc.option(grade, { nil: null }),
  });
  const options: fc.Arbitrary<PickOptions> = fc.record({
    reduction: fc.constantFrom(...REDUCTIONS),
    n: fc.integer({ min: 0, max: 10 }),
    neutral: fc.constantFrom('positive', 'negative'),
  });

  test('picks agree with a plain reading of the rules', () => {
    fc.assert(
      fc.property(fc.array(lane, { maxLength: 9 }), options, (all, opts) => {
        const first = all.slice(0, opts.n).map((l, i) => ({ ...l, i }));
        const eligible = first.filter((l) => l.answer !== null);
        const scored = eligible.filter((l) => l.rewards!.length > 0 && l.rewards!.every((r) => r !== null));
        const [byPrm, byOrm, majority, weighted] = pickAll(runOf(all), opts, bySpelling);

        const reduce = (r: number[]): number => {
          const times = r.reduce((a, b) => a * b, 1);
          switch (opts.reduction) {
            case 'product':
              return times;
            case 'min':
              return Math.min(...r);
            case 'last':
              return r[r.length - 1]!;
            case 'mean':
              return r.reduce((a, b) => a + b, 0) / r.length;
            case 'geometric-mean':
              return times ** (1 / r.length);
          }
        };
        if (scored.length === 0) expect(byPrm!.kind).toBe('none');
        else {
          const scores = scored.map((l) => reduce(l.rewards as number[]));
          const top = Math.max(...scores);
          const pick = picked(byPrm!);
          const at = scored.findIndex((l) => l.i === pick.lane);
          // The plain reading rounds; the pick must be best up to that, and nobody before it may be better.
          expect(scores[at]!).toBeGreaterThanOrEqual(top * (1 - 1e-12));
          expect(scores.slice(0, at).every((s) => s <= scores[at]! * (1 + 1e-12))).toBe(true);
          expect(picked(weighted!).reason.lanes).toBe(scored.length);
        }

        const judged = eligible.filter((l) => l.outcome !== null);
        if (judged.length === 0) expect(byOrm!.kind).toBe('none');
        else {
          const top = Math.max(...judged.map((l) => l.outcome!));
          expect(picked(byOrm!).lane).toBe(judged.find((l) => l.outcome === top)!.i);
        }

        if (eligible.length === 0) expect(majority!.kind).toBe('none');
        else {
          const votes = (answer: string | null): number => eligible.filter((l) => l.answer === answer).length;
          const top = Math.max(...eligible.map((l) => votes(l.answer)));
          expect(picked(majority!).lane).toBe(eligible.find((l) => votes(l.answer) === top)!.i);
        }

        for (const pick of pickAll(runOf(all), opts, bySpelling)) {
          const took = pick.kind === 'picked' ? pick.reason.lanes : 0;
          expect(took + pick.excluded.length).toBe(first.length);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('total on whatever numbers arrive', () => {
    const wild = fc.oneof(grade, fc.double(), fc.constant(Number.NaN));
    const wildLane = fc.record({
      answer: fc.option(fc.string({ maxLength: 5 })),
      rewards: fc.array(fc.option(wild), { maxLength: 4 }),
      outcome: fc.option(wild),
    });
    fc.assert(
      fc.property(fc.array(wildLane, { maxLength: 6 }), fc.double(), (all, n) => {
        for (const pick of pickAll(runOf(all), { reduction: 'product', n }, bySpelling)) {
          if (pick.kind === 'picked') expect(all[pick.lane]!.answer).toBe(pick.answer);
        }
      }),
      { numRuns: 500 },
    );
  });
});
