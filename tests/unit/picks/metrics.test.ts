import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calibration, correlation, lengthBias } from '../../../src/picks/calibration.ts';
import {
  bestThreshold,
  labelSteps,
  meanRanks,
  mistakeReport,
  stepAuc,
  type LabelledSolution,
} from '../../../src/picks/metrics.ts';
import { findMistake, firstMistake } from '../../../src/picks/mistake.ts';
import { scoreOf } from '../../../src/picks/reduce.ts';
import { mean } from './runs.ts';

const probability = fc.double({ min: 0, max: 1, noNaN: true });

describe('first suspected mistake', () => {
  test('the first step below the threshold', () => {
    expect(firstMistake([0.9, 0.5, 0.49, 0.1])).toBe(2);
    expect(firstMistake([0.9, 0.5, 0.49, 0.1], 0.6)).toBe(1);
    expect(firstMistake([0.9, 0.5], 0.5)).toBeNull();
    expect(firstMistake([])).toBeNull();
    expect(firstMistake([0], 0)).toBeNull();
    // PRM_large's rule, P(negative) > 20%.
    expect(firstMistake([0.8, 0.79], 0.8)).toBe(1);
  });

  test('nothing is said behind a step without a reward', () => {
    expect(findMistake([0.9, null, 0.1])).toEqual({ kind: 'unknown', step: 1 });
    expect(findMistake([0.1, null])).toEqual({ kind: 'mistake', step: 0 });
    expect(findMistake([0.9, Number.NaN])).toEqual({ kind: 'unknown', step: 1 });
    expect(findMistake([0.9])).toEqual({ kind: 'none' });
    expect(firstMistake([null, 0.1])).toBeNull();
  });

  test('a higher threshold never moves it later', () => {
    fc.assert(
      fc.property(fc.array(probability), probability, probability, (rewards, a, b) => {
        const low = firstMistake(rewards, Math.min(a, b)) ?? Infinity;
        const high = firstMistake(rewards, Math.max(a, b)) ?? Infinity;
        expect(high).toBeLessThanOrEqual(low);
      }),
    );
  });
});

describe('first-mistake exact match and ProcessBench F1', () => {
  const solutions: LabelledSolution[] = [
    { rewards: [0.9, 0.2, 0.9], firstMistake: 1 }, // found
    { rewards: [0.9, 0.2, 0.1], firstMistake: 2 }, // too early
    { rewards: [0.9, 0.9], firstMistake: 0 }, // missed
    { rewards: [0.9, 0.8, 0.1], firstMistake: 2 }, // found
    { rewards: [0.9, 0.9], firstMistake: null }, // rightly none
    { rewards: [0.9, 0.3], firstMistake: null }, // false alarm
    { rewards: [0.9, null], firstMistake: 1 }, // not scored
    { rewards: [0.6, 0.7, 0.8], firstMistake: null }, // rightly none
  ];

  test('counted by hand', () => {
    const report = mistakeReport(solutions);
    expect(report.erroneous).toMatchObject({ hits: 2, count: 4, value: 0.5 });
    expect(report.correct).toMatchObject({ hits: 2, count: 3, value: 2 / 3 });
    expect(report.exact).toMatchObject({ hits: 4, count: 7 });
    expect(report.f1).toBeCloseTo((2 * 0.5 * (2 / 3)) / (0.5 + 2 / 3), 14);
    expect(report.unscored).toBe(1);
    expect(report.exact.interval!.low).toBeGreaterThan(0);
  });

  test('no F1 where one kind is missing, 0 where nothing is found', () => {
    expect(mistakeReport([])).toMatchObject({ f1: null, exact: { value: null, interval: null } });
    expect(mistakeReport([{ rewards: [0.1], firstMistake: 0 }]).f1).toBeNull();
    expect(
      mistakeReport([
        { rewards: [0.9], firstMistake: 0 },
        { rewards: [0.1], firstMistake: null },
      ]).f1,
    ).toBe(0);
  });

  test('the best threshold is the lowest with the best F1', () => {
    const best = bestThreshold([
      { rewards: [0.9, 0.6], firstMistake: 1 },
      { rewards: [0.9, 0.8], firstMistake: null },
    ])!;
    expect(best.f1).toBe(1);
    expect(best.threshold).toBe(0.61);
    expect(bestThreshold([])).toBeNull();
  });

  test('F1 lies between the two accuracies, nearer to the lower one', () => {
    const solution = fc.record({
      rewards: fc.array(probability, { minLength: 1, maxLength: 5 }),
      firstMistake: fc.option(fc.integer({ min: 0, max: 4 }), { nil: null }),
    });
    fc.assert(
      fc.property(fc.array(solution), (all) => {
        const { f1, erroneous, correct } = mistakeReport(all);
        if (f1 === null) return;
        const [low, high] = [erroneous.value!, correct.value!].sort((a, b) => a - b);
        expect(f1).toBeGreaterThanOrEqual(low! - 1e-12);
        expect(f1).toBeLessThanOrEqual((low! + high!) / 2 + 1e-12);
      }),
    );
  });
});

