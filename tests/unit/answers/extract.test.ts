import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractAnswer, lastBoxed } from '../../../src/answers/extract.ts';

describe('a declared answer', () => {
  it.each([
    ['So it is 29.\n\n# Answer\n\n29', '29'],
    ['# Answer\n\n29', '29'],
    ['x\n# Answer\n29\n', '29'],
    ['## Answer: 7', '7'],
    ['**Answer:** 7', '7'],
    ['**Final Answer**\n\n7', '7'],
    ['Answer: 12', '12'],
    ['answer : 12 apples', '12 apples'],
    ['She has 26\nA: 26', '26'],
    ['She has 26\r\nA: 26\r\n', '26'],
    ['Two\n#### 18', '18'],
    ['The final answer is $\\boxed{5}$. I hope it is correct.', '5'],
    ['Therefore, the final answer is 3.5. I hope it is correct.', '3.5'],
    ['Step 2: 5 * 42 = 210. The answer is: 210 ', '210'],
    ['A: <<16-3=13>>13', '13'],
    ['A: **13**', '13'],
    // The declared line goes before a box, wherever it stands.
    ['\\boxed{3}\nA: 4', '4'],
    ['A: 4\nand \\boxed{3}', '4'],
    // The last declaration counts.
    ['A: 4\nNo, wait.\nA: 5', '5'],
    // A table of things is no declaration.
    ['A: 3 apples\nB: 4 apples\nTogether \\boxed{7}', '7'],
    ['A: 3 apples\nB: 4 apples\nA: 7', '7'],
    // A Markdown heading is none either.
    ['#### Step 1: add\n2 + 3 = \\boxed{5}', '5'],
    ['#### Answer\n\n5', '5'],
    // Empty declarations do not count.
    ['\\boxed{3}\nA:', '3'],
    ['A: 3\nAnswer:', '3'],
    ['# Answer\n\n\\begin{pmatrix} 1 \\\\\n2 \\end{pmatrix}', '\\begin{pmatrix} 1 \\\\\n2 \\end{pmatrix}'],
  ])('%j gives %j', (text, answer) => {
    expect(extractAnswer(text)).toBe(answer);
  });

  it.each([
    '',
    'She has 26',
    'The answer is near',
    '# Answer',
    '# Answer\n\n',
    'A:',
    'ABBA: 5',
    '\\boxed{5',
    '\\boxed{}',
    'An answer to this',
  ])('%j gives none', (text) => {
    expect(extractAnswer(text)).toBeNull();
  });
});

describe('a box', () => {
  it.each([
    ['\\boxed{5}', '5'],
    ['\\boxed{\\frac{1}{2}}', '\\frac{1}{2}'],
    ['\\boxed{1} and \\boxed{2}', '2'],
    ['\\boxed{1} and \\boxed{2', '1'],
    ['\\boxed{\\boxed{5}}', '5'],
    ['\\boxed {5}', '5'],
    ['\\boxed 5.', '5'],
    ['\\fbox{5}', '5'],
    ['\\boxed{\\{1, 2\\}}', '\\{1, 2\\}'],
    ['\\boxed{\\text{a } b}', '\\text{a } b'],
    ['}} \\boxed{5} {{', '5'],
  ])('%j gives %j', (text, answer) => {
    expect(lastBoxed(text)).toBe(answer);
  });
});

describe('any text', () => {
  const piece = fc.constantFrom(
    '\\boxed{',
    '\\fbox',
    '{',
    '}',
    '\\',
    '# Answer',
    '\n',
    '\r\n',
    'A: ',
    'Answer:',
    '#### ',
    'the final answer is',
    ' ',
    '5',
    '**',
    '<<',
    '>>',
    '\u2028',
    '\ud800',
    'İ',
  );

  it('never throws, and gives a non-empty string or null', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 40 }).map((p) => p.join('')),
          fc.string({ unit: 'binary', maxLength: 200 }),
        ),
        (text) => {
          const answer = extractAnswer(text);
          expect(answer === null || answer.length > 0).toBe(true);
        },
      ),
      { numRuns: 10_000 },
    );
  });

  it.each([
    '\\boxed{',
    '{',
    '#### ',
    '# Answer\n',
    'A:',
    '\\boxed',
    ' ',
    '*',
    'the final answer is ',
    '<<',
    '#',
  ])('takes time in proportion to its length: %j', (unit) => {
    const long = unit.repeat(200_000 / unit.length);
    const start = performance.now();
    extractAnswer(long);
    // Quadratic work on 200,000 characters would take many seconds.
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
