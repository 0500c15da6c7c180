import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StepRule } from '../../../src/domain/model-choice.ts';
import { findStepEnd, shown } from '../../../src/sampling/step-end.ts';

/** The steps of a text that is finished, by a rule; those that count for none are left out. */
function stepsOf(text: string, rule: StepRule): string[] {
  return partsOf(text, rule).flatMap(({ text: step }) => (step === '' ? [] : [step]));
}

function partsOf(text: string, rule: StepRule): { text: string; raw: string }[] {
  const parts: { text: string; raw: string }[] = [];
  for (let rest = text; rest !== '';) {
    const end = findStepEnd(rest, rule, true)!;
    if (end.length < 1) throw new Error('no progress');
    parts.push({ text: end.text, raw: rest.slice(0, end.length) });
    rest = rest.slice(end.length);
  }
  return parts;
}

describe('a newline', () => {
  it('ends a step by the rules line and block', () => {
    for (const rule of ['line', 'block'] as const) {
      expect(findStepEnd('a = 1', rule)).toBeNull();
      expect(findStepEnd('a = 1\nb', rule)).toEqual({ text: 'a = 1', length: 6 });
    }
  });

  it('ends a paragraph only after a blank line', () => {
    expect(findStepEnd('a = 1\n', 'paragraph')).toBeNull();
    expect(findStepEnd('a = 1\nb = 2', 'paragraph')).toBeNull();
    expect(findStepEnd('a = 1\nb = 2\n\n', 'paragraph')).toEqual({ text: 'a = 1 b = 2', length: 13 });
    expect(findStepEnd('a = 1\n \t\n', 'paragraph')).toEqual({ text: 'a = 1', length: 9 });
  });

  it('that ends nothing is a blank line, and no step', () => {
    for (const rule of ['line', 'block', 'paragraph'] as const) {
      expect(findStepEnd('\n', rule)).toEqual({ text: '', length: 1 });
      expect(stepsOf('\n\na = 1\n\n\nb = 2\n\n', rule)).toEqual(['a = 1', 'b = 2']);
    }
    expect(stepsOf('  \n a = 1 \n', 'block')).toEqual(['a = 1']);
  });
});

describe('a text that is over', () => {
  it('is a step to its end', () => {
    for (const rule of ['line', 'block', 'paragraph'] as const)
      expect(findStepEnd('a = 1', rule, true)).toEqual({ text: 'a = 1', length: 5 });
  });

  it('is one even within display maths, or after a heading', () => {
    expect(findStepEnd('\\[\na = 1', 'block', true)).toEqual({ text: '\\[ a = 1', length: 8 });
    expect(findStepEnd('## Sum', 'block', true)).toEqual({ text: '## Sum', length: 6 });
    expect(findStepEnd('a\nb', 'paragraph', true)).toEqual({ text: 'a b', length: 3 });
  });

  it('is none if it was only thought', () => {
    expect(findStepEnd('<think>\nhm', 'block', true)).toEqual({ text: '', length: 10 });
  });
});

const twice = ['block', 'paragraph'] as const;

