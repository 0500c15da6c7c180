import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectLabelFormat, LABEL_FORMATS, type LabelFormat } from '../../../src/formats/convert.ts';
import {
  binaryPath,
  pathStep,
  plainStep,
  type BinaryOptions,
  type LabelledSolution,
} from '../../../src/formats/labelled.ts';
import { parseMathShepherd, writeMathShepherd } from '../../../src/formats/math-shepherd.ts';
import { parsePrm800k, writePrm800k } from '../../../src/formats/prm800k.ts';
import { parseProcessBench, writeProcessBench } from '../../../src/formats/processbench.ts';
import { parseRlhflow, writeRlhflow } from '../../../src/formats/rlhflow.ts';
import { parseTrl, writeTrl } from '../../../src/formats/trl.ts';
import { sharedLines } from '../answers/data.ts';
import { damaged, solution } from './arbitraries.ts';

const fixture = readFileSync(join(import.meta.dirname, '../../fixtures/formats/prm800k.jsonl'), 'utf8')
  .trim()
  .split('\n');
const options: BinaryOptions = { neutral: 'positive', unrated: 'stop' };

function read(result: ReturnType<typeof parsePrm800k>): LabelledSolution {
  if (!result.ok) throw new Error(result.message);
  return result.value;
}
function written<T>(
  result: { ok: true; value: T; losses: readonly string[] } | { ok: false; message: string },
): T {
  if (!result.ok) throw new Error(result.message);
  return result.value;
}
const message = (result: { ok: boolean; message?: string }): string =>
  result.ok ? 'ok' : (result.message ?? '');

const VALID: Record<LabelFormat, readonly string[]> = {
  prm800k: fixture,
  trl: [
    '{"prompt":"2+3?","completions":["We add.","5"],"labels":[true,false]}',
    '{"prompt":"","completions":[],"labels":[],"extra":{"a":[1]}}',
  ],
  'math-shepherd': [
    JSON.stringify({
      input: 'What? Step 1: 1+1 = <<1+1=2>>2. ки\nStep 2: The answer is: 2 ки',
      label: 'What? Step 1: 1+1 = <<1+1=2>>2. +\nStep 2: The answer is: 2 -',
      task: 'GSM8K',
    }),
    JSON.stringify({
      input: 'What?\n\nStep 1: a  ки Step 3:b ки tail',
      label: 'What?\n\nStep 1: a  - Step 3:b + tail',
      task: 'MATH',
    }),
  ],
  processbench: [
    '{"id":"gsm8k-0","generator":"Qwen","problem":"2+3?","steps":["We add.","6","So 6."],"final_answer_correct":false,"label":1}',
    '{"id":"gsm8k-1","generator":"Qwen","problem":"2+3?","steps":["5"],"final_answer_correct":true,"label":-1}',
  ],
  rlhflow: [
    '{"conversations":[{"role":"user","content":"2+3? Step 1: We add."},{"role":"assistant","content":"+"},{"role":"user","content":"Step 2: 6"},{"role":"assistant","content":"-"}]}',
    '{"messages":[{"role":"user","content":"2+3?\\nWe add."},{"role":"assistant","content":"+"}],"id":7}',
  ],
};
const FORMATS = Object.keys(VALID) as LabelFormat[];

