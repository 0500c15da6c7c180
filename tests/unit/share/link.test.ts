import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold, type Run } from '../../../src/domain/run.ts';
import { DEFAULT_SETTINGS } from '../../../src/domain/settings.ts';
import { parseRunFile } from '../../../src/formats/run-file.ts';
import { packText, unpackText } from '../../../src/share/pack.ts';
import {
  MAX_HASH_CHARACTERS,
  MAX_RUN_CHARACTERS,
  problemHash,
  readHash,
  runHash,
} from '../../../src/share/link.ts';

const recorded = (id: string): Run => {
  const events = parseRunFile(
    readFileSync(new URL(`../../../public/recorded/${id}.json`, import.meta.url), 'utf8'),
  );
  const run = events.ok ? fold(null, events.value) : null;
  if (run === null) throw new Error(`${id} cannot be read`);
  return run;
};

const PROBLEM = { text: 'What is 5% of 40 & why? #1 “½ of $x^2$”', answer: '2' };

describe('a link to a problem', () => {
  it('opens as what it was made from', async () => {
    const settings = { ...DEFAULT_SETTINGS, n: 16, seed: 4_294_967_295, temperature: 0.7, topP: 0.9 };
    const hash = problemHash(PROBLEM, settings, 'wasm', 'pocket');
    expect(await readHash(hash)).toEqual({
      kind: 'problem',
      problem: PROBLEM,
      settings,
      backend: 'wasm',
      model: 'pocket',
    });
  });

  it('says its N and seed, and leaves out what is as usual', () => {
    const hash = problemHash({ text: '1+1?', answer: null }, DEFAULT_SETTINGS, 'auto', null);
    expect(hash).toBe('#problem=1%2B1%3F&n=8&seed=1');
  });

  it.each([
    ['#problem=1%2B1&n=65', /N must be a whole number from 1 to 64/],
    ['#problem=1%2B1&n=-1', /N must be/],
    ['#problem=1%2B1&n=1e9', /N must be/],
    ['#problem=1%2B1&n=', /N must be/],
    ['#problem=1%2B1&temperature=NaN', /Temperature must be/],
    ['#problem=1%2B1&seed=4294967296', /Seed must be/],
    ['#problem=%20', /holds no problem/],
    [`#problem=${'x'.repeat(5000)}`, /holds no problem.*Shorten/],
    [`#problem=1%2B1&answer=${'9'.repeat(5000)}`, /answer in this link is longer/],
    [`#problem=${'x'.repeat(MAX_HASH_CHARACTERS)}`, /characters; at most/],
    ['#recorded=../../etc', /recorded run that cannot exist/],
    ['#run=%3Cscript%3E', /damaged/],
    ['#run=AAAA', /damaged/],
  ])('says what is wrong with %.60s', async (hash, message) => {
    const content = await readHash(hash);
    expect(content.kind === 'fault' ? content.message : content.kind).toMatch(message);
  });

  it.each(['', '#', '#about', '#run', '#tour=3', '#%', '#%E0%A4%A'])('is none: %s', async (hash) => {
    expect(await readHash(hash)).toEqual({ kind: 'none' });
  });

  it('never throws, whatever the hash', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
        for (const key of ['', 'run=', 'problem=', 'problem=1&n=', 'recorded='])
          await readHash(`#${key}${text}`);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a link to a run', () => {
  it.each(['books', 'bags', 'shopping'])('opens as the same run: %s', async (id) => {
    const run = recorded(id);
    const hash = await runHash(run);
    if (!hash.ok) throw new Error(hash.message);
    expect(hash.value.length).toBeLessThan(MAX_RUN_CHARACTERS);
    const content = await readHash(hash.value);
    if (content.kind !== 'run') throw new Error(content.kind);
    const opened = content.run;
    expect(opened.settings).toEqual(run.settings);
    expect(opened.solutions.map(({ steps }) => steps.map(({ text }) => text))).toEqual(
      run.solutions.map(({ steps }) => steps.map(({ text }) => text)),
    );
    const rewards = ({ solutions }: Run): number[] =>
      solutions.flatMap(({ steps, outcomeReward }) => [
        ...steps.map(({ reward }) => reward!),
        outcomeReward ?? -1,
      ]);
    rewards(opened).forEach((reward, i) => expect(reward).toBeCloseTo(rewards(run)[i]!, 6));
  });

  it('is refused where it would be too long', async () => {
    const run = recorded('bags');
    // Text that cannot be compressed.
    const noise = (at: number): string =>
      Array.from({ length: 400 }, (_, i) =>
        String.fromCodePoint(0x4e00 + ((at * 7919 + i * i * 31) % 20_000)),
      ).join('');
    const long = {
      ...run,
      solutions: run.solutions.map((solution) => ({
        ...solution,
        steps: solution.steps.map((step, i) => ({ ...step, text: noise(solution.lane * 10 + i) })),
      })),
    };
    const hash = await runHash(long);
    expect(hash.ok ? 'fits' : hash.message).toMatch(/Save it as a run file/);
  });

  it('stops unpacking what would fill the memory', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000)).toString('base64url');
    expect(await unpackText(bomb)).toBeNull();
  });

  it('packs any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
        const packed = await packText(text);
        expect(packed).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(await unpackText(packed)).toBe(text);
      }),
      { numRuns: 50 },
    );
  });
});
