import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bestOfNCurve,
  CURVE_NAMES,
  passCurve,
  poolCurves,
  poolCurvesInSlices,
  voteCurve,
  voteCurves,
  voteWeights,
  type RankedSample,
  type VoteSample,
} from '../../../src/picks/curves.ts';
import { pairedDifference } from '../../../src/picks/interval.ts';
import { pickByMajority, pickByOrm, pickByPrm, pickByWeightedVote } from '../../../src/picks/pick.ts';
import { poolOf, poolOfRun, type PoolSample } from '../../../src/picks/pool.ts';
import { scoreOf } from '../../../src/picks/reduce.ts';
import { bySpelling, mean, permutations, product, runOf, subsets, type Lane } from './runs.ts';

/** Mean over all subsets of size n of what `accuracy` says about one. */
function overSubsets(size: number, accuracy: (subset: number[]) => number): number[] {
  return Array.from({ length: size }, (_, i) => mean(subsets(size, i + 1).map(accuracy)));
}

function expectCurve(actual: readonly number[], expected: readonly number[], digits = 10): void {
  expect(actual).toHaveLength(expected.length);
  for (const [i, value] of expected.entries()) expect(actual[i]!).toBeCloseTo(value, digits);
}

const level = fc.constantFrom(0, 0.2, 0.5, 0.5, 0.9, 1);
const ranked: fc.Arbitrary<RankedSample> = fc.record({
  score: fc.option(level.map(scoreOf), { freq: 4, nil: null }),
  correct: fc.boolean(),
});

describe('best-of-n in closed form', () => {
  test('equals the enumeration of all subsets, ties at random', () => {
    fc.assert(
      fc.property(fc.array(ranked, { minLength: 1, maxLength: 7 }), (samples) => {
        const brute = overSubsets(samples.length, (subset) => {
          const able = subset.map((i) => samples[i]!).filter((s) => s.score !== null);
          if (able.length === 0) return 0;
          const top = Math.max(...able.map((s) => s.score!.value));
          return mean(able.filter((s) => s.score!.value === top).map((s) => Number(s.correct)));
        });
        expectCurve(bestOfNCurve(samples), brute);
      }),
      { numRuns: 300 },
    );
  });

  test('equals the enumeration of all subsets, ties to the earliest', () => {
    fc.assert(
      fc.property(fc.array(ranked, { minLength: 1, maxLength: 7 }), (samples) => {
        const brute = overSubsets(samples.length, (subset) => {
          const able = subset.map((i) => samples[i]!).filter((s) => s.score !== null);
          const top = Math.max(...able.map((s) => s.score!.value));
          return Number(able.find((s) => s.score!.value === top)?.correct ?? false);
        });
        expectCurve(bestOfNCurve(samples, 'earliest'), brute);
      }),
      { numRuns: 300 },
    );
  });

  test('random ties equal the mean over all shuffles, the first highest score winning', () => {
    const samples: RankedSample[] = [
      { score: scoreOf(0.5), correct: true },
      { score: scoreOf(0.5), correct: false },
      { score: null, correct: false },
      { score: scoreOf(0.1), correct: true },
      { score: scoreOf(0.5), correct: false },
    ];
    const shuffles = permutations(samples);
    const curve = samples.map((_, i) =>
      mean(
        shuffles.map((order) => {
          const able = order.slice(0, i + 1).filter((s) => s.score !== null);
          const top = Math.max(...able.map((s) => s.score!.value));
          return Number(able.find((s) => s.score!.value === top)?.correct ?? false);
        }),
      ),
    );
    expectCurve(bestOfNCurve(samples), curve);
  });

  test('the ends are exact', () => {
    const samples = [0.1, 0.7, 0.7, 0.3].map((value, i) => ({ score: scoreOf(value), correct: i === 1 }));
    expect(bestOfNCurve(samples)[0]).toBe(0.25);
    expect(bestOfNCurve(samples)[3]).toBe(0.5);
    expect(bestOfNCurve(samples, 'earliest')[3]).toBe(1);
  });

  test('all tied: the share of correct ones at every n', () => {
    const samples = Array.from({ length: 64 }, (_, i) => ({ score: scoreOf(0.5), correct: i < 16 }));
    expectCurve(bestOfNCurve(samples), new Array<number>(64).fill(0.25));
  });

  test('none can win: 0 at every n; no samples: no curve', () => {
    expect(
      bestOfNCurve([
        { score: null, correct: true },
        { score: null, correct: false },
      ]),
    ).toEqual([0, 0]);
    expect(bestOfNCurve([])).toEqual([]);
  });

  test('a pool of 1,860 stays a probability, and rises where the score is right', () => {
    const samples = Array.from({ length: 1860 }, (_, i) => ({
      score: scoreOf(i / 1860),
      correct: i >= 1850,
    }));
    const curve = bestOfNCurve(samples);
    expect(curve[0]).toBeCloseTo(10 / 1860, 12);
    expect(curve[1859]).toBe(1);
    for (let i = 1; i < curve.length; i++) expect(curve[i]!).toBeGreaterThanOrEqual(curve[i - 1]! - 1e-12);
  });

  test('scores whose numbers have underflowed are told apart by their logs', () => {
    const samples = [
      { score: { value: 0, log: -900 }, correct: false },
      { score: { value: 0, log: -899 }, correct: true },
    ];
    expect(bestOfNCurve(samples)).toEqual([0.5, 1]);
  });

  test('a score that is not a number is rejected', () => {
    expect(() => bestOfNCurve([{ score: { value: Number.NaN, log: Number.NaN }, correct: true }])).toThrow(
      RangeError,
    );
  });
});