describe('PRM800K', () => {
  it('reads both phases, with the traps of real files', () => {
    const [one, two, three] = fixture.map((line) => read(parsePrm800k(line)));
    expect(one!.truth).toBe('5');
    expect(one!.steps[1]!.human).toEqual({
      text: 'So 5.',
      rating: null,
      flagged: false,
      rest: { source: 'human' },
    });
    expect(one!.steps.map((step) => pathStep(step))).toEqual([
      { text: 'We add.', rating: 0 },
      { text: 'So 5.', rating: null },
      { text: '# Answer\n\n5', rating: 1 },
    ]);
    expect(two!.truth).toBeNull();
    expect(two!.steps[1]!.chosen).toBeNull();
    expect(pathStep(two!.steps[1]!)).toEqual({ text: 'Two.', rating: -1 });
    expect(three!.steps[0]!.completions).toBeNull();
    expect(pathStep(three!.steps[0]!)).toBeNull();
  });

  it('takes a human completion that is a bare string', () => {
    const line = fixture[0]!.replace(/"human_completion":\{[^}]*\}/, '"human_completion":"So 5."');
    expect(read(parsePrm800k(line)).steps[1]!.human!.text).toBe('So 5.');
    expect(written(writePrm800k(read(parsePrm800k(line))))).toEqual(JSON.parse(line));
  });

  it('gives back every field', () => {
    for (const line of [...fixture, ...(sharedLines('samples/samples_prm800k.jsonl') ?? [])]) {
      const result = writePrm800k(read(parsePrm800k(line)));
      expect(written(result)).toEqual(JSON.parse(line));
      expect(result).toMatchObject({ losses: [] });
    }
  });

  it.each([
    ['{"question":{"problem":1},"label":{"steps":[]}}', /question\.problem/],
    ['{"question":{"problem":""}}', /label/],
    [
      '{"question":{"problem":""},"label":{"steps":[{"completions":[{"text":"a","rating":2}]}]}}',
      /label\.steps\.0\.completions\.0\.rating/,
    ],
    [
      '{"question":{"problem":""},"label":{"steps":[{"completions":[],"chosen_completion":0}]}}',
      /no completion 0/,
    ],
    ['{"question":{"problem":"","ground_truth_answer":NaN},"label":{"steps":[]}}', /NaN/],
    ['{"__proto__":{"a":1},"question":{"problem":""},"label":{"steps":[]}}', /__proto__/],
    ['{"\\u005f_proto__":{"a":1},"question":{"problem":""},"label":{"steps":[]}}', /__proto__/],
    ['[]', /^question: is missing$/],
    ['', /empty/],
    ['['.repeat(100_000), /nested/],
  ])('says what is wrong with %.80s', (line, reason) => {
    expect(message(parsePrm800k(line))).toMatch(reason);
  });

  it('holds what a person wrote and rated here', () => {
    fc.assert(
      fc.property(solution, (original) => {
        const result = writePrm800k(original);
        const back = read(parsePrm800k(JSON.stringify(written(result))));
        const bare = (s: LabelledSolution): unknown => ({
          problem: s.problem,
          truth: s.truth,
          steps: s.steps.map(({ completions, chosen, human }) => ({
            completions: completions?.map(({ text, rating, flagged }) => ({ text, rating, flagged })),
            chosen,
            human: human === null ? null : { text: human.text, rating: human.rating, flagged: human.flagged },
          })),
        });
        expect(bare(back)).toEqual(bare(original));
        expect(result).toMatchObject({
          losses: original.correct === null ? [] : ['whether the final answer is right'],
        });
        // And once more, unchanged.
        expect(written(writePrm800k(back))).toEqual(written(result));
      }),
      { numRuns: 1_500 },
    );
  });
});

