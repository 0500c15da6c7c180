import { describe, expect, test } from 'vitest';
import { checkChange, editedLines, unchangedSteps, type RunChange } from '../../../src/domain/change.ts';
import { fold, type Run, type RunEvent } from '../../../src/domain/run.ts';
import { started } from './events.ts';

function run(n: number, more: readonly RunEvent[] = []): Run {
  const result = fold(null, [
    started(n),
    { type: 'step', lane: 0, text: '6*7=42', tokens: 5, logprob: -1 },
    { type: 'reward', lane: 0, step: 0, reward: 0.9 },
    { type: 'step', lane: 0, text: 'Answer: 42', tokens: 5, logprob: -1 },
    { type: 'reward', lane: 0, step: 1, reward: 0.9 },
    { type: 'ended', lane: 0, end: { kind: 'answer' }, answer: '42' },
    ...more,
  ]);
  if (result === null) throw new Error('no run');
  return result;
}

describe('what a run may be asked', () => {
  test.each<[string, RunChange, RegExp]>([
    ['fewer lanes', { kind: 'lanes', n: 1 }, /has 2 lanes already/],
    ['as many lanes', { kind: 'lanes', n: 2 }, /larger N/],
    ['too many lanes', { kind: 'lanes', n: 65 }, /up to 64/],
    ['half a lane', { kind: 'lanes', n: 2.5 }, /whole number/],
    ['no number of lanes', { kind: 'lanes', n: Number.NaN }, /whole number/],
    ['a lane that is not there', { kind: 'resample', lane: 2, steps: 0 }, /not part of this run/],
    ['a lane before the first', { kind: 'rescore', lane: -1, lines: ['x'] }, /not part of this run/],
    ['a step that is not there', { kind: 'resample', lane: 0, steps: 3 }, /not part of this lane/],
    ['a negative step', { kind: 'resample', lane: 0, steps: -1 }, /not part of this lane/],
    ['what follows an answer', { kind: 'resample', lane: 0, steps: 2 }, /earlier/],
    ['an empty solution', { kind: 'rescore', lane: 0, lines: [' ', '\n'] }, /at least one step/],
    ['a huge solution', { kind: 'rescore', lane: 0, lines: ['x'.repeat(20_001)] }, /20,001 characters/],
    ['no change', { kind: 'rescore', lane: 0, lines: ['6*7=42', 'Answer: 42'] }, /Nothing was changed/],
  ])('refuses %s', (_, change, message) => {
    expect(checkChange(run(2), change)).toMatch(message);
  });

  test.each<RunChange>([
    { kind: 'lanes', n: 64 },
    { kind: 'resume' },
    { kind: 'resample', lane: 0, steps: 0 },
    { kind: 'resample', lane: 0, steps: 1 },
    { kind: 'resample', lane: 1, steps: 0 },
    { kind: 'rescore', lane: 0, lines: ['6*7=42'] },
    { kind: 'rescore', lane: 0, lines: ['6*7=43', 'Answer: 43'] },
  ])('allows %j', (change) => {
    expect(checkChange(run(2), change)).toBeNull();
  });

  test('refuses to resume what has ended, and a lane beyond the most', () => {
    expect(checkChange(run(1), { kind: 'resume' })).toMatch(/nothing to resume/);
    expect(checkChange(run(64), { kind: 'resample', lane: 0, steps: 1 })).toMatch(/the most there can be/);
  });

  test('refuses a run that no model can read', () => {
    const blank = { ...run(2), problem: { text: ' ', answer: null } };
    expect(checkChange(blank, { kind: 'lanes', n: 4 })).toMatch(/Type a maths problem/);
    const hot = run(2);
    const settings = { ...hot.settings, temperature: 9 };
    expect(checkChange({ ...hot, settings }, { kind: 'lanes', n: 4 })).toMatch(/Temperature/);
  });
});

describe('an edited solution', () => {
  test('is cut into steps at line breaks, without blank ones', () => {
    expect(editedLines(['a\r\nb', '', ' \n c', 'd '])).toEqual(['a', 'b', ' c', 'd ']);
  });

  test('keeps the steps before the first change', () => {
    const solution = run(1).solutions[0]!;
    expect(unchangedSteps(solution, ['6*7=42', 'Answer: 41'])).toBe(1);
    expect(unchangedSteps(solution, ['6*7=41', 'Answer: 42'])).toBe(0);
    expect(unchangedSteps(solution, ['6*7=42', 'Answer: 42', 'more'])).toBe(2);
  });
});
