import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseSolution, readForeign, type Foreign } from '../../../src/formats/solutions.ts';

type Solutions = Extract<Foreign, { kind: 'solutions' }>;

async function read(source: string): Promise<Solutions> {
  const result = await readForeign(source);
  if (!result.ok || result.value.kind !== 'solutions')
    throw new Error(result.ok ? 'not solutions' : result.message);
  return result.value;
}

const line = (fields: object): string => JSON.stringify({ problem: 'What is 2 + 3?', ...fields });

describe('solutions of other formats', () => {
  it('reads rewards, classes and text of steps', () => {
    expect(
      parseSolution(line({ steps: ['2 + 3 = 5', 'Answer: 5'], step_rewards: [0.9, null] })),
    ).toMatchObject({
      ok: true,
      value: { steps: [{ reward: 0.9, classes: null }, { reward: null }], format: 'solutions' },
    });
    expect(
      parseSolution(line({ steps: ['x'], step_classes: [{ positive: 0.5, neutral: 0.3, negative: 0.2 }] })),
    ).toMatchObject({ ok: true, value: { steps: [{ reward: 0.8, classes: { neutral: 0.3 } }] } });
    expect(parseSolution(line({ solution: '2 + 3 = 5\n\nAnswer: 5\n' }))).toMatchObject({
      ok: true,
      value: { steps: [{ text: '2 + 3 = 5' }, { text: 'Answer: 5' }] },
    });
  });

  it.each([
    ['{', /^not JSON/],
    ['[1]', /not a JSON object/],
    [line({}), /none of the known formats/],
    [line({ steps: [1] }), /^steps/],
    [line({ steps: ['x'], step_rewards: [1.5] }), /^step_rewards\.0/],
    [line({ steps: ['x'], step_rewards: [0.5, 0.5] }), /2 for 1 steps/],
    [line({ steps: ['x'], step_classes: [{ positive: 1, neutral: 1, negative: 0 }] }), /sum to 1/],
    [line({ steps: Array<string>(201).fill('x') }), /^steps/],
    [JSON.stringify({ problem: 'x'.repeat(2_001), answer: '5' }), /2,001 characters/],
    [JSON.stringify({ problem: ' ', answer: '5' }), /is empty/],
  ])('says what is wrong with %s', (source, message) => {
    const parsed = parseSolution(source.slice(0, 10_000));
    expect(parsed.ok ? '' : parsed.message).toMatch(message);
  });

  it('makes three classes of ratings by people who could say neutral', async () => {
    const { problems, format } = await read(readFileSync('tests/fixtures/formats/prm800k.jsonl', 'utf8'));
    expect(format).toBe('prm800k');
    expect(problems[0]!.solutions[0]!.truth).toBe('5');
    expect(problems[0]!.solutions[0]!.steps[0]).toMatchObject({ reward: 1, classes: { neutral: 1 } });
  });

  it('groups by problem, and a faulty line keeps the others', async () => {
    const { problems, errors, errorCount } = await read(
      [line({ answer: '5' }), 'nonsense', '', line({ answer: '6' }), '{"problem":"Other","answer":"1"}'].join(
        '\r\n',
      ),
    );
    expect(problems.map(({ solutions }) => solutions.length)).toEqual([2, 1]);
    expect(errorCount).toBe(1);
    expect(errors[0]).toMatchObject({ line: 2 });
  });

  it('reads lists and CSV', async () => {
    const list = await read(JSON.stringify([JSON.parse(line({ answer: '5', prm_score: 2.5 }))]));
    expect(list.problems[0]!.solutions[0]).toMatchObject({ answer: '5', prmScore: 2.5 });
    const csv = await read(
      'problem,answer,prm_score,is_correct,solution\nWhat?,5,0.4,true,"2 + 3 = 5\nAnswer: 5"\nWhat?,6,abc,,x\n',
    );
    expect(csv.problems[0]!.solutions[0]).toMatchObject({ prmScore: 0.4, correct: true, steps: [{}, {}] });
    expect(csv.errors).toMatchObject([{ line: 4 }]);
  });

  it('says so where there is nothing to read', async () => {
    for (const [source, message] of [
      ['', /nothing to open/],
      ['just words', /Line 1: not JSON/],
      ['{"format": "steplight-run"}', /version/],
    ] as const) {
      const result = await readForeign(source);
      expect(result.ok ? '' : result.message).toMatch(message);
    }
  });
});
