import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  loadRecords,
  readLines,
  readRecords,
  type Line,
  type TextSource,
} from '../../../src/formats/lines.ts';
import { parseTrl } from '../../../src/formats/trl.ts';

async function all(source: TextSource, maxCharacters = 1_000): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of readLines(source, { maxCharacters })) lines.push(line);
  return lines;
}
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('lines', () => {
  it('knows LF, CRLF, a byte-order mark and a missing last end', async () => {
    expect(await all(['\ufeffa\r\nb\n\nc'])).toEqual([
      { line: 1, text: 'a' },
      { line: 2, text: 'b' },
      { line: 4, text: 'c' },
    ]);
    expect(await all([bytes('\ufeffa\r\nb\n')])).toEqual([
      { line: 1, text: 'a' },
      { line: 2, text: 'b' },
    ]);
    expect(await all([])).toEqual([]);
    expect(await all(['', '\n', ''])).toEqual([]);
  });

  it('reports a line that is too long, and reads on', async () => {
    const long = 'x'.repeat(5_000);
    expect(await all([`a\n${long}`, `${long}\nb\n${long}`])).toEqual([
      { line: 1, text: 'a' },
      { line: 2, message: 'longer than 1,000 characters' },
      { line: 3, text: 'b' },
      { line: 4, message: 'longer than 1,000 characters' },
    ]);
  });

  it('does not depend on where a stream is cut', async () => {
    const text = fc
      .array(fc.constantFrom('a', 'é', '𝟝', '\n', '\r\n', ' ', 'ки'), { maxLength: 30 })
      .map((p) => p.join(''));
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat(40), { maxLength: 6 }), async (source, cuts) => {
        const raw = bytes(source);
        const at = [0, ...cuts.map((c) => Math.min(c, raw.length)).sort((a, b) => a - b), raw.length];
        const pieces = at.slice(1).map((end, i) => raw.subarray(at[i], end));
        const whole = await all([source]);
        expect(await all(pieces)).toEqual(whole);
        const expected = source.split('\n').map((line) => line.replace(/\r$/, ''));
        expect(whole).toEqual(
          expected.flatMap((line, i) => (line.trim() === '' ? [] : [{ line: i + 1, text: line }])),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('stops its source when the reader stops', async () => {
    let cancelled = false;
    const stream = new ReadableStream<string>({
      pull: (controller) => controller.enqueue('line\n'),
      cancel: () => {
        cancelled = true;
      },
    });
    for await (const line of readLines(stream)) if (line.line === 3) break;
    expect(cancelled).toBe(true);
  });
});

describe('records', () => {
  it('gives line numbers and reasons, and loads the others', async () => {
    const good = '{"prompt":"p","completions":["a"],"labels":[true]}';
    const file = `${good}\r\nnot json\n\n${good}\n{"prompt":"p","completions":["a"],"labels":[]}\n${good.slice(0, 20)}`;
    const items = [];
    for await (const item of readRecords([file], parseTrl)) items.push('value' in item ? item.line : item);
    expect(items).toEqual([
      1,
      { line: 2, message: expect.stringMatching(/^not JSON/) as string },
      4,
      { line: 5, message: '1 completions, but 0 labels' },
      { line: 6, message: expect.stringMatching(/^not JSON/) as string },
    ]);
    expect(await loadRecords([file], parseTrl, 1)).toMatchObject({ truncated: true, errorCount: 1 });
    expect(await loadRecords([file], parseTrl, 10)).toMatchObject({ truncated: false, errorCount: 3 });
  });

  it('streams 100 MB without holding the event loop', async () => {
    const line = `${JSON.stringify({ prompt: 'p'.repeat(40_000), completions: ['a'.repeat(9_000)], labels: [true] })}\n`;
    const block = bytes(line.repeat(40));
    const blocks = Math.ceil(100_000_000 / block.length);
    const source = (function* () {
      for (let i = 0; i < blocks; i++) yield block;
    })();
    let last = performance.now();
    const gaps: number[] = [];
    const beat = setInterval(() => {
      const t = performance.now();
      gaps.push(t - last);
      last = t;
    }, 1);
    let count = 0;
    let errors = 0;
    for await (const item of readRecords(source, parseTrl)) {
      count++;
      if (!('value' in item)) errors++;
    }
    clearInterval(beat);
    expect([count, errors]).toEqual([blocks * 40, 0]);
    // The event loop had its turn all the time. Not the longest gap: another process may have caused that one.
    const sorted = gaps.sort((a, b) => a - b);
    expect(sorted.length).toBeGreaterThan(10);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(50);
  });
});
