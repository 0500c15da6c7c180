import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { REDUCTIONS } from '../../../src/domain/pick.ts';
import {
  compareScores,
  reduceRewards,
  rewardsInUse,
  solutionLogScore,
  solutionScore,
  stepReward,
  sum,
} from '../../../src/picks/reduce.ts';

const probability = fc.double({ min: 0, max: 1, noNaN: true });
const rewards = fc.array(probability, { minLength: 1, maxLength: 40 });

describe('reductions', () => {
  test('known values', () => {
    const r = [0.9, 0.5, 0.8];
    expect(solutionScore(r, 'product')).toBeCloseTo(0.36, 14);
    expect(solutionScore(r, 'min')).toBe(0.5);
    expect(solutionScore(r, 'last')).toBe(0.8);
    expect(solutionScore(r, 'mean')).toBeCloseTo(2.2 / 3, 14);
    expect(solutionScore(r, 'geometric-mean')).toBeCloseTo(0.36 ** (1 / 3), 14);
  });

  test('one step: every reduction is its reward', () => {
    for (const reduction of REDUCTIONS) expect(solutionScore([0.37], reduction)).toBe(0.37);
  });

  test('no step has no score, and what is not a probability is rejected', () => {
    for (const reduction of REDUCTIONS) {
      expect(() => solutionScore([], reduction)).toThrow(RangeError);
      for (const bad of [Number.NaN, -0.1, 1.1, Infinity, -Infinity]) {
        expect(() => solutionScore([0.5, bad], reduction)).toThrow(RangeError);
      }
      expect(() => solutionScore(['0.5' as unknown as number], reduction)).toThrow(RangeError);
    }
  });

  test('40 steps of 1e-9: the number has underflowed, the log has not, and close ones do not tie', () => {
    const tiny = reduceRewards(new Array<number>(40).fill(1e-9), 'product');
    const less = reduceRewards([...new Array<number>(39).fill(1e-9), 0.999999e-9], 'product');
    expect(tiny.value).toBe(0);
    expect(tiny.log).toBeCloseTo(40 * Math.log(1e-9), 9);
    expect(compareScores(tiny, less)).toBe(1);
    expect(compareScores(less, tiny)).toBe(-1);
    expect(compareScores(tiny, reduceRewards(new Array<number>(40).fill(0), 'product'))).toBe(1);
    expect(solutionScore(new Array<number>(40).fill(1e-9), 'geometric-mean')).toBeCloseTo(1e-9, 20);
  });

  test('a reward of 0 gives a product of 0 whatever the others are', () => {
    expect(reduceRewards([0, 1e-300, 0.5], 'product')).toEqual({ value: 0, log: -Infinity });
    expect(reduceRewards([0, 0.5], 'geometric-mean')).toEqual({ value: 0, log: -Infinity });
  });

  test('product <= min <= geometric mean <= mean <= max', () => {
    fc.assert(
      fc.property(rewards, (r) => {
        const score = (reduction: (typeof REDUCTIONS)[number]): number => solutionScore(r, reduction);
        const slack = 1e-12;
        expect(score('product')).toBeLessThanOrEqual(score('min') + slack);
        expect(score('min')).toBeLessThanOrEqual(score('geometric-mean') + slack);
        expect(score('geometric-mean')).toBeLessThanOrEqual(score('mean') + slack);
        expect(score('mean')).toBeLessThanOrEqual(Math.max(...r));
      }),
    );
  });

  test('the order of the rewards changes no bit, but for last', () => {
    fc.assert(
      fc.property(rewards, fc.infiniteStream(fc.nat()), (r, keys) => {
        const shuffled = r
          .map((reward) => [keys.next().value as number, reward] as const)
          .sort((a, b) => a[0] - b[0])
          .map(([, reward]) => reward);
        for (const reduction of ['product', 'min', 'mean', 'geometric-mean'] as const) {
          expect(reduceRewards(shuffled, reduction)).toEqual(reduceRewards(r, reduction));
        }
      }),
    );
  });

  test('the log is the log of the number where there is one', () => {
    fc.assert(
      fc.property(rewards, fc.constantFrom(...REDUCTIONS), (r, reduction) => {
        const { value, log } = reduceRewards(r, reduction);
        if (value > 1e-300) expect(log).toBeCloseTo(Math.log(value), 9);
        expect(solutionLogScore(r, reduction)).toBe(log);
      }),
    );
  });

  test('raising a reward never lowers a score', () => {
    fc.assert(
      fc.property(rewards, fc.nat(), probability, fc.constantFrom(...REDUCTIONS), (r, at, up, reduction) => {
        const i = at % r.length;
        const raised = r.map((reward, k) => (k === i ? Math.max(reward, up) : reward));
        const [a, b] = [reduceRewards(raised, reduction), reduceRewards(r, reduction)];
        expect(a.log).toBeGreaterThanOrEqual(b.log - 1e-12 * Math.abs(b.log === -Infinity ? 1 : b.log));
      }),
    );
  });
});

test('a compensated sum keeps what plain addition loses', () => {
  expect(sum([1, 1e16, 1, -1e16])).toBe(2);
  expect(sum([])).toBe(0);
});

describe('the neutral class', () => {
  const classes = { positive: 0.6, neutral: 0.3, negative: 0.1 };

  test('counts as positive or as negative', () => {
    expect(stepReward(classes, 'positive')).toBeCloseTo(0.9, 15);
    expect(stepReward(classes, 'negative')).toBeCloseTo(0.6, 15);
  });

  test('a model whose probabilities sum to 1 only nearly still gives a probability', () => {
    expect(stepReward({ positive: 0.7, neutral: 0.3002, negative: 0 }, 'positive')).toBe(1);
  });

  test('what are not three probabilities is rejected', () => {
    for (const bad of [
      { positive: Number.NaN, neutral: 0.5, negative: 0.5 },
      { positive: 0.5, neutral: 0.5, negative: 0.5 },
      { positive: 1.5, neutral: -0.5, negative: 0 },
      { positive: 0, neutral: 0, negative: 0 },
    ]) {
      expect(() => stepReward(bad, 'positive')).toThrow(RangeError);
    }
  });

  test('positive is never below negative, and both are probabilities', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1e-6, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 }),
        (raw) => {
          const total = raw[0]! + raw[1]! + raw[2]!;
          const three = { positive: raw[0]! / total, neutral: raw[1]! / total, negative: raw[2]! / total };
          const [up, down] = [stepReward(three, 'positive'), stepReward(three, 'negative')];
          expect(up).toBeGreaterThanOrEqual(down);
          expect(down).toBeGreaterThanOrEqual(0);
          expect(up).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  test('rewards in use: classes go before the number, bad ones become NaN, unread steps null', () => {
    const steps = [
      { reward: 0.2, classes },
      { reward: 0.4, classes: null },
      { reward: 0.7 },
      { reward: null },
      { reward: 1.2 },
      { reward: 0.5, classes: { positive: 2, neutral: 0, negative: 0 } },
    ];
    const used = rewardsInUse(steps, 'negative');
    expect(used[0]).toBeCloseTo(0.6, 15);
    expect(used.slice(1)).toEqual([0.4, 0.7, null, Number.NaN, Number.NaN]);
    expect(rewardsInUse(steps)[0]).toBeCloseTo(0.9, 15);
  });
});