describe.each(twice)('by the rule %s', (rule) => {
  const end = rule === 'block' ? '\n' : '\n\n';

  it('display maths over several lines is one step', () => {
    for (const [open, close] of [
      ['\\[', '\\]'],
      ['$$', '$$'],
    ] as const) {
      const maths = `${open}\n4 * 12\n\n= 48\n${close}`;
      expect(findStepEnd(maths.slice(0, -1), rule)).toBeNull();
      expect(stepsOf(`${maths}${end}so 48${end}`, rule)).toEqual([`${open} 4 * 12 = 48 ${close}`, 'so 48']);
    }
  });

  it('display maths on one line holds nothing open', () => {
    expect(stepsOf(`\\[ a = 1 \\] and $$b = 2$$${end}c${end}`, rule)).toEqual([
      '\\[ a = 1 \\] and $$b = 2$$',
      'c',
    ]);
  });

  it('a line break with a distance is not the beginning of display maths', () => {
    expect(stepsOf(`$$a = 1 \\\\[2pt] b = 2$$${end}so 3${end}`, rule)).toEqual([
      '$$a = 1 \\\\[2pt] b = 2$$',
      'so 3',
    ]);
    expect(stepsOf(`\\[\na \\\\[2pt]\nb\n\\]${end}so 3${end}`, rule)).toEqual([
      '\\[ a \\\\[2pt] b \\]',
      'so 3',
    ]);
  });

  it('thoughts belong to no step, however long they are and whatever they hold', () => {
    const thoughts = '<think>\nwait\n\n## no\n$$ x\nmaybe \\[ 7\n</think>';
    expect(findStepEnd(thoughts.slice(0, -1), rule)).toBeNull();
    expect(stepsOf(`${thoughts}\n\na = 1${end}b = 2${end}`, rule)).toEqual(['a = 1', 'b = 2']);
    expect(stepsOf(`${thoughts} a = 1${end}b = 2${end}`, rule)).toEqual(['a = 1', 'b = 2']);
    expect(stepsOf(`<think>\n\n</think>\n\na${end}`, rule)).toEqual(['a']);
  });

  it('thoughts within a step are left out of it', () => {
    expect(stepsOf(`a = <think>1?\n\n2!</think>2${end}b${end}`, rule)).toEqual(['a = 2', 'b']);
  });

  it.each([
    '## Sum',
    '### Step 1: Sum',
    '**Sum**',
    '**Sum:**',
    '**Sum**:',
    'Step 3:',
    'step 12.',
    'Schritt 2)',
    'Step 3',
  ])('the heading "%s" belongs to what follows', (heading) => {
    for (const gap of ['\n', '\n\n']) {
      expect(findStepEnd(`${heading}${gap}`, rule)).toBeNull();
      expect(stepsOf(`${heading}${gap}a = 1${end}b = 2${end}`, rule)).toEqual([`${heading} a = 1`, 'b = 2']);
    }
  });

  it('headings one after another belong to what follows', () => {
    expect(stepsOf(`# Solution\n\n**Step 1:**\n\na = 1${end}b${end}`, rule)).toEqual([
      '# Solution **Step 1:** a = 1',
      'b',
    ]);
  });

  it.each(['Step 3: a = 1', '#7 is a', '**a** = 1', 'a **b**', 'Steps'])('"%s" is no heading', (line) => {
    expect(stepsOf(`${line}${end}b${end}`, rule)).toEqual([line, 'b']);
  });

  it('carriage returns are not shown', () => {
    const crlf = end.replaceAll('\n', '\r\n');
    expect(stepsOf(`a = 1${crlf}b${crlf}`, rule)).toEqual(['a = 1', 'b']);
  });
});

describe('a numbered list', () => {
  const list = '1. a = 1\n2. b = 2\n\nSo 3.\n';

  it('is a step for each line by the rule block, and one step by the rule paragraph', () => {
    expect(stepsOf(list, 'block')).toEqual(['1. a = 1', '2. b = 2', 'So 3.']);
    expect(stepsOf(list, 'paragraph')).toEqual(['1. a = 1 2. b = 2', 'So 3.']);
  });
});

describe('any text', () => {
  const pieces = fc.constantFrom(
    ...[
      '\n',
      '\n\n',
      ' ',
      'a',
      'b = 2',
      '$$',
      '\\[',
      '\\]',
      '\\\\[',
      '<think>',
      '</think>',
      '## c',
      '**d**',
      'Step 3:',
    ],
  );
  const texts = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(''));
  const rules = fc.constantFrom<StepRule>('line', 'block', 'paragraph');

  it('consists of its steps: nothing is lost, and each but the last ends in a newline', () => {
    fc.assert(
      fc.property(texts, rules, (text, rule) => {
        const parts = partsOf(text, rule);
        expect(parts.map(({ raw }) => raw).join('')).toBe(text);
        for (const { raw } of parts.slice(0, -1)) expect(raw.endsWith('\n')).toBe(true);
        for (const { text: step } of parts) expect(step).not.toContain('\n');
      }),
      { numRuns: 1_000 },
    );
  });

  it('has the same first step whatever follows: an end that was found stays', () => {
    fc.assert(
      fc.property(texts, texts, rules, (text, more, rule) => {
        const end = findStepEnd(text, rule);
        if (end !== null) expect(findStepEnd(text + more, rule)).toEqual(end);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is shown on one line, without thoughts', () => {
    expect(shown(' a\n\n b <think>x</think>c<think>y')).toBe('a b c');
  });
});
