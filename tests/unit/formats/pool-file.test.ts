import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPoolFile, type PoolFile } from '../../../src/formats/pool-file.ts';

const POOL: PoolFile = {
  schemaVersion: 1,
  n: 2,
  problems: [
    {
      id: 'What is 1 + 1?',
      answer: '2',
      samples: [
        { correct: true, group: 0, prm: 0.9, orm: 0.8 },
        { correct: false, group: null, prm: null, orm: null },
      ],
    },
  ],
};

describe('readPoolFile', () => {
  it('reads what was written', () => {
    expect(readPoolFile(JSON.stringify(POOL))).toEqual({ ok: true, value: POOL });
  });

  it.each([
    ['{"schemaVersion":2}', /version 2; this page reads version 1/],
    ['{', /cannot be read/],
    ['[]', /damaged/],
    [JSON.stringify({ ...POOL, problems: [] }), /problems/],
    [JSON.stringify(POOL).replace('0.9', '1.5'), /prm/],
    [JSON.stringify(POOL).replace('"n":2', '"n":65'), /n: /],
  ])('says what is wrong with %s', (source, message) => {
    const result = readPoolFile(source);
    expect(result.ok ? '' : result.message).toMatch(message);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (source) => {
        expect(typeof readPoolFile(source).ok).toBe('boolean');
      }),
      { numRuns: 10_000 },
    );
  });
});
