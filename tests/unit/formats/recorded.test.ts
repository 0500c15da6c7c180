import { describe, expect, it } from 'vitest';
import { readRecordedIndex } from '../../../src/formats/recorded-index.ts';

const run = {
  id: 'beads',
  title: 'Beads',
  why: 'The majority forgets five beads.',
  level: 'middle',
  file: 'beads.json',
  problem: 'What is 2+3?',
};
const index = (change: object = {}) => JSON.stringify({ schemaVersion: 1, runs: [{ ...run, ...change }] });

describe('the list of recorded runs', () => {
  it('is read', () => {
    expect(readRecordedIndex(index())).toEqual({ ok: true, value: { schemaVersion: 1, runs: [run] } });
  });

  it.each([
    ['a path', { file: '../secret.json' }],
    ['another host', { file: 'https://example.test/a.json' }],
    ['a level that is not there', { level: 'expert' }],
    ['no reason', { why: '' }],
    ['a long problem', { problem: 'x'.repeat(2_001) }],
  ])('is refused with %s', (_, change) => {
    const read = readRecordedIndex(index(change));
    expect(read.ok).toBe(false);
  });

  it('says which version it reads, and survives nonsense', () => {
    expect(readRecordedIndex('{"schemaVersion":2,"runs":[]}')).toMatchObject({
      ok: false,
      message: expect.stringContaining('version 2') as string,
    });
    expect(readRecordedIndex('<!doctype html>').ok).toBe(false);
    expect(readRecordedIndex('null').ok).toBe(false);
  });
});