describe('step AUC within problem', () => {
  const step = fc.record({ reward: fc.constantFrom(0, 0.1, 0.5, 0.5, 0.9, 1), correct: fc.boolean() });

  test('equals counting all pairs', () => {
    fc.assert(
      fc.property(fc.array(fc.array(step, { maxLength: 12 }), { maxLength: 6 }), (problems) => {
        const counted = problems.map((steps) => {
          const won = steps
            .filter((a) => a.correct)
            .flatMap((a) =>
              steps
                .filter((b) => !b.correct)
                .map((b) => (a.reward > b.reward ? 1 : a.reward === b.reward ? 0.5 : 0)),
            );
          return won;
        });
        const usable = counted.filter((won) => won.length > 0);
        const auc = stepAuc(problems);
        expect(auc.problems).toBe(usable.length);
        expect(auc.skipped).toBe(problems.length - usable.length);
        expect(auc.pairs).toBe(usable.flat().length);
        if (usable.length === 0) {
          expect([auc.mean, auc.pooled]).toEqual([null, null]);
        } else {
          expect(auc.mean).toBeCloseTo(mean(usable.map(mean)), 12);
          expect(auc.pooled).toBeCloseTo(mean(usable.flat()), 12);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('knowing only which problem is hard is worth 1/2', () => {
    const easy = [0.9, 0.9, 0.9].map((reward, i) => ({ reward, correct: i < 2 }));
    const hard = [0.1, 0.1, 0.1].map((reward, i) => ({ reward, correct: i < 1 }));
    expect(stepAuc([easy, hard])).toMatchObject({ mean: 0.5, pooled: 0.5 });
  });

  test('a reward that is not a number is rejected', () => {
    expect(() => stepAuc([[{ reward: Number.NaN, correct: true }]])).toThrow(RangeError);
  });

  test('labels stop at the first mistake, unscored steps are left out', () => {
    expect(labelSteps({ rewards: [0.9, null, 0.2, 0.8], firstMistake: 2 })).toEqual([
      { reward: 0.9, correct: true },
      { reward: 0.2, correct: false },
    ]);
    expect(labelSteps({ rewards: [0.9, 0.8], firstMistake: null }).every((s) => s.correct)).toBe(true);
  });

  test('ranks', () => {
    expect(meanRanks([3, 1, 3, 2])).toEqual([3.5, 1, 3.5, 2]);
    expect(meanRanks([])).toEqual([]);
    expect(meanRanks([-Infinity, 0, -Infinity])).toEqual([1.5, 3, 1.5]);
  });
});

describe('calibration', () => {
  test('counted by hand', () => {
    const { bins, ece, brier, count } = calibration(
      [
        { probability: 0.05, correct: false },
        { probability: 0.15, correct: true },
        { probability: 0.15, correct: false },
        { probability: 1, correct: true },
      ],
      10,
    );
    expect(count).toBe(4);
    expect(bins).toHaveLength(10);
    expect(bins[0]).toMatchObject({ count: 1, predicted: 0.05, observed: 0 });
    expect(bins[1]).toMatchObject({ count: 2, predicted: 0.15, observed: 0.5 });
    expect(bins[2]).toMatchObject({ count: 0, predicted: null, observed: null, interval: null });
    expect(bins[9]).toMatchObject({ low: 0.9, high: 1, count: 1, predicted: 1, observed: 1 });
    expect(ece).toBeCloseTo((1 * 0.05 + 2 * 0.35) / 4, 14);
    expect(brier).toBeCloseTo((0.0025 + 0.7225 + 0.0225) / 4, 14);
  });

  test('every prediction is in the one bin whose edges hold it', () => {
    const edge = fc.tuple(fc.nat(100), fc.constant(100)).map(([i, n]) => i / n);
    fc.assert(
      fc.property(fc.oneof(edge, probability), fc.integer({ min: 1, max: 100 }), (p, count) => {
        const { bins } = calibration([{ probability: p, correct: true }], count);
        const held = bins.filter((bin) => bin.count === 1);
        expect(held).toHaveLength(1);
        expect(p).toBeGreaterThanOrEqual(held[0]!.low);
        if (p < 1) expect(p).toBeLessThan(held[0]!.high);
      }),
      { numRuns: 1000 },
    );
  });

  test('ECE is from 0 to 1, and with one bin it is the difference of the means', () => {
    const prediction = fc.record({ probability, correct: fc.boolean() });
    fc.assert(
      fc.property(fc.array(prediction, { minLength: 1 }), (predictions) => {
        const { ece, brier, bins } = calibration(predictions);
        expect(ece).toBeGreaterThanOrEqual(0);
        expect(ece).toBeLessThanOrEqual(1);
        expect(brier).toBeLessThanOrEqual(1);
        expect(bins.reduce((n, bin) => n + bin.count, 0)).toBe(predictions.length);
        const single = Math.abs(
          mean(predictions.map((p) => p.probability)) - mean(predictions.map((p) => Number(p.correct))),
        );
        expect(calibration(predictions, 1).ece).toBeCloseTo(single, 12);
      }),
    );
  });

  test('no predictions, bad predictions, bad bins', () => {
    expect(calibration([])).toMatchObject({ ece: null, brier: null, count: 0 });
    for (const bad of [Number.NaN, -0.1, 1.1]) {
      expect(() => calibration([{ probability: bad, correct: true }])).toThrow(RangeError);
    }
    expect(() => calibration([], 0)).toThrow(RangeError);
    expect(() => calibration([], 2.5)).toThrow(RangeError);
  });
});

describe('length bias', () => {
  const sample = (steps: number, value: number) => ({ steps, score: scoreOf(value) });

  test('a constant reward a step makes the product fall with length', () => {
    const bias = lengthBias([[1, 2, 3, 4, 5].map((steps) => sample(steps, 0.9 ** steps))]);
    expect(bias.spearman).toBeCloseTo(-1, 12);
    expect(bias.pearson).toBeLessThan(-0.99);
    expect(bias).toMatchObject({ solutions: 5, problems: 1 });
  });

  test('hard problems with long solutions are no bias within a problem', () => {
    const easy = [sample(2, 0.9), sample(3, 0.8), sample(3, 1)];
    const hard = [sample(8, 0.1), sample(9, 0.2), sample(9, 0)];
    const bias = lengthBias([easy, hard]);
    expect(bias.pearson).toBeLessThan(-0.9);
    expect(bias.withinProblem).toBeCloseTo(0, 12);
  });

  test('not defined where nothing varies', () => {
    const none = { pearson: null, spearman: null, withinProblem: null };
    expect(lengthBias([])).toMatchObject(none);
    expect(lengthBias([[]])).toMatchObject(none);
    expect(lengthBias([[sample(3, 0.5)]])).toMatchObject(none);
    expect(lengthBias([[sample(3, 0.5), sample(3, 0.7)]])).toMatchObject(none);
    expect(lengthBias([[sample(1, 0.3), sample(2, 0.3), sample(4, 0.3)]])).toMatchObject(none);
  });

  test('scores that have underflowed still have ranks', () => {
    const tiny = (steps: number) => ({ steps, score: { value: 0, log: -300 * steps } });
    const bias = lengthBias([[tiny(3), tiny(4), tiny(5)]]);
    expect(bias.pearson).toBeNull();
    expect(bias.spearman).toBeCloseTo(-1, 12);
    const small = [1, 2, 3].map((steps) => sample(steps, 1e-200 / steps));
    expect(lengthBias([small]).pearson).toBeLessThan(-0.9);
  });

  test('correlation: symmetric, from -1 to 1, unchanged by scale and shift', () => {
    const value = fc.integer({ min: -1000, max: 1000 });
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value), { minLength: 2, maxLength: 20 }), (pairs) => {
        const x = pairs.map(([a]) => a);
        const y = pairs.map(([, b]) => b);
        const r = correlation(x, y);
        if (r === null) return;
        expect(Math.abs(r)).toBeLessThanOrEqual(1);
        expect(correlation(y, x)).toBeCloseTo(r, 10);
        expect(
          correlation(
            x.map((a) => 3 * a + 7),
            y.map((b) => -2 * b),
          ),
        ).toBeCloseTo(-r, 10);
      }),
    );
    expect(correlation([1, 2, 3], [2, 4, 6])).toBeCloseTo(1, 14);
    expect(() => correlation([1], [])).toThrow(RangeError);
    expect(() => correlation([1, Number.NaN], [1, 2])).toThrow(RangeError);
  });
});
