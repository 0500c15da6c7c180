import * as v from 'valibot';
import { TIER_NAMES } from '../domain/model-choice.ts';
import type { Parsed } from './json.ts';
import { check } from './validate.ts';

const bytes = v.pipe(v.number(), v.integer(), v.minValue(1));

const entry = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w.-]{1,96}\/[\w.-]{1,96}$/u, 'is no id of a model')),
  /** Looked up when the model is added, and kept as its commit from then on. */
  revision: v.pipe(v.string(), v.maxLength(100)),
  title: v.pipe(v.string(), v.maxLength(100)),
  tier: v.picklist(TIER_NAMES),
  licence: v.pipe(v.string(), v.maxLength(100)),
  /** About, by weights, as the model's page says; what is fetched is known after looking up. */
  bytes: v.object({ q4f16: v.exactOptional(bytes), q4: v.exactOptional(bytes) }),
  context: v.pipe(v.number(), v.integer(), v.minValue(256)),
  /** How it is asked: for a line with the answer, or for the answer in a box, as it was trained. */
  style: v.picklist(['chat', 'boxed']),
  steps: v.picklist(['line', 'block', 'paragraph']),
  /** Sentences. */
  hazards: v.pipe(v.array(v.pipe(v.string(), v.maxLength(200))), v.maxLength(5)),
});

/** A model on the hub that this page recommends. */
export type RegistryEntry = v.InferOutput<typeof entry>;

/** Validates the list of recommended models; never throws. */
export function readRegistry(value: unknown): Parsed<readonly RegistryEntry[]> {
  return check(v.pipe(v.array(entry), v.minLength(1), v.maxLength(100)), value);
}
