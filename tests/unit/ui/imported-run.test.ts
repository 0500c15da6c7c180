import { describe, expect, it } from 'vitest';
import type { NeutralRule } from '../../../src/domain/pick.ts';
import { fold, type Run } from '../../../src/domain/run.ts';
import { readForeign } from '../../../src/formats/solutions.ts';
import { parseRunFile, writeRunFile } from '../../../src/formats/run-file.ts';
import { exportRun } from '../../../src/share/run-exports.ts';
import { pickByPrm } from '../../../src/picks/pick.ts';
import { importedRun, unscored } from '../../../src/ui/data/imported-run.ts';
import { byNeutralRule, hasClasses } from '../../../src/ui/state/neutral.ts';

const problem = 'What is 2 + 3?';

async function importLines(lines: readonly object[]) {
  const read = await readForeign(lines.map((line) => JSON.stringify({ problem, ...line })).join('\n'));
  if (!read.ok || read.value.kind !== 'solutions') throw new Error('not read');
  const [first] = read.value.problems;
  const { events, notes } = importedRun(first!);
  return { run: fold(null, events)!, events, notes, problem: first! };
}

const picked = (run: Run, neutral: NeutralRule = 'positive'): number | null => {
  const pick = pickByPrm(run, { reduction: 'product', n: run.solutions.length, neutral });
  return pick.kind === 'picked' ? pick.lane : null;
};

describe('what the page exports', () => {
  it.each(['scored', 'csv'] as const)('opens again with its steps and rewards: %s', async (format) => {
    const { run } = await importLines([
      { steps: ['2 + 3 = 6', 'Answer: 6'], step_rewards: [0.1, 0.9], orm_score: 0.3 },
      { steps: ['2, 3: "5"', 'Answer: 5'], step_rewards: [0.9, 0.8], orm_score: 0.8 },
      { steps: [] },
    ]);
    const verdicts = [
      { prm: 0.09, orm: 0.3, correct: false },
      { prm: 0.72, orm: 0.8, correct: true },
      { prm: null, orm: null, correct: null },
    ];
    const written = exportRun(run, verdicts, format, 0.5);
    const read = await readForeign(written.ok ? written.value : '');
    if (!read.ok || read.value.kind !== 'solutions') throw new Error('not read');
    expect(read.value.errors).toEqual([]);
    const again = fold(null, importedRun(read.value.problems[0]!).events)!;
    expect(again.solutions).toEqual(run.solutions);
    expect(again.problem.answer).toBe('5');
  });
});

describe('a run of somebody’s data', () => {
  it('is ranked by the rewards in it and survives a run file', async () => {
    const { run, events } = await importLines([
      { steps: ['2 + 3 = 6', 'Answer: 6'], step_rewards: [0.1, 0.9], ground_truth_answer: '5' },
      { steps: ['2 + 3 = 5', 'Answer: 5'], step_rewards: [0.9, 0.9], orm_score: 0.8 },
    ]);
    expect(run.problem.answer).toBe('5');
    expect(run.solutions.map(({ answer }) => answer)).toEqual(['6', '5']);
    expect(picked(run)).toBe(1);
    const written = writeRunFile(events);
    expect(written.ok && parseRunFile(written.value)).toEqual({ ok: true, value: events });
  });

  it('shows a score of the whole solution as one step, and logits in their order', async () => {
    const { run, notes } = await importLines([
      { answer: '6', prm_score: -1.5, is_correct: false },
      { answer: '5', prm_score: 4, is_correct: true },
    ]);
    expect(run.solutions.map(({ steps }) => steps.length)).toEqual([1, 1]);
    expect(picked(run)).toBe(1);
    expect(run.problem.answer).toBe('5');
    expect(notes.join(' ')).toMatch(/as a whole.*not from 0 to 1.*calls correct/);
  });

  it('is re-ranked by the neutral rule', async () => {
    const certain = { positive: 0.6, neutral: 0, negative: 0.4 };
    const neutral = { positive: 0.1, neutral: 0.8, negative: 0.1 };
    const { run } = await importLines([
      { steps: ['Answer: 5'], step_classes: [neutral] },
      { steps: ['Answer: 6'], step_classes: [certain] },
    ]);
    expect(hasClasses(run)).toBe(true);
    expect(byNeutralRule(run, 'negative')!.solutions[0]!.steps[0]!.reward).toBeCloseTo(0.1);
    expect(picked(run, 'positive')).toBe(0);
    expect(picked(run, 'negative')).toBe(1);
  });

  it('takes at most 64 lanes and says so', async () => {
    const { run, notes } = await importLines(
      Array.from({ length: 70 }, () => ({ answer: '5', orm_score: 0.5 })),
    );
    expect(run.solutions).toHaveLength(64);
    expect(notes.join(' ')).toMatch(/first 64 of 70/);
  });

  it('takes rewards that were computed here', async () => {
    const { problem: own } = await importLines([{ solution: '2 + 3 = 5\nAnswer: 5' }]);
    expect(unscored(own)).toBe(1);
    const { events } = importedRun(own, { by: null, rewards: [{ steps: [0.7, 0.9], outcome: 0.4 }] });
    const run = fold(null, events)!;
    expect(run.solutions[0]).toMatchObject({ outcomeReward: 0.4, steps: [{ reward: 0.7 }, { reward: 0.9 }] });
  });
});
