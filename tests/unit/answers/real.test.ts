import { expect, it } from 'vitest';
import { compareAnswers } from '../../../src/answers/compare.ts';
import { extractAnswer } from '../../../src/answers/extract.ts';
import { sharedLines } from './data.ts';

const solutions = sharedLines('samples/gsm8k-model-solutions-dev.jsonl');
const problems = ['math500', 'gsm8k', 'addsub', 'svamp'].flatMap(
  (name) => sharedLines(`problems/${name}-dev.jsonl`) ?? [],
);

it.skipIf(solutions === null)('agrees with every published verdict on real solutions', () => {
  const wrong: unknown[] = [];
  for (const line of solutions!) {
    const { problem, solution, gold, is_correct } = JSON.parse(line) as {
      problem: string;
      solution: string;
      gold: string;
      is_correct: boolean;
    };
    const answer = extractAnswer(solution);
    for (const context of [undefined, { problem }]) {
      const { verdict } = answer === null ? { verdict: 'none' } : compareAnswers(answer, gold, context);
      if ((verdict === 'equal') !== is_correct) wrong.push({ answer, gold, is_correct, verdict });
    }
  }
  expect(wrong).toEqual([]);
  expect(solutions!.length).toBe(2_640);
});

it.skipIf(problems.length === 0)('reads the correct answers of real problems, and tells them apart', () => {
  const answers = [...new Set(problems.map((line) => (JSON.parse(line) as { answer: string }).answer))];
  for (const answer of answers) {
    expect(compareAnswers(answer, answer).verdict).toBe('equal');
    // Not by its text alone.
    expect([answer, compareAnswers(`$ ${answer.replace('\\frac', '\\dfrac')} $.`, answer).verdict]).toEqual([
      answer,
      'equal',
    ]);
    expect([answer, compareAnswers(answer, '123456789').verdict]).not.toEqual([answer, 'equal']);
  }
});
