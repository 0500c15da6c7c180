import fc from 'fast-check';
import type { LabelledSolution, LabelledStep } from '../../../src/formats/labelled.ts';

/** Text with everything that trips parsers: quotes, separators, line ends, lone surrogates, formula signs. */
export const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc
    .array(
      fc.constantFrom(
        'a',
        ' ',
        '\n',
        '\r\n',
        ',',
        '"',
        "'",
        '=',
        '+',
        '-',
        '@',
        '\t',
        '\ud800',
        '\ufeff',
        'Step 1: ',
        '\\boxed{5}',
        '# Answer\n\n5',
        '__proto__',
        'é',
        '𝟝',
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join('')),
);

const rating = fc.constantFrom(-1 as const, 0 as const, 1 as const, null);
const completion = fc.record({
  text,
  rating,
  flagged: fc.constantFrom(true, false, null),
  rest: fc.constant({}),
});

export const step: fc.Arbitrary<LabelledStep> = fc
  .record({
    completions: fc.oneof(
      { weight: 6, arbitrary: fc.array(completion, { maxLength: 3 }) },
      fc.constant(null),
    ),
    pick: fc.option(fc.nat(2)),
    human: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, completion),
  })
  .map(({ completions, pick, human }) => ({
    completions,
    chosen: pick !== null && pick < (completions?.length ?? 0) ? pick : null,
    human,
    rest: {},
  }));

export const solution: fc.Arbitrary<LabelledSolution> = fc.record({
  problem: text,
  truth: fc.option(text),
  steps: fc.array(step, { maxLength: 5 }),
  correct: fc.constantFrom(true, false, null),
  source: fc.constant('steplight' as const),
  rest: fc.constant({}),
});

/**
 * Damages valid lines: cuts, swaps and inserts characters, replaces values. Most results are nearly right, which
 * reaches deeper into a parser than noise does.
 */
export function damaged(valid: readonly string[]): fc.Arbitrary<string> {
  const insert = fc.constantFrom(
    '"',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    'null',
    '1e999',
    'NaN',
    '-1',
    '"__proto__":{},',
    '"constructor":{},',
    '\\',
    '\u0000',
    '\ud800',
    '[[[[',
    'true',
    '0.5',
    ' ',
    '\ufeff',
  );
  const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), cut: fc.nat(12), insert });
  return fc.oneof(
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) },
    {
      weight: 5,
      arbitrary: fc
        .tuple(fc.constantFrom(...valid), fc.array(edit, { minLength: 1, maxLength: 3 }))
        .map(([line, edits]) =>
          edits.reduce((out, { at, cut, insert: what }) => {
            const i = Math.floor(at * out.length);
            return out.slice(0, i) + what + out.slice(i + cut);
          }, line),
        ),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom(...valid), fc.nat(60), fc.jsonValue({ maxDepth: 2 }))
        .map(([line, index, value]) => {
          let seen = 0;
          const root = JSON.parse(line) as unknown;
          const replaced = JSON.stringify(root, (_, old: unknown) => (seen++ === index ? value : old));
          return replaced;
        }),
    },
  );
}
