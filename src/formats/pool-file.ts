import * as v from 'valibot';
import { LIMITS } from '../domain/limits.ts';
import { failure, parseJson, type Parsed } from './json.ts';
import { check } from './validate.ts';

/**
 * The pool file: many scored samples for each of many held-out problems, from which accuracy against n is computed.
 * Only what the curves need is in it, no text.
 */
export const POOL_VERSION = 1;

const probability = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

const sample = v.object({
  correct: v.boolean(),
  /** Samples of a problem with the same number gave the same answer; `null` where there is no answer. */
  group: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000))),
  /** Product of the step rewards; `null` where the sample cannot be picked by it. */
  prm: v.nullable(probability),
  orm: v.nullable(probability),
});

const pool = v.object({
  schemaVersion: v.literal(POOL_VERSION),
  problems: v.pipe(
    v.array(
      v.object({
        id: v.pipe(v.string(), v.maxLength(LIMITS.maxProblemCharacters)),
        answer: v.pipe(v.string(), v.maxLength(LIMITS.maxAnswerCharacters)),
        samples: v.pipe(v.array(sample), v.minLength(1), v.maxLength(2_048)),
      }),
    ),
    v.minLength(1),
    v.maxLength(2_000),
  ),
});

export type PoolFile = v.InferOutput<typeof pool>;

/** Reads a pool file; never throws. */
export function readPoolFile(source: string): Parsed<PoolFile> {
  const json = parseJson(source);
  if (!json.ok) return failure(`The pool cannot be read: ${json.message}.`);
  const parsed = check(pool, json.value);
  return parsed.ok ? parsed : failure(`The pool is damaged at ${parsed.message}`);
}
