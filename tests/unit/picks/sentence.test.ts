import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Pick } from '../../../src/domain/pick.ts';
import {
  pickAll,
  pickByMajority,
  pickByOrm,
  pickByPrm,
  pickByWeightedVote,
} from '../../../src/picks/pick.ts';
import { exclusionPhrase, formatScore, pickSentence, reasonPhrase } from '../../../src/picks/sentence.ts';
import { bySpelling, product, runOf, type Lane } from './runs.ts';

function phrase(pick: Pick): string {
  return pick.kind === 'picked' ? reasonPhrase(pick.reason) : pick.message;
}

const repeat = (count: number, lane: Lane): Lane[] => Array.from({ length: count }, () => lane);

describe('best-of-N', () => {
  test('against the best other answer', () => {
    const run = runOf([
      { answer: '1', rewards: [0.41], outcome: 0.7 },
      { answer: '2', rewards: [0.38], outcome: 0.9 },
    ]);
    expect(phrase(pickByPrm(run, product, bySpelling))).toBe('product 0.41 against 0.38');
    expect(pickSentence(pickByPrm(run, product, bySpelling))).toBe(
      'Lane 1 has the highest product of step rewards: 0.41 against 0.38 for lane 2, the best with another answer.',
    );
    expect(phrase(pickByOrm(run, product, bySpelling))).toBe('outcome reward 0.90 against 0.70');
    expect(phrase(pickByPrm(run, { reduction: 'geometric-mean', n: 64 }, bySpelling))).toBe(
      'geometric mean 0.41 against 0.38',
    );
  });

  test('as many digits as it takes to see the difference', () => {
    const close = runOf([
      { answer: '1', rewards: [0.9991] },
      { answer: '2', rewards: [0.9993] },
    ]);
    expect(phrase(pickByPrm(close, product, bySpelling))).toBe('product 0.9993 against 0.9991');
    const closer = runOf([
      { answer: '1', rewards: [0.5] },
      { answer: '2', rewards: [0.5000000001] },
    ]);
    expect(phrase(pickByPrm(closer, product, bySpelling))).toBe('product 0.50, barely ahead');
    expect(pickSentence(pickByPrm(closer, product, bySpelling))).toContain('0.50, barely more than lane 1');
  });

  test('products that have underflowed are shown from their logs', () => {
    const run = runOf([
      { answer: '1', rewards: new Array<number>(40).fill(1e-9) },
      { answer: '2', rewards: new Array<number>(40).fill(1.1e-9) },
    ]);
    expect(phrase(pickByPrm(run, product, bySpelling))).toBe('product 4.5e-359 against 1.0e-360');
  });

  test('a tie, one lane, one answer', () => {
    const tie = runOf([
      { answer: '1', rewards: [0.4] },
      { answer: '2', rewards: [0.4] },
    ]);
    expect(phrase(pickByPrm(tie, product, bySpelling))).toBe('product 0.40 in both, the earlier lane wins');
    expect(pickSentence(pickByPrm(tie, product, bySpelling))).toBe(
      'Lane 1 and lane 2 have the same product of step rewards, 0.40; the earlier lane is picked.',
    );
    const one = runOf([{ answer: '1', rewards: [0.4] }]);
    expect(phrase(pickByPrm(one, product))).toBe('product 0.40, the only lane');
    expect(pickSentence(pickByPrm(one, product))).toBe(
      'Only lane 1 could be picked; its product of step rewards is 0.40.',
    );
    const same = runOf(repeat(3, { answer: '1', rewards: [0.4] }));
    expect(phrase(pickByPrm(same, product))).toBe('product 0.40, all 3 lanes agree');
  });
});

describe('votes', () => {
  const run = runOf([
    ...repeat(5, { answer: '7', rewards: [0.5] }),
    ...repeat(3, { answer: '8', rewards: [0.9] }),
  ]);

  test('majority', () => {
    expect(phrase(pickByMajority(run, product, bySpelling))).toBe('vote 5 to 3, 8 lanes');
    expect(pickSentence(pickByMajority(run, product, bySpelling))).toBe(
      '5 of 8 lanes have this answer; 3 have 8.',
    );
    expect(phrase(pickByMajority(run, { ...product, n: 2 }, bySpelling))).toBe('vote 2 to 0, 2 lanes');
    expect(pickSentence(pickByMajority(run, { ...product, n: 2 }, bySpelling))).toBe(
      'All 2 lanes have this answer.',
    );
    expect(pickSentence(pickByMajority(run, { ...product, n: 1 }, bySpelling))).toBe(
      'Only lane 1 could vote.',
    );
    const tie = runOf([{ answer: '7' }, { answer: '8' }]);
    expect(phrase(pickByMajority(tie, product, bySpelling))).toBe(
      'vote 1 to 1, 2 lanes, the group with the earliest lane wins',
    );
    expect(pickSentence(pickByMajority(tie, product, bySpelling))).toBe(
      '1 of 2 lanes has this answer, and as many have 8; the group with the earliest lane wins.',
    );
  });

  test('weighted', () => {
    const pick = pickByWeightedVote(run, product, 'prm', bySpelling);
    expect(phrase(pick)).toBe('weighted vote 2.70 to 2.50, 8 lanes');
    expect(pickSentence(pick)).toBe(
      '3 of 8 lanes have this answer, weighing 2.70 against 2.50 for 7, by product of step rewards.',
    );
  });
});

test('nothing picked: the message', () => {
  for (const pick of pickAll(runOf([]), product))
    expect(pickSentence(pick)).toBe('There is no lane to pick from.');
});

test('why a lane took no part', () => {
  expect(exclusionPhrase({ kind: 'running' })).toBe('still being written');
  expect(exclusionPhrase({ kind: 'no-answer', message: 'cancelled before an answer' })).toBe(
    'cancelled before an answer',
  );
  expect(exclusionPhrase({ kind: 'no-steps' })).toBe('has no step to score');
  expect(exclusionPhrase({ kind: 'missing-rewards', missing: [1], steps: 1 })).toBe(
    '1 of its 1 step has no reward',
  );
  expect(exclusionPhrase({ kind: 'missing-rewards', missing: [1, 2], steps: 5 })).toBe(
    '2 of its 5 steps have no reward',
  );
  expect(exclusionPhrase({ kind: 'bad-reward', step: 0 })).toBe(
    'the reward of step 1 is not a number from 0 to 1',
  );
  expect(exclusionPhrase({ kind: 'missing-outcome' })).toBe('has no outcome reward');
  expect(exclusionPhrase({ kind: 'bad-outcome' })).toBe('its outcome reward is not a number from 0 to 1');
});

describe('numbers', () => {
  test('known values', () => {
    const shown: [number, string][] = [
      [0, '0'],
      [1, '1.00'],
      [0.41, '0.41'],
      [0.997, '0.997'],
      [0.9999999999, '0.999999'],
      [0.041, '0.041'],
      [0.0041, '0.0041'],
      [0.00041, '4.1e-4'],
      [1e-300, '1.0e-300'],
      [12.345, '12.35'],
    ];
    for (const [value, text] of shown) expect(formatScore(value)).toBe(text);
    expect(formatScore(0, -1000)).toBe('5.1e-435');
    expect(formatScore(0, Math.log(9.99e-300) - 100 * Math.LN10)).toBe('1.0e-399');
  });

  test('what is shown is close to the number', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-290, max: 1, noNaN: true }), (value) => {
        const shown = Number(formatScore(value));
        expect(Math.abs(shown - value)).toBeLessThanOrEqual(0.051 * value);
        if (value < 1) expect(shown).toBeLessThan(1);
      }),
    );
  });
});
