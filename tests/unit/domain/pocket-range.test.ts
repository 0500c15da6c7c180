import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { looksBeyondPocket } from '../../../src/domain/pocket-range.ts';
import WORDS from '../../../src/domain/pocket-words.json';
import PRESETS from '../../../src/ui/presets.json';
import { sharedLines } from '../answers/data.ts';

const learned = new Set(WORDS.words.split(' '));
const isBeyond = (text: string): boolean => looksBeyondPocket(text, learned);

/** How many of some problems look beyond. */
function shareOf(lines: readonly string[]): number {
  const problems = lines.map((line) => (JSON.parse(line) as { readonly problem: string }).problem);
  return problems.filter(isBeyond).length / problems.length;
}

const inRange = readFileSync('training/heldout/in-range.jsonl', 'utf8').trim().split('\n');
const svamp = sharedLines('problems/svamp-dev.jsonl');
const gsm8k = sharedLines('problems/gsm8k-dev.jsonl');

describe('a problem looks beyond the pocket models', () => {
  it('if it has several words that they never met', () => {
    expect(isBeyond('The waiter had three customers and the chef gave everyone an appetizer.')).toBe(true);
  });

  it('if it is long', () => {
    expect(isBeyond('Sara has 4 boxes. '.repeat(11))).toBe(true);
  });

  it('not for names, one strange thing, or what has hardly been typed', () => {
    expect(isBeyond('Wlnkobdb has 4 boxes with 12 zorbs each. How many zorbs are there?')).toBe(false);
    expect(isBeyond('')).toBe(false);
    expect(isBeyond('quadratic integral')).toBe(false);
    expect(isBeyond('12*(3+4)-5')).toBe(false);
  });

  it('for few of the page’s own examples that they solve', () => {
    const easy = PRESETS.filter(({ level }) => level === 'easy');
    expect(easy.filter(({ text }) => isBeyond(text)).map(({ id }) => id)).toEqual([]);
  });

  it('for few problems of the kinds that they learned', () => {
    const share = shareOf(inRange);
    console.log(`in range: ${(100 * share).toFixed(1)}%`);
    expect(share).toBeLessThan(0.05);
  });

  it.skipIf(svamp === null || gsm8k === null)('for most problems that people wrote', () => {
    for (const [name, lines] of [
      ['SVAMP', svamp],
      ['GSM8K', gsm8k],
    ] as const) {
      const share = shareOf(lines ?? []);
      console.log(`${name}: ${(100 * share).toFixed(1)}%`);
      expect(share, name).toBeGreaterThan(0.7);
    }
  });
});