describe('pass@n', () => {
  test('equals the enumeration of all subsets', () => {
    for (let total = 1; total <= 7; total++) {
      for (let correct = 0; correct <= total; correct++) {
        const brute = overSubsets(total, (subset) => Number(subset.some((i) => i < correct)));
        expectCurve(passCurve(total, correct), brute);
      }
    }
  });

  test('the formula of Chen et al. as they print it', () => {
    // 1 - C(N - c, n) / C(N, n) with N = 10, c = 3, n = 4: 1 - 35 / 210.
    expect(passCurve(10, 3)[3]).toBeCloseTo(1 - 35 / 210, 14);
  });

  test('what cannot be is rejected', () => {
    expect(() => passCurve(3, 4)).toThrow(RangeError);
    expect(() => passCurve(3, -1)).toThrow(RangeError);
    expect(() => passCurve(2.5, 1)).toThrow(RangeError);
    expect(passCurve(0, 0)).toEqual([]);
  });
});

/** The vote of one ordered subset, by a plain reading of the rule. */
function plainVote(samples: readonly VoteSample[], order: readonly number[]): number {
  const totals = new Map<number, number>();
  for (const i of order) {
    const { group, weight } = samples[i]!;
    if (group !== null && weight !== null) totals.set(group, (totals.get(group) ?? 0) + weight);
  }
  const top = Math.max(...totals.values());
  const winner = [...totals].find(([, total]) => total === top)?.[0];
  if (winner === undefined) return 0;
  return Number(samples.find((s) => s.group === winner)!.correct);
}

const voter: fc.Arbitrary<VoteSample> = fc
  .record({
    group: fc.option(fc.integer({ min: 0, max: 3 }), { freq: 5, nil: null }),
    // Sums of these are exact, so that the order of adding cannot matter.
    weight: fc.option(fc.constantFrom(0, 0.25, 0.5, 1), { freq: 5, nil: null }),
  })
  .map(({ group, weight }) => ({ group, weight, correct: group === 1 || group === 3 }));

describe('votes by resampling', () => {
  test('close to the enumeration of all shuffles or subsets, and exact at n = 1 and n = N', () => {
    fc.assert(
      fc.property(fc.array(voter, { minLength: 1, maxLength: 5 }), (samples) => {
        const indices = samples.map((_, i) => i);
        const shuffles = permutations(indices);
        const random = indices.map((i) => mean(shuffles.map((o) => plainVote(samples, o.slice(0, i + 1)))));
        const earliest = overSubsets(samples.length, (subset) => plainVote(samples, subset));
        for (const [ties, brute] of [
          ['random', random],
          ['earliest', earliest],
        ] as const) {
          const curve = voteCurve(samples, { resamples: 2000, ties });
          // 5 standard errors of 2,000 draws of a coin.
          for (const [i, value] of brute.entries()) expect(Math.abs(curve[i]! - value)).toBeLessThan(0.056);
          expect(curve[0]).toBeCloseTo(brute[0]!, 12);
          expect(curve.at(-1)).toBeCloseTo(brute.at(-1)!, 12);
        }
      }),
      { numRuns: 60, seed: 7 },
    );
  });

  test('the same seed gives the same curve, another seed another', () => {
    const samples = Array.from({ length: 20 }, (_, i) => ({ group: i % 4, correct: i % 4 === 0, weight: 1 }));
    expect(voteCurve(samples, { seed: 5 })).toEqual(voteCurve(samples, { seed: 5 }));
    expect(voteCurve(samples, { seed: 5 })).not.toEqual(voteCurve(samples, { seed: 6 }));
  });

  test('votes with several weightings see the same subsets', () => {
    const samples = Array.from({ length: 12 }, (_, i) => ({ group: i % 3, correct: i % 3 === 0 }));
    const ones = samples.map(() => 1);
    const [a, b] = voteCurves(samples, [ones, ones.map((w) => w / 2)]);
    expect(a).toEqual(b);
    expect(a).toEqual(voteCurve(samples.map((s) => ({ ...s, weight: 1 }))));
  });

  test('edges: no samples, one, none that votes, bad weights, no resamples', () => {
    expect(voteCurve([])).toEqual([]);
    expect(voteCurve([{ group: 0, correct: true, weight: 1 }])).toEqual([1]);
    expect(voteCurve([{ group: null, correct: false, weight: 1 }])).toEqual([0]);
    const none = { group: 0, correct: true, weight: null };
    expect(voteCurve([none, none, none])).toEqual([0, 0, 0]);
    for (const weight of [Number.NaN, -1, Infinity]) {
      expect(() => voteCurve([{ group: 0, correct: true, weight }])).toThrow(RangeError);
    }
    expect(() => voteCurve([none], { resamples: 0 })).toThrow(RangeError);
  });

  test('weights of underflowed scores are scaled, others are not', () => {
    expect(voteWeights([scoreOf(0.5), null, scoreOf(0)])).toEqual([0.5, null, 0]);
    const [a, b] = voteWeights([
      { value: 0, log: -900 },
      { value: 0, log: -900 - Math.LN2 },
    ]);
    expect(a).toBe(1);
    expect(b).toBeCloseTo(0.5, 12);
    expect(voteWeights([scoreOf(0), null])).toEqual([0, null]);
    expect(voteWeights([])).toEqual([]);
  });
});

