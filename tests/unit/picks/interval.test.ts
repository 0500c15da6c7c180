import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bootstrapMeans, pairedDifference, wilson } from '../../../src/picks/interval.ts';
import { streams } from '../../../src/picks/random.ts';
import { mean } from './runs.ts';

describe('Wilson', () => {
  test('published values', () => {
    // R: prop.test(15, 148, correct = FALSE), as in Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    for (const [hits, total, low, high] of [
      [81, 263, 0.2553, 0.3662],
      [15, 148, 0.0624, 0.1605],
      [0, 20, 0, 0.1611],
      [1, 29, 0.0061, 0.1718],
    ] as const) {
      const interval = wilson(hits, total);
      expect(interval.low).toBeCloseTo(low, 4);
      expect(interval.high).toBeCloseTo(high, 4);
    }
  });

  test('holds the proportion, is symmetric, keeps a width at the ends', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (total, p) => {
          const { low, high } = wilson(p * total, total);
          expect(low).toBeLessThanOrEqual(p + 1e-12);
          expect(high).toBeGreaterThanOrEqual(p - 1e-12);
          expect(high - low).toBeGreaterThan(0);
          const mirror = wilson(total - p * total, total);
          expect(mirror.low).toBeCloseTo(1 - high, 9);
        },
      ),
    );
    expect(wilson(0, 0)).toMatchObject({ low: 0, high: 1 });
    expect(wilson(5, 5).high).toBe(1);
  });

  test('what cannot be is rejected', () => {
    for (const [hits, total] of [
      [2, 1],
      [-1, 5],
      [Number.NaN, 5],
    ] as const) {
      expect(() => wilson(hits, total)).toThrow(RangeError);
    }
  });
});

describe('bootstrap over problems', () => {
  test('the width is that of the normal approximation on many problems', () => {
    const values = Array.from({ length: 400 }, (_, i) => [i % 4 === 0 ? 1 : 0]);
    const [result] = bootstrapMeans(values, 1, { resamples: 4000 });
    expect(result!.mean).toBe(0.25);
    const half = 1.96 * Math.sqrt((0.25 * 0.75) / 400);
    expect(result!.interval!.low).toBeCloseTo(0.25 - half, 2);
    expect(result!.interval!.high).toBeCloseTo(0.25 + half, 2);
  });

  test('covers the truth about 95 times in 100', () => {
    const draw = streams(99)();
    let covered = 0;
    for (let trial = 0; trial < 300; trial++) {
      const rows = Array.from({ length: 50 }, () => [draw(1000) / 999]);
      const { low, high } = bootstrapMeans(rows, 1, { resamples: 300, seed: trial })[0]!.interval!;
      if (low <= 0.5 && high >= 0.5) covered += 1;
    }
    expect(covered / 300).toBeGreaterThan(0.9);
    expect(covered / 300).toBeLessThan(0.99);
  });

  test('lies within the values, and is seeded', () => {
    const row = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 2 });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 12 }), fc.nat(), (rows, seed) => {
        const results = bootstrapMeans(rows, 2, { resamples: 40, seed });
        expect(results).toEqual(bootstrapMeans(rows, 2, { resamples: 40, seed }));
        for (const [c, { mean: m, interval }] of results.entries()) {
          const column = rows.map((r) => r[c]!);
          expect(m).toBeCloseTo(mean(column), 12);
          if (interval === null) continue;
          expect(interval.low).toBeGreaterThanOrEqual(Math.min(...column) - 1e-12);
          expect(interval.high).toBeLessThanOrEqual(Math.max(...column) + 1e-12);
          expect(interval.low).toBeLessThanOrEqual(interval.high);
        }
      }),
    );
  });

  test('says nothing about one problem or about equal ones; rejects what is not a number', () => {
    expect(bootstrapMeans([[0.3]], 1)).toEqual([{ mean: 0.3, interval: null }]);
    expect(bootstrapMeans([[0.5], [0.5]], 1)).toEqual([{ mean: 0.5, interval: null }]);
    expect(bootstrapMeans([], 3)).toEqual([]);
    expect(() => bootstrapMeans([[Number.NaN]], 1)).toThrow(RangeError);
    expect(() => bootstrapMeans([[1]], 2)).toThrow(RangeError);
  });
});

describe('paired differences', () => {
  test('counts and mean', () => {
    const result = pairedDifference([1, 1, 0, 0.5], [0, 1, 1, 0]);
    expect(result).toMatchObject({ mean: 0.125, problems: 4, better: 2, worse: 1, same: 1 });
    expect(result.interval!.low).toBeLessThan(0.125);
  });

  test('swapping the two changes the sign', () => {
    const a = [1, 0.2, 0.4, 0.9, 0];
    const b = [0.5, 0.3, 0.1, 0.2, 0.6];
    const [ab, ba] = [pairedDifference(a, b), pairedDifference(b, a)];
    expect(ab.mean).toBeCloseTo(-ba.mean, 12);
    expect(ab.interval!.low).toBeCloseTo(-ba.interval!.high, 12);
    expect([ab.better, ab.worse]).toEqual([ba.worse, ba.better]);
  });

  test('a constant gain has no interval; other lengths are rejected', () => {
    expect(pairedDifference([0.5, 1], [0, 0.5])).toMatchObject({ mean: 0.5, interval: null });
    expect(pairedDifference([], [])).toMatchObject({ mean: 0, problems: 0, interval: null });
    expect(() => pairedDifference([1], [])).toThrow(RangeError);
  });
});

test('streams are reproducible and differ', () => {
  const take = (draw: (n: number) => number): number[] => Array.from({ length: 20 }, () => draw(1000));
  const [a, b] = [streams(1), streams(1)];
  const first = take(a());
  expect(take(b())).toEqual(first);
  const second = take(a());
  expect(second).not.toEqual(first);
  // The second stream does not depend on how much was drawn from the first.
  expect(take(b())).toEqual(second);
});
