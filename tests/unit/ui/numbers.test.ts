import { expect, test } from 'vitest';
import { formatReward } from '../../../src/ui/text/numbers.ts';

test.each([
  [1, '1.00'],
  [0.9999, '>0.999'],
  [0.998, '0.998'],
  [0.995, '0.995'],
  [0.994, '0.99'],
  [0.5, '0.50'],
  [0.005, '0.01'],
  [0.0049, '0.005'],
  [0.0012, '0.001'],
  [0.0001, '<0.001'],
  [0, '0.00'],
])('a reward of %d prints as %s: only certainty looks certain', (reward, text) => {
  expect(formatReward(reward)).toBe(text);
});
