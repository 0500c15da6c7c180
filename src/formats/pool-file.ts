import * as v from 'valibot';
import { LIMITS } from '../domain/limits.ts';
import { failure, isObject, parseJson, type Parsed } from './json.ts';
import { check } from './validate.ts';

/** The version of recorded/pool.json that this code reads. */
export const POOL_VERSION = 1;

const probability = v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1)));

const sample = v.object({
  correct: v.boolean(),
  /** Samples of a problem with the same number have equal answers; `null` without an answer. */
  group: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(LIMITS.maxLanes))),
  /** Product of the step rewards. */
  prm: probability,
  orm: probability,
});

const pool = v.object({
  schemaVersion: v.literal(POOL_VERSION),
  /** Samples of each problem. */
  n: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LIMITS.maxLanes)),
  problems: v.pipe(
    v.array(
      v.object({
        id: v.pipe(v.string(), v.maxLength(LIMITS.maxProblemCharacters)),
        answer: v.pipe(v.string(), v.maxLength(LIMITS.maxAnswerCharacters)),
        samples: v.pipe(v.array(sample), v.minLength(1), v.maxLength(LIMITS.maxLanes)),
      }),
    ),
    v.minLength(1),
    v.maxLength(2_000),
  ),
});

/** Scored samples of problems with known answers, made by `npm run evaluate -- --pool`. */
export type PoolFile = v.InferOutput<typeof pool>;

/** Reads recorded/pool.json; never throws. */
export function readPoolFile(source: string): Parsed<PoolFile> {
  const json = parseJson(source);
  if (!json.ok) return failure(`The measured pool cannot be read: ${json.message}.`);
  const version = isObject(json.value) ? json.value.schemaVersion : undefined;
  if (typeof version === 'number' && version !== POOL_VERSION) {
    return failure(`The measured pool has version ${version}; this page reads version ${POOL_VERSION}.`);
  }
  const parsed = check(pool, json.value);
  return parsed.ok ? parsed : failure(`The measured pool is damaged at ${parsed.message}`);
}
