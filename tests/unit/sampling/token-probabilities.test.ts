import { describe, expect, test } from 'vitest';
import { chooseToken } from '../../../src/sampling/choose-token.ts';
import { likeliestTokens, tokenLogprob } from '../../../src/sampling/token-probabilities.ts';

const logits = new Float32Array([9, 9, 1, 3, -2, 3, 0.5, 9]);

describe('probabilities of tokens', () => {
  test('are those of the row, and sum to one', () => {
    const all = [0, 1, 2, 3, 4].map((token) => Math.exp(tokenLogprob(logits, 2, 5, token)));
    expect(all.reduce((a, b) => a + b)).toBeCloseTo(1, 6);
    expect(all[1]! / all[0]!).toBeCloseTo(Math.exp(2), 6);
  });

  test('are what the sampler says of the token that it chose', () => {
    const filter = { temperature: 0.7, topK: 0, topP: 1, minP: 0 };
    const { token, logprob } = chooseToken(logits, 2, 5, filter, 0.5);
    expect(tokenLogprob(logits, 2, 5, token)).toBeCloseTo(logprob, 6);
  });

  test('are told for the likeliest, in order, ties by id', () => {
    expect(likeliestTokens(logits, 2, 5, 3).map(({ token }) => token)).toEqual([1, 3, 0]);
    expect(likeliestTokens(logits, 2, 5, 9).map(({ token }) => token)).toEqual([1, 3, 0, 4, 2]);
  });

  test.each([Number.NaN, Infinity])('are refused where a logit is %d', (bad) => {
    expect(() => tokenLogprob(new Float32Array([0, bad]), 0, 2, 0)).toThrow(RangeError);
    expect(() => likeliestTokens(new Float32Array([0, bad]), 0, 2, 5)).toThrow(RangeError);
  });
});
