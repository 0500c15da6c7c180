import { describe, expect, it } from 'vitest';
import type { VerifierHead } from '../../../src/domain/verifier.ts';
import { readHead, readableHead, type ReadableHead } from '../../../src/scoring/read-head.ts';

const row = (...values: number[]): Float32Array => Float32Array.from(values);
const encode = (text: string): number[] => [...text].map((character) => character.charCodeAt(0));

const probabilities = { kind: 'probability', output: 'rewards', index: 1, width: 2 } as const;
const labels = { kind: 'labels', output: 'logits', positive: 1, width: 2 } as const;
const sigmoid = { kind: 'sigmoid', output: 'values' } as const;
const tokens = { kind: 'tokens', output: 'logits', good: 2, bad: 0 } as const;

describe('a head', () => {
  it('of probabilities is read at its index', () => {
    expect(readHead(probabilities, row(0.25, 0.75))).toBe(0.75);
    expect(readHead({ ...probabilities, index: 0 }, row(0.25, 0.75))).toBe(0.25);
  });

  it('of labels is a softmax at the positive one', () => {
    expect(readHead(labels, row(0, Math.log(3)))).toBeCloseTo(0.75, 6);
    expect(readHead({ ...labels, positive: 0 }, row(0, Math.log(3)))).toBeCloseTo(0.25, 6);
    expect(readHead({ ...labels, positive: 2, width: 3 }, row(0, 0, Math.log(2)))).toBeCloseTo(0.5, 6);
  });

  it('of one value is its sigmoid', () => {
    expect(readHead(sigmoid, row(0))).toBe(0.5);
    expect(readHead(sigmoid, row(Math.log(9)))).toBeCloseTo(0.9, 6);
    expect(readHead(sigmoid, row(-Math.log(9)))).toBeCloseTo(0.1, 6);
  });

  it('of two tokens is a softmax over these two, whatever the others are', () => {
    expect(readHead(tokens, row(0, 50, Math.log(4), -50))).toBeCloseTo(0.8, 6);
    expect(readHead(tokens, row(Math.log(4), NaN, 0))).toBeCloseTo(0.2, 6);
  });

  it('stays a probability for large logits', () => {
    for (const large of [100, 1_000, 3e38]) {
      expect(readHead(labels, row(-large, large))).toBe(1);
      expect(readHead(labels, row(large, -large))).toBeCloseTo(0, 12);
      expect(readHead(sigmoid, row(large))).toBe(1);
      expect(readHead(sigmoid, row(-large))).toBeCloseTo(0, 12);
      expect(readHead(tokens, row(large, 0, 0))).toBeCloseTo(0, 12);
      expect(readHead(tokens, row(0, 0, large))).toBe(1);
    }
  });
});

describe('what is no probability is refused', () => {
  it.each<[string, ReadableHead, Float32Array]>([
    ['NaN for a probability', probabilities, row(0.5, NaN)],
    ['a probability above 1', probabilities, row(0.5, 1.01)],
    ['a probability below 0', probabilities, row(0.5, -0.01)],
    ['an index that is not there', { ...probabilities, index: 2 }, row(0.5, 0.5)],
    ['NaN for a label', labels, row(0, NaN)],
    ['NaN for the other label', labels, row(NaN, 0)],
    ['a label that overflowed', labels, row(0, Infinity)],
    ['a label that overflowed downwards', labels, row(-Infinity, 0)],
    ['a positive label that is not there', { ...labels, positive: 2 }, row(0, 0)],
    ['NaN for a value', sigmoid, row(NaN)],
    ['a value that overflowed', sigmoid, row(Infinity)],
    ['NaN for a verdict', tokens, row(0, 0, NaN)],
    ['a verdict that overflowed', tokens, row(0, 0, Infinity)],
    ['both verdicts overflowed', tokens, row(Infinity, 0, Infinity)],
    ['a verdict outside the vocabulary', tokens, row(0, 0)],
  ])('%s', (_, head, values) => {
    expect(() => readHead(head, values)).toThrow(/no probability/);
  });

  it.each<[ReadableHead, Float32Array, RegExp]>([
    [probabilities, row(0.5), /gives 1 numbers.*reads 2/],
    [labels, row(0, 0, 0), /gives 3 numbers.*reads 2/],
    [sigmoid, row(0, 0), /gives 2 numbers.*reads 1/],
    [sigmoid, row(), /gives 0 numbers.*reads 1/],
  ])('an output of another width: %o', (head, values, message) => {
    expect(() => readHead(head, values)).toThrow(message);
  });
});

describe('verdicts', () => {
  const head: VerifierHead = { kind: 'tokens', output: 'logits', good: '+', bad: '-' };

  it('are looked up once', () => {
    expect(readableHead(head, encode)).toEqual({ kind: 'tokens', output: 'logits', good: 43, bad: 45 });
  });

  it('of two tokens, or none, are refused by name', () => {
    expect(() => readableHead({ ...head, bad: 'No' }, encode)).toThrow(/"No" has 2 tokens/);
    expect(() => readableHead({ ...head, good: '' }, encode)).toThrow(/"" has 0 tokens/);
  });

  it('are none of other heads', () => {
    for (const other of [probabilities, labels, sigmoid] as const)
      expect(readableHead(other, encode)).toBe(other);
  });
});
