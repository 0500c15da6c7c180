import { expect, test } from 'vitest';
import { emptySolution } from '../../../src/domain/solution.ts';
import { encodePrompt } from '../../../src/sampling/prompt.ts';
import { forkLabel, linesOf, readByPrm, share } from '../../../src/ui/inspector/explain.ts';

test('what the PRM read is what the engine encodes', () => {
  const problem = '  What is\n2 +\t3? ';
  let encoded = '';
  const tokenizer = {
    bos: null,
    eos: null,
    encode: (text: string) => {
      encoded = text;
      return [];
    },
  };
  encodePrompt(tokenizer as unknown as Parameters<typeof encodePrompt>[0], problem);
  expect(`${readByPrm(problem, [])}\n`).toBe(encoded);
  expect(readByPrm(problem, [{ text: '2+3=5', tokens: 1, logprob: 0, reward: null }])).toBe(
    'What is 2 + 3?\n2+3=5',
  );
});

test('edited text is steps, one a line', () => {
  expect(linesOf('a\r\n\n  b \n')).toEqual(['a', 'b']);
});

test('only certainty prints as 100%', () => {
  expect([1, 0.9999, 0.998, 0.5, 0.012, 0.0001, 0].map(share)).toEqual([
    '100%',
    '>99.9%',
    '99.8%',
    '50%',
    '1.2%',
    '<0.1%',
    '0%',
  ]);
});

test('a forked lane says where it comes from', () => {
  expect(forkLabel(emptySolution(4))).toBeNull();
  expect(forkLabel({ ...emptySolution(4), forkedFrom: { lane: 2, steps: 1 } })).toBe('from lane 3, step 2');
  expect(forkLabel({ ...emptySolution(4), forkedFrom: { lane: 2, steps: 1, edited: true } })).toBe(
    'edited by hand from lane 3, step 2',
  );
});
