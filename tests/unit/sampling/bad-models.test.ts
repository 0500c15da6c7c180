import { expect, test } from 'vitest';
import type { RunEvent } from '../../../src/domain/run.ts';
import { DEFAULT_SETTINGS, type RunSettings } from '../../../src/domain/settings.ts';
import { freshLane, sampleLanes } from '../../../src/sampling/sample-lanes.ts';
import type { LaneTokenizer } from '../../../src/sampling/tokenizer.ts';
import { answerOf, END, FakeDecoder, NEWLINE, tokenizer, type Logits } from './fake-model.ts';

interface Case {
  readonly logits?: Logits;
  readonly context?: number;
  readonly prompt?: readonly number[];
  readonly settings?: Partial<RunSettings>;
  readonly tokenizer?: LaneTokenizer;
}

async function sample(options: Case) {
  const settings = { ...DEFAULT_SETTINGS, n: 3, maxTokens: 20, ...options.settings };
  const decoder = new FakeDecoder(options);
  const events: RunEvent[] = [];
  let passes = 0;
  const outcome = await sampleLanes(
    decoder,
    options.tokenizer ?? tokenizer,
    options.prompt ?? [3, 4, 1],
    settings,
    Array.from({ length: settings.n }, (_, lane) => freshLane(lane)),
    {
      stepRule: 'line',
      emit: (event) => events.push(event),
      sampled: () => undefined,
      answerOf,
      rewardsOf: () => ({ step: 0.5, outcome: null }),
      proceed: () => {
        if (++passes > 100) throw new Error('the sampler does not end');
        return Promise.resolve(true);
      },
    },
  ).then(
    ({ status }) => status,
    (error: unknown) => error,
  );
  const ends = events.flatMap((event) => (event.type === 'ended' ? [event.end] : []));
  return { outcome, ends, decoder, events };
}

const only =
  (token: number): Logits =>
  () =>
    Array.from({ length: 9 }, (_, i) => (i === token ? 20 : -20));

test('a lane that never ends a line ends by length', async () => {
  const { outcome, ends, events } = await sample({ logits: only(3) });
  expect(outcome).toEqual({ kind: 'complete' });
  expect(ends).toEqual(Array.from({ length: 3 }, () => ({ kind: 'length' })));
  expect(events.filter(({ type }) => type === 'step')).toEqual([]);
});

test('a lane of nothing but blank lines ends by length', async () => {
  const { ends, events } = await sample({ logits: only(NEWLINE) });
  expect(ends.map(({ kind }) => kind)).toEqual(['length', 'length', 'length']);
  expect(events.filter(({ type }) => type === 'step')).toEqual([]);
});

test('a model that stops at once writes no answer', async () => {
  const { outcome, ends } = await sample({ logits: only(END) });
  expect(outcome).toEqual({ kind: 'complete' });
  expect(ends.map(({ kind }) => kind)).toEqual(['no-answer', 'no-answer', 'no-answer']);
});

test('without an end token every lane still ends', async () => {
  for (let seed = 0; seed < 10; seed++) {
    const { outcome, ends } = await sample({ settings: { seed }, tokenizer: { ...tokenizer, ends: [] } });
    expect(outcome).toEqual({ kind: 'complete' });
    expect(ends).toHaveLength(3);
    expect(ends.every(({ kind }) => kind === 'answer' || kind === 'length')).toBe(true);
  }
});

test('the context ends a lane before the token budget does', async () => {
  const { ends, decoder } = await sample({ logits: only(3), context: 8 });
  expect(ends.map(({ kind }) => kind)).toEqual(['length', 'length', 'length']);
  // The prompt and what was written fit exactly.
  expect(decoder.widths.length).toBeLessThanOrEqual(5);
});

test.each([3, 4, 30])('a prompt of %i tokens for a context of 3 is said, and not read', async (length) => {
  const prompt = Array.from({ length }, () => 3);
  const { outcome, ends, decoder } = await sample({ context: 3, prompt });
  expect(outcome).toMatchObject({ kind: 'failed' });
  expect(JSON.stringify(outcome)).toMatch(/at most 2\. Shorten it/);
  expect(ends.map(({ kind }) => kind)).toEqual(['error', 'error', 'error']);
  expect(decoder.widths).toEqual([]);
});

test.each<[string, number | undefined]>([
  ['not a number', Number.NaN],
  ['infinite', Infinity],
  ['minus infinity everywhere', -Infinity],
  ['absent', undefined],
])('logits that are %s stop the run and free the cache', async (name, bad) => {
  let asked = 0;
  const { outcome, decoder } = await sample({
    logits: (sequence) => {
      const row = only(3)(sequence);
      if (++asked < 12) return row;
      if (bad === undefined) return [];
      return name.endsWith('everywhere') ? row.map(() => bad) : row.with(4, bad);
    },
  });
  expect(outcome).toBeInstanceOf(RangeError);
  expect(String(outcome)).toMatch(/logit/);
  expect(decoder.released).toBe(true);
});

test('a runtime that fails stops the run and frees the cache', async () => {
  const { outcome, decoder } = await sample({
    logits: (sequence) => {
      if (sequence.length > 6) throw new Error('out of memory');
      return only(3)(sequence);
    },
  });
  expect(outcome).toEqual(new Error('out of memory'));
  expect(decoder.released).toBe(true);
});