describe('TRL', () => {
  it('reads and writes', () => {
    for (const line of VALID.trl) {
      const result = writeTrl(read(parseTrl(line)), options);
      expect(written(result)).toEqual(JSON.parse(line));
      expect(result).toMatchObject({ losses: [] });
    }
    expect(message(parseTrl('{"prompt":"a","completions":["b"],"labels":[]}'))).toBe(
      '1 completions, but 0 labels',
    );
    expect(message(parseTrl('{"prompt":"a","completions":["b"],"labels":[1]}'))).toMatch(/labels\.0/);
  });

  it('converts neutral only as asked, and names every loss', () => {
    const original = read(parsePrm800k(fixture[0]!));
    expect(written(writeTrl(original, { neutral: 'positive', unrated: 'positive' }))).toEqual({
      prompt: 'What is 2+3?',
      completions: ['We add.', 'So 5.', '# Answer\n\n5'],
      labels: [true, true, true],
    });
    expect(written(writeTrl(original, { neutral: 'negative', unrated: 'negative' }))).toMatchObject({
      labels: [false, false, true],
    });
    const stopped = writeTrl(original, { neutral: 'positive', unrated: 'stop' });
    expect(written(stopped)).toMatchObject({ completions: ['We add.'] });
    expect(stopped).toMatchObject({
      losses: expect.arrayContaining([
        '2 steps from the first one without a rating',
        '1 alternative completion',
        '1 neutral rating, written as positive',
        '1 flag',
        'the correct answer',
        expect.stringMatching(/fields of the source: .*labeler/) as string,
      ]) as string[],
    });
  });

  it('holds the texts and the labels of the path', () => {
    fc.assert(
      fc.property(
        solution,
        fc.constantFrom('positive' as const, 'negative' as const),
        (original, neutral) => {
          const asked: BinaryOptions = { neutral, unrated: 'negative' };
          const back = read(parseTrl(JSON.stringify(written(writeTrl(original, asked)))));
          expect(back.problem).toBe(original.problem);
          expect(binaryPath(back, asked).steps).toEqual(binaryPath(original, asked).steps);
          const lossless = {
            ...original,
            truth: null,
            correct: null,
            steps: binaryPath(original, asked).steps.map((s) => plainStep(s.text, s.good ? 1 : -1)),
          };
          expect(writeTrl(lossless, asked)).toMatchObject({ losses: [] });
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('loses nothing in silence: what is not named comes back', () => {
    fc.assert(
      fc.property(solution, (original) => {
        const result = writeTrl(original, options);
        if (!result.ok || result.losses.length > 0) return;
        const back = read(parseTrl(JSON.stringify(result.value)));
        expect(back.steps.map(pathStep)).toEqual(original.steps.map(pathStep));
        expect(original.steps.every((s) => s.human === null && s.completions?.length === 1)).toBe(true);
        expect([original.truth, original.correct]).toEqual([null, null]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('Math-Shepherd', () => {
  it('reads and gives back real lines, character for character', () => {
    for (const line of [
      ...VALID['math-shepherd'],
      ...(sharedLines('samples/samples_math-shepherd.jsonl') ?? []),
    ]) {
      const result = writeMathShepherd(read(parseMathShepherd(line)), options);
      expect(written(result)).toEqual(JSON.parse(line));
    }
    const first = read(parseMathShepherd(VALID['math-shepherd'][0]!));
    expect(first.problem).toBe('What?');
    expect(first.steps.map(pathStep)).toEqual([
      { text: '1+1 = <<1+1=2>>2.', rating: 1 },
      { text: 'The answer is: 2', rating: -1 },
    ]);
  });

  it.each([
    [{ input: 'a', label: 'a' }, /no step mark/],
    [{ input: 'Step 1: a ки', label: 'Step 1: b +' }, /differs from the input before mark 1/],
    [{ input: 'Step 1: a ки', label: 'Step 1: a ки' }, /neither \+ nor -/],
    [{ input: 'Step 1: a ки b', label: 'Step 1: a + c' }, /at its end/],
    [{ input: 'a ки', label: 'a +' }, /no "Step 1: "/],
  ])('says what is wrong with %j', (value, reason) => {
    expect(message(parseMathShepherd(JSON.stringify(value)))).toMatch(reason);
  });

  it('does not write a step mark inside a step', () => {
    const step = plainStep('Ошибки', 1);
    const original: LabelledSolution = {
      problem: 'p',
      truth: null,
      steps: [step],
      correct: null,
      source: 'steplight',
      rest: {},
    };
    expect(message(writeMathShepherd(original, options))).toMatch(/step mark/);
  });
});

describe('ProcessBench', () => {
  it('labels up to the first mistake', () => {
    const [wrong, right] = VALID.processbench.map((line) => read(parseProcessBench(line)));
    expect(wrong!.steps.map((s) => pathStep(s)!.rating)).toEqual([1, -1, null]);
    expect(right!.steps.map((s) => pathStep(s)!.rating)).toEqual([1]);
    for (const line of VALID.processbench) {
      const result = writeProcessBench(read(parseProcessBench(line)), options);
      expect(written(result)).toEqual(JSON.parse(line));
      expect(result).toMatchObject({ losses: [] });
    }
    expect(message(parseProcessBench('{"problem":"","steps":["a"],"label":1}'))).toBe(
      'label: there is no step 1',
    );
    expect(message(parseProcessBench('{"problem":"","steps":["a"],"label":-2}'))).toMatch(/label/);
    expect(message(parseProcessBench('{"problem":"","steps":["a"],"label":0.5}'))).toMatch(/label/);
  });

  it('writes the first mistake, and refuses where nobody rated before it', () => {
    const of = (ratings: readonly (-1 | 0 | 1 | null)[]): LabelledSolution => ({
      problem: 'p',
      truth: null,
      steps: ratings.map((r, i) => plainStep(`s${i}`, r)),
      correct: false,
      source: 'steplight',
      rest: {},
    });
    const neutral = { neutral: 'negative', unrated: 'stop' } as const;
    expect(written(writeProcessBench(of([1, 0, -1]), options))).toMatchObject({ label: 2 });
    expect(written(writeProcessBench(of([1, 0, -1]), neutral))).toMatchObject({ label: 1 });
    expect(writeProcessBench(of([1, -1, 1]), options)).toMatchObject({
      losses: ['ratings behind the first mistake: 1'],
    });
    expect(writeProcessBench(of([1, null, -1]), options)).toMatchObject({ ok: false });
    expect(
      written(writeProcessBench(of([1, null, -1]), { neutral: 'positive', unrated: 'negative' })),
    ).toMatchObject({ label: 1 });
  });
});

describe('RLHFlow', () => {
  it('reads and gives back', () => {
    for (const line of VALID.rlhflow) {
      const result = writeRlhflow(read(parseRlhflow(line)), options);
      expect(written(result)).toEqual(JSON.parse(line));
      expect(result).toMatchObject({ losses: [] });
    }
    const first = read(parseRlhflow(VALID.rlhflow[0]!));
    expect(first.problem).toBe('2+3?');
    expect(first.steps.map(pathStep)).toEqual([
      { text: 'Step 1: We add.', rating: 1 },
      { text: 'Step 2: 6', rating: -1 },
    ]);
    const turns = (list: unknown): string => message(parseRlhflow(JSON.stringify({ conversations: list })));
    expect(turns([])).toMatch(/pairs/);
    expect(
      turns([
        { role: 'user', content: 'a' },
        { role: 'user', content: '+' },
      ]),
    ).toMatch(/turn of the user/);
    expect(
      turns([
        { role: 'user', content: 'a b' },
        { role: 'assistant', content: '?' },
      ]),
    ).toMatch(/neither/);
    expect(
      turns([
        { role: 'user', content: 'a b' },
        { role: 'assistant', content: '+' },
      ]),
    ).toMatch(/question ends/);
  });
});

describe.each(FORMATS)('%s, any input', (format) => {
  const { parse, write } = LABEL_FORMATS[format];

  it('is recognised', () => {
    for (const line of VALID[format]) expect(detectLabelFormat(line)).toBe(format);
  });

  it('never throws; what loads can be written and loads again', () => {
    fc.assert(
      fc.property(damaged(VALID[format]), (line) => {
        const result = parse(line);
        if (!result.ok) {
          expect(result.message).not.toBe('');
          return;
        }
        const again = write(result.value, options);
        if (!again.ok) return;
        const back = parse(JSON.stringify(again.value));
        expect(back.ok).toBe(true);
        // Lossless as to what it holds, where nothing was named as lost.
        if (back.ok && again.losses.length === 0) {
          expect(back.value.problem).toBe(result.value.problem);
          expect(back.value.steps).toEqual(result.value.steps);
        }
        expect(({} as Record<string, unknown>).polluted).toBeUndefined();
      }),
      { numRuns: 10_000 },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('takes any solution of another source, and says what it leaves out', () => {
    fc.assert(
      fc.property(solution, (original) => {
        const result = write(original, options);
        if (!result.ok) return;
        const back = parse(JSON.stringify(result.value));
        expect(back.ok).toBe(true);
        if (back.ok && result.losses.length === 0) {
          expect([back.value.problem, back.value.truth]).toEqual([original.problem, original.truth]);
          expect(back.value.steps.map((s) => pathStep(s)?.text)).toEqual(
            original.steps.map((s) => pathStep(s)?.text),
          );
        }
      }),
      { numRuns: 500 },
    );
  });
});
