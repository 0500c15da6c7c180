import { expect, test } from 'vitest';
import { readRewards } from '../../../src/scoring/read-rewards.ts';

const adapter = { kind: 'fused-rewards', prmIndex: 0, ormIndex: 1 } as const;

test('rewards are read at their position', () => {
  const rewards = new Float32Array([0.25, 0.5, 0.75, 1]);
  expect(readRewards(adapter, rewards, 1, 2)).toEqual({ step: 0.75, outcome: 1 });
  expect(readRewards(adapter, null, 1, 2)).toEqual({ step: null, outcome: null });
});

test.each([Number.NaN, Infinity, -0.1, 1.1])('a reward of %d is refused', (bad) => {
  expect(() => readRewards(adapter, new Float32Array([bad, 0.5]), 0, 2)).toThrow(/no probability/);
  expect(() => readRewards(adapter, new Float32Array([0.5, bad]), 0, 2)).toThrow(/no probability/);
});

test('a reward that is not there is refused', () => {
  expect(() => readRewards(adapter, new Float32Array([0.5]), 3, 2)).toThrow(/no probability/);
});
