import fc from 'fast-check';
import type { RunEvent } from '../../../src/domain/run.ts';
import { DEFAULT_SETTINGS } from '../../../src/domain/settings.ts';

export function started(n: number): RunEvent {
  return {
    type: 'started',
    problem: { text: 'What is 6 times 7?', answer: '42' },
    settings: { ...DEFAULT_SETTINGS, n },
    models: { generator: { id: 'test', revision: '0', dtype: 'fp32' }, prm: null, orm: null },
    backend: 'wasm',
  };
}

/** Lanes and steps as a damaged file may hold them. */
const index = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom(-1, 0.5, 64, Number.NaN, Infinity, 2 ** 53) },
);

const number = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.double());

/** Any well-typed event, whether it fits or not. */
export const event: fc.Arbitrary<RunEvent> = fc.oneof(
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 4 }).map(started) },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('text' as const), lane: index, text: fc.string() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('step' as const),
      lane: index,
      text: fc.string(),
      tokens: fc.nat(),
      logprob: number,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('reward' as const),
      lane: index,
      step: index,
      reward: number,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('outcome' as const), lane: index, reward: number }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('ended' as const),
      lane: index,
      end: fc.oneof(
        fc.constantFrom(
          { kind: 'answer' as const },
          { kind: 'length' as const },
          { kind: 'no-answer' as const },
          { kind: 'cancelled' as const },
        ),
        fc.record({ kind: fc.constant('error' as const), message: fc.string() }),
      ),
      answer: fc.option(fc.string(), { nil: null }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('finished' as const),
      status: fc.constantFrom({ kind: 'complete' as const }, { kind: 'cancelled' as const }),
      stats: fc.constant({ wallMs: 5, forwardMs: 4, firstTokenMs: 1, tokens: 9 }),
    }),
  },
);
