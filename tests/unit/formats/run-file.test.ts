import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold, type RunEvent } from '../../../src/domain/run.ts';
import { DEFAULT_SETTINGS } from '../../../src/domain/settings.ts';
import { parseRunFile, readRunFile, writeRunFile } from '../../../src/formats/run-file.ts';
import { damaged, text } from './arbitraries.ts';

const model = { id: 'pocket', revision: '0123456789ab', dtype: 'q8' };
const started: RunEvent = {
  type: 'started',
  problem: { text: 'What is 2+3?', answer: '5' },
  settings: { ...DEFAULT_SETTINGS, n: 2 },
  models: { generator: model, prm: model, orm: null },
  backend: 'wasm',
};
const run: RunEvent[] = [
  started,
  { type: 'text', lane: 0, text: 'We ' },
  { type: 'step', lane: 0, text: 'We add.', tokens: 4, logprob: -1.25 },
  { type: 'reward', lane: 0, step: 0, reward: 0.75 },
  { type: 'step', lane: 0, text: 'A: 5', tokens: 3, logprob: 0 },
  { type: 'ended', lane: 0, end: { kind: 'answer' }, answer: '5' },
  { type: 'outcome', lane: 0, reward: 1 },
  { type: 'ended', lane: 1, end: { kind: 'error', message: 'device lost' }, answer: null },
  {
    type: 'finished',
    status: { kind: 'failed', message: 'device lost' },
    stats: { wallMs: 10, forwardMs: 9.5, firstTokenMs: 1, tokens: 7 },
  },
];

function file(events: readonly RunEvent[] = run): string {
  const result = writeRunFile(events);
  if (!result.ok) throw new Error(result.message);
  return result.value;
}
const message = (result: { ok: boolean; message?: string }): string =>
  result.ok ? 'ok' : (result.message ?? '');

describe('a run file', () => {
  it('gives back the events, and so the run', () => {
    const back = parseRunFile(file());
    expect(back).toEqual({ ok: true, value: run });
    if (back.ok) expect(fold(null, back.value)).toEqual(fold(null, run));
    expect(parseRunFile(`\ufeff${file()}\r\n`)).toEqual(back);
    expect(JSON.parse(file())).toMatchObject({ format: 'steplight-run', version: 2, backend: 'wasm' });
  });

  it('reads the first version for ever', () => {
    // A file as version 1 wrote it; do not change it with the code.
    const old =
      '{"format":"steplight-run","version":1,"problem":{"text":"1+1?","answer":null},"settings":{"n":1,"temperature":1,"topK":0,"topP":1,"minP":0,"maxTokens":160,"seed":1},"models":{"generator":{"id":"g","revision":"r","dtype":"q8"},"prm":null,"orm":null},"backend":"webgpu","events":[{"type":"text","lane":0,"text":"2"}]}';
    const back = parseRunFile(old);
    expect(message(back)).toBe('ok');
    if (back.ok) expect(fold(null, back.value)?.solutions[0]?.partial).toBe('2');
  });

  const changed = (change: (raw: Record<string, unknown>) => void): string => {
    const raw = JSON.parse(file()) as Record<string, unknown>;
    change(raw);
    return message(parseRunFile(JSON.stringify(raw)));
  };
  const firstEvent = (event: unknown): string => changed((raw) => (raw.events = [event]));

  it('says what is wrong', () => {
    expect(changed((raw) => (raw.version = 3))).toMatch(
      /has version 3; this Steplight reads versions up to 2/,
    );
    expect(changed((raw) => (raw.version = 'constructor'))).toMatch(/does not say its version/);
    expect(changed((raw) => (raw.version = 0))).toMatch(/does not say its version/);
    expect(changed((raw) => (raw.format = 'x'))).toMatch(/not a Steplight run file/);
    expect(changed((raw) => delete raw.models)).toMatch(/damaged at models/);
    expect(changed((raw) => (raw.settings = { ...DEFAULT_SETTINGS, n: 1e6 }))).toMatch(
      /settings\.n: N must be a whole number/,
    );
    expect(changed((raw) => (raw.problem = { text: 'x'.repeat(3_000), answer: null }))).toMatch(
      /damaged at problem\.text/,
    );
    expect(firstEvent({ type: 'text', lane: -1, text: '' })).toMatch(/events\.0\.lane/);
    expect(firstEvent({ type: 'reward', lane: 0, step: 0, reward: 1.5 })).toMatch(/events\.0\.reward/);
    expect(firstEvent({ type: 'started' })).toMatch(/events\.0\.type/);
    expect(firstEvent({ type: 'ended', lane: 0, end: { kind: 'error' }, answer: null })).toMatch(
      /events\.0\.end/,
    );
    expect(firstEvent({ type: 'text', lane: 0, text: 'x'.repeat(30_000) })).toMatch(/events\.0\.text/);
    expect(message(parseRunFile('{"format":"steplight-run","version":1,"__proto__":{}}'))).toMatch(
      /__proto__/,
    );
    expect(message(parseRunFile(''))).toMatch(/not a run file: empty/);
    expect(message(parseRunFile('{"a":NaN}'))).toMatch(/NaN/);
    expect(message(readRunFile(undefined))).toMatch(/not a Steplight run file/);
  });

  it('is not written if it could not be read', () => {
    expect(message(writeRunFile([]))).toMatch(/begins with/);
    expect(message(writeRunFile([started, started]))).toMatch(/two runs/);
    expect(
      message(writeRunFile([started, { type: 'step', lane: 0, text: '', tokens: 1, logprob: -Infinity }])),
    ).toMatch(/not finite/);
    expect(message(writeRunFile([started, { type: 'text', lane: 70, text: '' }]))).toMatch(/events\.0\.lane/);
  });

  it('gives back any events', () => {
    const lane = fc.nat(63);
    const share = fc.double({ min: 0, max: 1, noNaN: true }).map((x) => x + 0);
    const event: fc.Arbitrary<RunEvent> = fc.oneof(
      fc.record({ type: fc.constant('text' as const), lane, text }),
      fc.record({
        type: fc.constant('step' as const),
        lane,
        text,
        tokens: fc.nat(512),
        logprob: fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0),
      }),
      fc.record({ type: fc.constant('reward' as const), lane, step: fc.nat(99), reward: share }),
      fc.record({ type: fc.constant('outcome' as const), lane, reward: share }),
      fc.record({
        type: fc.constant('ended' as const),
        lane,
        end: fc.oneof(
          fc.record({ kind: fc.constantFrom('answer' as const, 'length' as const) }),
          fc.record({ kind: fc.constant('error' as const), message: text }),
        ),
        answer: fc.option(text),
      }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), (events) => {
        const all = [started, ...events];
        expect(parseRunFile(file(all))).toEqual({ ok: true, value: all });
      }),
      { numRuns: 1_000 },
    );
  });

  it('never throws on any input, and what loads folds and can be written', () => {
    fc.assert(
      fc.property(damaged([file()]), (source) => {
        const result = parseRunFile(source);
        if (!result.ok) return;
        fold(null, result.value);
        expect(writeRunFile(result.value).ok).toBe(true);
      }),
      { numRuns: 10_000 },
    );
  });
});