/** A pool in which the PRM is better than the ORM, from a small generator of its own. */
function makePools(problems: number, size: number): PoolSample[][] {
  let state = 12345;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: problems }, () => {
    const hard = random();
    return Array.from({ length: size }, (): PoolSample => {
      if (random() < 0.1) return { group: null, correct: false, prm: null, orm: null };
      const correct = random() > hard;
      const group = correct ? 0 : 1 + Math.floor(random() * 5);
      const prm = scoreOf(Math.min(1, 0.6 * random() + (correct ? 0.4 : 0)));
      const orm = scoreOf(Math.min(1, 0.8 * random() + (correct ? 0.2 : 0)));
      return { group, correct, prm, orm };
    });
  });
}

describe('curves over problems', () => {
  test('the parts are the single curves, and the mean is over problems', () => {
    const pools = makePools(6, 10);
    const { curves } = poolCurves(pools, { bootstrapResamples: 50 });
    expect(Object.keys(curves).sort()).toEqual([...CURVE_NAMES].sort());
    for (const name of CURVE_NAMES) {
      expect(curves[name].points.map((point) => point.n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      for (const [i, point] of curves[name].points.entries()) {
        expect(point.mean).toBeCloseTo(mean(curves[name].byProblem.map((values) => values[i]!)), 12);
      }
    }
    expect(curves.prm.byProblem[2]).toEqual(
      bestOfNCurve(pools[2]!.map(({ prm, correct }) => ({ score: prm, correct }))),
    );
    // At n = 1 every method is the share of correct samples: there is nothing to choose from.
    for (const name of CURVE_NAMES) {
      expect(curves[name].points[0]!.mean).toBeCloseTo(curves.pass.points[0]!.mean, 12);
      expect(curves[name].points[0]!.resamplingError).toBe(0);
    }
  });

  test('no method exceeds pass@n', () => {
    const { curves } = poolCurves(makePools(20, 12), { bootstrapResamples: 10, voteResamples: 200 });
    for (const name of CURVE_NAMES) {
      for (const [i, point] of curves[name].points.entries()) {
        expect(point.mean).toBeLessThanOrEqual(
          curves.pass.points[i]!.mean + 5 * point.resamplingError + 1e-12,
        );
      }
    }
  });

  test('adding problems at the end changes nothing for those before', () => {
    const pools = makePools(5, 9);
    const few = poolCurves(pools.slice(0, 3), { bootstrapResamples: 10 });
    const more = poolCurves(pools, { bootstrapResamples: 10 });
    for (const name of CURVE_NAMES) {
      expect(more.curves[name].byProblem.slice(0, 3)).toEqual(few.curves[name].byProblem);
    }
  });

  test('the smallest pool bounds n; no problems, an empty pool: no points', () => {
    const pools = makePools(3, 8);
    const { curves } = poolCurves([pools[0]!, pools[1]!.slice(0, 5), pools[2]!]);
    expect(curves.prm.points).toHaveLength(5);
    expect(curves.prm.byProblem[0]).toHaveLength(8);
    expect(poolCurves([]).curves.prm.points).toEqual([]);
    expect(poolCurves([[], pools[0]!]).curves.majority.points).toEqual([]);
  });

  test('one problem has no interval; equal problems have Wilson’s, others the bootstrap’s', () => {
    const right: PoolSample = { group: 0, correct: true, prm: scoreOf(1), orm: scoreOf(1) };
    expect(poolCurves([[right, right]]).curves.prm.points[1]).toMatchObject({ mean: 1, interval: null });
    const all = poolCurves(new Array<PoolSample[]>(10).fill([right, right])).curves.prm.points[1]!;
    expect(all.interval).toMatchObject({ method: 'wilson', high: 1 });
    expect(all.interval!.low).toBeCloseTo(0.7225, 3);
    const mixed = poolCurves(makePools(30, 6)).curves.prm.points[3]!;
    expect(mixed.interval!.method).toBe('bootstrap');
    expect(mixed.interval!.low).toBeLessThan(mixed.mean);
    expect(mixed.interval!.high).toBeGreaterThan(mixed.mean);
  });

  test('the same seed gives the same curves', () => {
    const pools = makePools(4, 6);
    expect(poolCurves(pools, { seed: 3 })).toEqual(poolCurves(pools, { seed: 3 }));
  });

  test('in slices: the same numbers, with pauses, and a pause that rejects cancels', async () => {
    const pools = makePools(60, 40);
    let pauses = 0;
    const curves = await poolCurvesInSlices(pools, { seed: 3 }, () => {
      pauses += 1;
      return Promise.resolve();
    });
    expect(curves).toEqual(poolCurves(pools, { seed: 3 }));
    expect(pauses).toBeGreaterThan(0);
    const cancelled = poolCurvesInSlices(pools, {}, () => Promise.reject(new Error('cancelled')));
    await expect(cancelled).rejects.toThrow('cancelled');
  });

  test('a paired difference sees what overlapping intervals hide', () => {
    const { curves } = poolCurves(makePools(100, 16));
    const at = (name: 'prm' | 'orm'): number[] => curves[name].byProblem.map((values) => values[7]!);
    expect(curves.prm.points[7]!.interval!.low).toBeLessThan(curves.orm.points[7]!.interval!.high);
    const difference = pairedDifference(at('prm'), at('orm'));
    expect(difference.mean).toBeGreaterThan(0);
    expect(difference.interval!.low).toBeGreaterThan(0);
  });

  test('200 problems of 64 samples, all n, all methods: about a second', () => {
    const pools = makePools(200, 64);
    const start = performance.now();
    const { curves } = poolCurves(pools);
    const took = performance.now() - start;
    expect(curves.prm.points).toHaveLength(64);
    // 0.6 s on two slow cores when alone; the margin is for a machine that is busy with other tests.
    expect(took).toBeLessThan(4000);
  });
});

describe('pools', () => {
  test('samples without an answer lose their scores, equal answers share a group', () => {
    const pool = poolOf([
      { answer: '1,000', correct: true, prm: scoreOf(0.5), orm: null },
      { answer: null, correct: true, prm: scoreOf(1), orm: scoreOf(1) },
      { answer: '1000', correct: true, prm: null, orm: scoreOf(0.2) },
      { answer: '7', correct: false, prm: null, orm: null },
    ]);
    expect(pool.map((sample) => sample.group)).toEqual([0, null, 0, 1]);
    expect(pool[1]).toEqual({ group: null, correct: false, prm: null, orm: null });
    expect(pool[2]).toMatchObject({ correct: true, prm: null, orm: scoreOf(0.2) });
  });

  test('a run without a known answer has no pool', () => {
    expect(poolOfRun(runOf([{ answer: '1' }]), product)).toBeNull();
    expect(poolOfRun(runOf([], '1'), product)).toEqual([]);
  });

  test('at n = N with ties to the earliest, curves agree with the picks', () => {
    const grade = fc.constantFrom(0.25, 0.5, 1);
    const lane: fc.Arbitrary<Lane> = fc.record({
      answer: fc.option(fc.constantFrom('1', '2', '3'), { nil: null }),
      rewards: fc.array(fc.option(grade, { freq: 6, nil: null }), { maxLength: 3 }),
      outcome: fc.option(grade, { nil: null }),
    });
    fc.assert(
      fc.property(fc.array(lane, { minLength: 1, maxLength: 8 }), (lanes) => {
        const run = runOf(lanes, '2');
        const { curves } = poolCurves([poolOfRun(run, product, bySpelling)!], {
          ties: 'earliest',
          voteResamples: 1,
        });
        const picks = {
          prm: pickByPrm(run, product, bySpelling),
          orm: pickByOrm(run, product, bySpelling),
          majority: pickByMajority(run, product, bySpelling),
          'prm-weighted': pickByWeightedVote(run, product, 'prm', bySpelling),
          'orm-weighted': pickByWeightedVote(run, product, 'orm', bySpelling),
        };
        for (const [name, pick] of Object.entries(picks)) {
          const right = pick.kind === 'picked' && pick.answer === '2';
          expect(curves[name as keyof typeof picks].points.at(-1)!.mean).toBeCloseTo(Number(right), 12);
        }
      }),
      { numRuns: 200 },
    );
  });
});
