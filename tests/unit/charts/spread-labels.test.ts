import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spreadLabels } from '../../../src/charts/spread-labels.ts';

describe('spreadLabels', () => {
  it('leaves labels that are apart where they are', () => {
    expect(spreadLabels([10, 50, 30], 10, 0, 100)).toEqual([10, 50, 30]);
  });

  it('moves labels that are too near, in their order', () => {
    expect(spreadLabels([50, 52, 51], 10, 0, 100)).toEqual([50, 70, 60]);
    expect(spreadLabels([99, 98], 10, 0, 100)).toEqual([100, 90]);
  });

  it('keeps the gap and the bounds wherever there is room', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 200, noNaN: true }), { maxLength: 10 }), (wishes) => {
        const placed = spreadLabels(wishes, 15, 0, 200);
        const sorted = [...placed].sort((a, b) => a - b);
        for (const [i, y] of sorted.entries()) {
          expect(y).toBeGreaterThanOrEqual(-1e-9);
          expect(y).toBeLessThanOrEqual(200 + 1e-9);
          if (i > 0) expect(y - sorted[i - 1]!).toBeGreaterThanOrEqual(15 - 1e-9);
        }
      }),
    );
  });
});
