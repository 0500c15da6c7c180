import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCsv, parseCsv, readCsv, type CsvLine } from '../../../src/formats/csv.ts';
import {
  parseScored,
  scoredFromCsv,
  scoredToCsv,
  writeScored,
  type ScoredSample,
} from '../../../src/formats/scored.ts';
import { damaged, text } from './arbitraries.ts';

const rows = (csv: string): (readonly string[])[] =>
  parseCsv(csv).map((line) => ('row' in line ? line.row : []));

describe('CSV', () => {
  it('writes RFC 4180', () => {
    expect(formatCsv([['a', 'b,c', 'd"e', 'f\ng', null, 1.5, true, ' h']])).toBe(
      'a,"b,c","d""e","f\ng",,1.5,true," h"\r\n',
    );
  });

  it('guards against formulas, and takes the guard off again', () => {
    const cells = [
      '=1+1',
      '+cmd',
      '-2+3',
      '@SUM(A1)',
      '\tx',
      '\rx',
      "'=x",
      "''=x",
      '＝1',
      '-5',
      '+5.5e3',
      "'5",
      'a=b',
    ];
    const csv = formatCsv([cells]);
    expect(csv).toContain("'=1+1,'+cmd,'-2+3,'@SUM(A1)");
    expect(csv).toContain(',-5,+5.5e3,');
    // No cell begins with a sign that a spreadsheet runs.
    for (const cell of csv.trimEnd().split(',')) expect(cell).not.toMatch(/^"?[=@\t\r＝]/);
    expect(rows(csv)).toEqual([cells]);
    // Typed numbers are no text.
    expect(formatCsv([[-5, 1e-7]])).toBe('-5,1e-7\r\n');
  });

  it('reads LF, CR, CRLF, a byte-order mark, quotes with line ends, and a last row without end', () => {
    expect(rows('\ufeffa,b\r\n"c\r\nd",e\rf,\n,g')).toEqual([
      ['a', 'b'],
      ['c\r\nd', 'e'],
      ['f', ''],
      ['', 'g'],
    ]);
    expect(rows('')).toEqual([]);
    expect(rows('\n\na\n')).toEqual([['a']]);
  });

  it('gives the line of a fault, and reads on', () => {
    expect(parseCsv('a\n"b\nc"x,d\ne"f\ng\n"open')).toEqual([
      { line: 1, row: ['a'] },
      { line: 2, message: 'text behind a closing quote' },
      { line: 4, message: 'a quote inside a field without quotes' },
      { line: 5, row: ['g'] },
      { line: 6, message: 'a quote that is not closed' },
    ]);
  });

  it('gives back any table, cut anywhere', async () => {
    const table = fc.array(fc.array(text, { minLength: 1, maxLength: 4 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(table, fc.nat(60), async (cells, cut) => {
        const csv = formatCsv(cells);
        expect(rows(csv)).toEqual(cells);
        const lines: CsvLine[] = [];
        for await (const line of readCsv([csv.slice(0, cut), csv.slice(cut)])) lines.push(line);
        if (!csv.startsWith('\ufeff')) expect(lines).toEqual(parseCsv(csv));
      }),
      { numRuns: 1_500 },
    );
  });

  it('never throws on any input', () => {
    const noise = fc.array(fc.constantFrom('"', ',', '\n', '\r', 'a', "'", '=', '""', '\ud800', '\u0000'), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(noise, (parts) => {
        for (const line of parseCsv(parts.join(''))) expect('row' in line || line.message !== '').toBe(true);
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('scored samples', () => {
  const full =
    '{"problem":"2+3?","answer":"5","prm_score":0.5,"orm_score":-1.5,"is_correct":true,"model":"m"}';

  it('reads and gives back JSON Lines', () => {
    for (const line of [full, '{"problem":"p"}']) {
      const sample = parseScored(line);
      expect(sample.ok).toBe(true);
      if (sample.ok)
        expect(writeScored(sample.value)).toMatchObject({ value: JSON.parse(line) as object, losses: [] });
    }
    for (const bad of [
      '{}',
      '{"problem":"p","prm_score":"1"}',
      '{"problem":"p","prm_score":NaN}',
      '{"problem":"p","prm_score":1e999}',
      '{"problem":"p","is_correct":1}',
    ]) {
      expect(parseScored(bad).ok).toBe(false);
    }
    expect(
      writeScored({ problem: '', answer: null, prmScore: NaN, ormScore: null, correct: null, rest: {} }).ok,
    ).toBe(false);
  });

  it('goes through CSV', () => {
    const sample: fc.Arbitrary<ScoredSample> = fc.record({
      problem: text,
      answer: fc.option(text.filter((t) => t !== '')),
      prmScore: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0)),
      ormScore: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0)),
      correct: fc.option(fc.boolean()),
      rest: fc.constant({}),
    });
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 4 }), (samples) => {
        const csv = scoredToCsv(samples);
        if (!csv.ok) throw new Error(csv.message);
        expect(csv.losses).toEqual([]);
        const [header, ...body] = rows(csv.value);
        expect(body.map((row) => scoredFromCsv(header!, row))).toEqual(
          samples.map((value) => ({ ok: true, value })),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('says what CSV does not hold, and what is wrong with a row', () => {
    const sample = parseScored('{"problem":"p","answer":"","tags":["a"]}');
    if (!sample.ok) throw new Error(sample.message);
    expect(scoredToCsv([sample.value])).toMatchObject({
      losses: [
        '1 structured field, written as JSON text',
        'types of the columns tags, which CSV does not hold',
        'the difference between an empty answer and none',
      ],
    });
    expect(scoredFromCsv(['problem', 'prm_score'], ['p', 'NaN'])).toMatchObject({
      message: 'prm_score: "NaN" is not a number',
    });
    expect(scoredFromCsv(['problem', 'is_correct'], ['p', 'maybe'])).toMatchObject({ ok: false });
    expect(scoredFromCsv(['problem', 'is_correct'], ['p', 'constructor'])).toMatchObject({ ok: false });
    expect(scoredFromCsv(['problem', '__proto__'], ['p', 'x'])).toMatchObject({ ok: false });
    expect(scoredFromCsv(['problem'], ['p', 'x'])).toMatchObject({ message: '2 fields, but 1 columns' });
    expect(scoredFromCsv(['answer'], ['p'])).toMatchObject({ message: 'no column "problem"' });
  });

  it('never throws on any input', () => {
    fc.assert(
      fc.property(damaged([full]), (line) => {
        const sample = parseScored(line);
        if (sample.ok) expect(writeScored(sample.value).ok).toBe(true);
      }),
      { numRuns: 10_000 },
    );
  });
});
