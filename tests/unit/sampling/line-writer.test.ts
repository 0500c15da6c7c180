import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StepRule } from '../../../src/domain/model-choice.ts';
import { LineWriter, type LineChange } from '../../../src/sampling/line-writer.ts';
import { findStepEnd } from '../../../src/sampling/step-end.ts';
import type { LaneTokenizer } from '../../../src/sampling/tokenizer.ts';

/** Every byte is a token, and tokens from 256 on are these. */
const PIECES = ['.\n\n', '\n\n', '<think>', '</think>', '\n\n\n'];
const decoder = new TextDecoder();
const encoder = new TextEncoder();
const tokenizer: LaneTokenizer = {
  encode: (text) => [...encoder.encode(text)],
  decode: (tokens) =>
    decoder.decode(
      Uint8Array.from(
        tokens.flatMap((token) => (token < 256 ? token : [...encoder.encode(PIECES[token - 256])])),
      ),
    ),
  bos: null,
  ends: [],
  newline: 10,
};
const piece = (text: string): number => 256 + PIECES.indexOf(text);

/** Writes tokens; at the end the step that is open is closed if asked for. */
function write(tokens: readonly number[], rule: StepRule, close = false): LineChange[] {
  const writer = new LineWriter(tokenizer, rule);
  const changes = tokens.map((token) => writer.write(token));
  return close && writer.length > 0 ? [...changes, writer.close()] : changes;
}

const finished = (changes: readonly LineChange[]) =>
  changes.flatMap(({ finished: text, raw }) => (text === null ? [] : [{ text, raw }]));

describe('a step', () => {
  it('is shown as it grows, and is whole when it ends', () => {
    const changes = write(tokenizer.encode('a=1\nb'), 'line');
    expect(changes.map(({ appended }) => appended).join('|')).toBe('a|=|1|\n|b');
    expect(finished(changes)).toEqual([{ text: 'a=1', raw: undefined }]);
  });

  it('holds back characters until all their bytes are there', () => {
    const changes = write(tokenizer.encode('é🥚\n'), 'line');
    expect(changes.map(({ appended }) => appended)).toEqual(['', 'é', '', '', '', '🥚', '\n']);
    expect(finished(changes)).toEqual([{ text: 'é🥚', raw: undefined }]);
  });

  it('that is closed within a character shows what is missing', () => {
    const bytes = tokenizer.encode('a🥚').slice(0, -1);
    expect(finished(write(bytes, 'block', true))).toEqual([{ text: 'a\u{fffd}', raw: undefined }]);
  });

  it('that is long is written as a whole decoding has it, without decoding it again and again', () => {
    let decoded = 0;
    const counting: LaneTokenizer = {
      ...tokenizer,
      decode: (tokens) => {
        decoded += tokens.length;
        return tokenizer.decode(tokens);
      },
    };
    const text = 'é🥚 = 1 ÷ 2 “so” '.repeat(200);
    const writer = new LineWriter(counting, 'line');
    const tokens = tokenizer.encode(`${text}\n`);
    const changes = tokens.map((token) => writer.write(token));
    expect(changes.map(({ appended }) => appended).join('')).toBe(`${text}\n`);
    expect(finished(changes)).toEqual([{ text, raw: undefined }]);
    expect(decoded).toBeLessThan(80 * tokens.length);
  });

  it('ends where its token does: what follows the end within the token is dropped', () => {
    const tokens = [...tokenizer.encode('a'), piece('.\n\n'), ...tokenizer.encode('b\n')];
    expect(finished(write(tokens, 'block')).map(({ text }) => text)).toEqual(['a.', 'b']);
    expect(finished(write(tokens, 'line')).map(({ text }) => text)).toEqual(['a.', 'b']);
    expect(finished(write(tokens, 'paragraph', true)).map(({ text }) => text)).toEqual(['a.', 'b']);
  });

  it('starts the next one with nothing', () => {
    const writer = new LineWriter(tokenizer, 'line');
    for (const token of tokenizer.encode('abc\n')) writer.write(token);
    expect([writer.length, writer.shown]).toEqual([0, '']);
    writer.write(97);
    expect([writer.length, writer.shown]).toEqual([1, 'a']);
  });
});

describe('what the model wrote', () => {
  it('is kept beside a step that is more than its line', () => {
    const tokens = [
      piece('<think>'),
      ...tokenizer.encode('hm\nso'),
      piece('</think>'),
      ...tokenizer.encode('a:\n\\[\nb\n\\]\n'),
    ];
    expect(finished(write(tokens, 'block'))).toEqual([
      { text: 'a:', raw: '<think>hm\nso</think>a:' },
      { text: '\\[ b \\]', raw: '\\[\nb\n\\]' },
    ]);
  });

  it('is not kept where it is the line', () => {
    for (const rule of ['line', 'block'] as const)
      expect(finished(write(tokenizer.encode('a = 1\n'), rule))).toEqual([{ text: 'a = 1', raw: undefined }]);
  });

  const pieces = fc.constantFrom(
    ...['\n', ' ', 'a', 'é', 'b = 2', '$$', '\\[', '\\]', '<think>', '</think>', '## c', 'Step 3:', '🥚'],
  );
  const texts = fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join(''));
  const rules = fc.constantFrom<StepRule>('line', 'block', 'paragraph');

  it('is the whole text, step after step, up to the newline that ends each', () => {
    fc.assert(
      fc.property(texts, rules, (text, rule) => {
        const steps = finished(write(tokenizer.encode(text), rule, true));
        const written = steps.map(({ text: line, raw }) => raw ?? line).join('\n');
        expect(written).toBe(text.replace(/\n$/u, ''));
      }),
      { numRuns: 500 },
    );
  });

  it('is split as the whole text is, however it comes in tokens', () => {
    fc.assert(
      fc.property(texts, rules, (text, rule) => {
        const steps = finished(write(tokenizer.encode(text), rule, true)).map(({ text: step }) => step);
        const whole: string[] = [];
        for (let rest = text; rest !== '';) {
          const end = findStepEnd(rest, rule, true)!;
          whole.push(end.text);
          rest = rest.slice(end.length);
        }
        expect(steps).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });

  it('is what was shown', () => {
    fc.assert(
      fc.property(texts, rules, (text, rule) => {
        const changes = write(tokenizer.encode(text), rule, true);
        expect(changes.map(({ appended }) => appended).join('')).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});
