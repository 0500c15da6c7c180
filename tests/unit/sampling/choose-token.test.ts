import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TokenFilter } from '../../../src/domain/token-choice.ts';
import { chooseToken } from '../../../src/sampling/choose-token.ts';
import { LEAST_EXPONENT, sumOfWeights, takeRow, weigh } from '../../../src/sampling/scan-row.ts';

const NO_FILTER: TokenFilter = { temperature: 1, topK: 0, topP: 1, minP: 0 };

/** The rules as they are written down: everything sorted, every exponential by Math.exp. */
function expected(row: readonly number[], filter: TokenFilter): { token: number; mass: number }[] {
  const { temperature, topK, topP, minP } = filter;
  const max = Math.max(...row);
  const filtered = (topK > 0 && topK < row.length) || topP < 1;
  let kept = row.map((logit, token) => ({ token, logit, mass: Math.exp((logit - max) / temperature) }));
  if (filtered) kept.sort((a, b) => b.logit - a.logit || a.token - b.token);
  if (topK > 0) kept = filtered ? kept.slice(0, topK) : kept;
  const whole = kept.reduce((total, { mass }) => total + mass, 0);
  if (topP < 1) {
    let before = 0;
    kept = kept.filter(({ mass }) => {
      before += mass;
      return before - mass < topP * whole;
    });
  }
  const floor = minP > 0 ? Math.log(minP) * temperature : -Infinity;
  return kept.filter(({ logit }, i) => (i === 0 && filtered) || logit - max >= floor);
}

const filters = fc.record({
  temperature: fc.double({ min: 0.1, max: 2, noNaN: true }),
  topK: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 60 })),
  topP: fc.oneof(fc.constant(1), fc.double({ min: 0.01, max: 0.999, noNaN: true })),
  minP: fc.oneof(fc.constant(0), fc.double({ min: 0.001, max: 1, noNaN: true })),
});
// Few different values, so that ties are common.
const rows = fc.array(
  fc.oneof(fc.integer({ min: -3, max: 3 }), fc.float({ min: -60, max: 8, noNaN: true })).map(Math.fround),
  { minLength: 1, maxLength: 50 },
);
const draws = fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true });

describe('chooseToken', () => {
  test('draws what sorting and Math.exp would draw', () => {
    fc.assert(
      fc.property(rows, filters, draws, (row, filter, u) => {
        const kept = expected(row, filter);
        const mass = kept.reduce((total, item) => total + item.mass, 0);
        let sum = 0;
        // Within rounding of an edge either neighbour is right.
        const right = kept.filter((item) => {
          sum += item.mass;
          return sum > (u - 1e-6) * mass && sum - item.mass < (u + 1e-6) * mass;
        });
        const { token } = chooseToken(Float32Array.from(row), 0, row.length, filter, u);
        expect(right.map((item) => item.token)).toContain(token);
      }),
      { numRuns: 2000 },
    );
  });

  test('says how likely the model held the token, whatever the filter', () => {
    fc.assert(
      fc.property(rows, filters, draws, (row, filter, u) => {
        const { token, logprob } = chooseToken(Float32Array.from(row), 0, row.length, filter, u);
        const max = Math.max(...row);
        const total = row.reduce((sum, logit) => sum + Math.exp(logit - max), 0);
        expect(logprob).toBeCloseTo(row[token]! - max - Math.log(total), 6);
      }),
    );
  });

  test('reads its own row only', () => {
    const logits = Float32Array.of(9, 9, 0, 1, 0, 9);
    expect(chooseToken(logits, 2, 3, { ...NO_FILTER, temperature: 0 }, 0.5).token).toBe(1);
    expect(chooseToken(logits, 2, 3, { ...NO_FILTER, topK: 1 }, 0.99).token).toBe(1);
  });

  test('the smaller id goes first among equals', () => {
    const logits = new Float32Array(1000).fill(3);
    expect(chooseToken(logits, 0, 1000, { ...NO_FILTER, temperature: 0 }, 0.5).token).toBe(0);
    expect(chooseToken(logits, 0, 1000, { ...NO_FILTER, topK: 10 }, 0.9999).token).toBe(9);
    expect(chooseToken(logits, 0, 1000, { ...NO_FILTER, topP: 0.0105 }, 0.9999).token).toBe(10);
  });

  test('what follows a larger vocabulary is not read from it', () => {
    chooseToken(new Float32Array(5000).fill(1), 0, 5000, NO_FILTER, 0.9);
    const { token } = chooseToken(Float32Array.of(0, 0), 0, 2, { ...NO_FILTER, topP: 0.9 }, 0.99);
    expect(token).toBe(1);
  });

  test.each([
    ['NaN', [1, NaN, 2]],
    ['NaN first', [NaN, 1]],
    ['infinity', [1, Infinity]],
    ['nothing but minus infinity', [-Infinity, -Infinity]],
  ])('%s is an error, not a token', (_, row) => {
    expect(() => chooseToken(Float32Array.from(row), 0, row.length, NO_FILTER, 0.5)).toThrow(RangeError);
  });

  test('a token of minus infinity is never drawn', () => {
    const logits = Float32Array.of(-Infinity, 0, -Infinity);
    for (const filter of [NO_FILTER, { ...NO_FILTER, topP: 0.99 }, { ...NO_FILTER, topK: 2 }]) {
      expect(chooseToken(logits, 0, 3, filter, 0.999999).token).toBe(1);
    }
  });
});

test('exponentials are right to 3e-7, and 0 from -40 down', () => {
  for (let x = LEAST_EXPONENT - 1; x <= 0; x += 0.000_91) {
    const exponent = Math.fround(x);
    takeRow(Float32Array.of(exponent));
    weigh(0, 1, -Infinity);
    const right = exponent > LEAST_EXPONENT ? Math.exp(exponent) : 0;
    expect(Math.abs(sumOfWeights(0, 8) - right)).toBeLessThanOrEqual(3e-7 * right);
  }
});
