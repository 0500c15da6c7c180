import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../../src/domain/limits.ts';
import {
  checkProblemText,
  checkSettings,
  DEFAULT_SETTINGS,
  type RunSettings,
} from '../../../src/domain/settings.ts';

const fields = Object.keys(DEFAULT_SETTINGS) as (keyof RunSettings)[];

describe('settings', () => {
  test('the defaults and the limits are good', () => {
    expect(checkSettings(DEFAULT_SETTINGS)).toEqual([]);
    const most: RunSettings = {
      n: LIMITS.maxLanes,
      temperature: LIMITS.maxTemperature,
      topK: 1_000_000,
      topP: 1,
      minP: 1,
      maxTokens: LIMITS.maxTokens,
      seed: LIMITS.maxSeed,
    };
    expect(checkSettings(most)).toEqual([]);
    const least = { n: 1, temperature: 0, topK: 0, topP: 0.01, minP: 0, maxTokens: 1, seed: 0 };
    expect(checkSettings(least)).toEqual([]);
  });

  test('one past a limit is a fault of that field only, in words', () => {
    for (const [field, bad] of [
      ['n', 0],
      ['n', 65],
      ['n', 2.5],
      ['temperature', -0.1],
      ['temperature', 2.1],
      ['topK', -1],
      ['topP', 0],
      ['topP', 1.01],
      ['minP', -0.1],
      ['maxTokens', 4_097],
      ['seed', 2 ** 32],
      ['seed', -1],
    ] as const) {
      const faults = checkSettings({ ...DEFAULT_SETTINGS, [field]: bad });
      expect(faults.map((fault) => fault.field)).toEqual([field]);
      expect(faults[0]!.message).toMatch(/must be a (whole )?number from [\d.]+ to [\d.]+ \(.+\)\.$/);
    }
  });

  test('whatever arrives, each field is judged by itself and nothing is thrown', () => {
    const anything = fc.record(
      Object.fromEntries(fields.map((field) => [field, fc.oneof(fc.anything(), fc.double())])) as Record<
        keyof RunSettings,
        fc.Arbitrary<unknown>
      >,
    );
    fc.assert(
      fc.property(anything, (settings) => {
        const faults = checkSettings(settings);
        for (const field of fields) {
          const alone = checkSettings({ ...DEFAULT_SETTINGS, [field]: settings[field] });
          expect(faults.filter((fault) => fault.field === field)).toEqual(alone);
          if (typeof settings[field] !== 'number' || !Number.isFinite(settings[field])) {
            expect(alone).toHaveLength(1);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test('numbers inside the ranges are good', () => {
    const good = fc.record({
      n: fc.integer({ min: 1, max: LIMITS.maxLanes }),
      temperature: fc.double({ min: 0, max: LIMITS.maxTemperature, noNaN: true }),
      topK: fc.integer({ min: 0, max: 1_000_000 }),
      topP: fc.double({ min: 0.01, max: 1, noNaN: true }),
      minP: fc.double({ min: 0, max: 1, noNaN: true }),
      maxTokens: fc.integer({ min: 1, max: LIMITS.maxTokens }),
      seed: fc.integer({ min: 0, max: LIMITS.maxSeed }),
    });
    fc.assert(
      fc.property(good, (settings) => {
        expect(checkSettings(settings)).toEqual([]);
      }),
    );
  });
});

describe('problem text', () => {
  test('blank and over-long texts are refused in words that say what to do', () => {
    for (const blank of ['', '   ', '\n\t'])
      expect(checkProblemText(blank)).toContain('Type a maths problem');
    expect(checkProblemText('1 + 1')).toBeNull();
    expect(checkProblemText('x'.repeat(LIMITS.maxProblemCharacters))).toBeNull();
    expect(checkProblemText(` ${'x'.repeat(LIMITS.maxProblemCharacters)} `)).toBeNull();
    expect(checkProblemText('x'.repeat(LIMITS.maxProblemCharacters + 1))).toContain('2,001 characters');
  });
});
