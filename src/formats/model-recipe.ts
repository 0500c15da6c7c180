import * as v from 'valibot';
import { DTYPES, type ModelRecipe, type PinnedModel } from '../domain/model-choice.ts';
import type { VerifierAdapter } from '../domain/verifier.ts';
import { failure, type Parsed } from './json.ts';
import { declaredFile as sha256File } from './manifest.ts';
import { check } from './validate.ts';

/** The version of saved models and of a converter's steplight.json that this code reads. */
export const RECIPE_VERSION = 1;

const piece = v.pipe(v.string(), v.maxLength(2_000));
const pieces = v.pipe(v.array(piece), v.maxLength(20));
const output = v.pipe(v.string(), v.maxLength(100));
const index = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100));
const width = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100));
const verdict = v.pipe(v.string(), v.minLength(1), v.maxLength(50));
const lines = v.pipe(v.array(v.pipe(v.string(), v.maxLength(2_000))), v.minLength(1), v.maxLength(40));
const scores = v.pipe(v.array(v.pipe(v.number(), v.minValue(0), v.maxValue(1))), v.maxLength(40));

/** A verifier's way of reading, as a file or a saved choice holds it. */
export const verifierAdapter = v.object({
  reads: v.picklist(['steps', 'solution']),
  layout: v.object({
    joined: v.boolean(),
    prompt: pieces,
    first: v.exactOptional(pieces),
    step: pieces,
    between: pieces,
    probe: pieces,
  }),
  head: v.variant('kind', [
    v.object({ kind: v.literal('probability'), output, index, width }),
    v.object({ kind: v.literal('labels'), output, positive: index, width }),
    v.object({ kind: v.literal('sigmoid'), output }),
    v.object({ kind: v.literal('tokens'), output, good: verdict, bad: verdict }),
  ]),
  comparable: v.picklist(['everywhere', 'within-problem']),
}) satisfies v.GenericSchema<unknown, VerifierAdapter>;

const generatorAdapter = v.object({
  prompt: v.pipe(pieces, v.minLength(1)),
  steps: v.picklist(['line', 'block', 'paragraph']),
});

const canary = v.object({
  problem: v.pipe(v.string(), v.maxLength(2_000)),
  right: lines,
  wrong: lines,
  scores: v.nullable(v.object({ right: scores, wrong: scores })),
});

/** `owner/name`, or the name of a folder. It goes into addresses and paths. */
const id = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9][\w.-]{0,95}(?:\/[A-Za-z0-9][\w.-]{0,95})?$/u, 'is no id of a model'),
);

export const modelRecipe = v.object({
  id,
  title: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  dtypes: v.pipe(
    v.array(
      v.object({
        dtype: v.picklist(DTYPES),
        backend: v.picklist(['wasm', 'webgpu']),
        needsShaderF16: v.boolean(),
      }),
    ),
    v.minLength(1),
    v.maxLength(20),
  ),
  context: v.pipe(v.number(), v.integer(), v.minValue(16), v.maxValue(1_000_000)),
  generator: v.nullable(generatorAdapter),
  verifier: v.nullable(verifierAdapter),
  canary: v.nullable(canary),
}) satisfies v.GenericSchema<unknown, ModelRecipe>;

const gitFile = v.object({
  path: sha256File.entries.path,
  bytes: sha256File.entries.bytes,
  gitSha1: v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/u, 'is not a git id in hexadecimal')),
});

const pinnedModel = v.object({
  recipe: modelRecipe,
  origin: v.variant('kind', [
    v.object({
      kind: v.literal('hub'),
      // The content security policy names the hosts; nothing but https goes there.
      hub: v.pipe(v.string(), v.regex(/^https:\/\/[a-z0-9.-]+$/u, 'is no address of a hub')),
      commit: v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/u, 'is no commit')),
    }),
    v.object({ kind: v.literal('folder'), key: v.pipe(v.string(), v.regex(/^[0-9a-f]{12,64}$/u)) }),
  ]),
  files: v.pipe(v.array(v.union([sha256File, gitFile])), v.minLength(1), v.maxLength(200)),
}) satisfies v.GenericSchema<unknown, PinnedModel>;

const ref = v.variant('from', [
  v.object({ from: v.literal('site'), id }),
  v.object({ from: v.literal('elsewhere'), model: pinnedModel }),
]);

const saved = v.object({
  version: v.literal(RECIPE_VERSION),
  models: v.pipe(v.array(pinnedModel), v.maxLength(50)),
  choice: v.nullable(v.object({ generator: ref, prm: v.nullable(ref), orm: v.nullable(ref) })),
});

/** Models that a person added, and what they chose last. */
export type SavedModels = v.InferOutput<typeof saved>;

/** Reads what this page saved; never throws. */
export function readSavedModels(value: unknown): Parsed<SavedModels> {
  return check(saved, value);
}

const converted = v.object({ version: v.literal(RECIPE_VERSION), ...v.omit(modelRecipe, ['id']).entries });

/**
 * Reads the `steplight.json` that the converter puts beside a model's files; never throws.
 *
 * @param id of the model that it stands beside
 */
export function readConverted(value: unknown, id: string): Parsed<ModelRecipe> {
  const result = check(converted, value);
  if (result.ok) {
    const { version: _, ...recipe } = result.value;
    return { ok: true, value: { id, ...recipe } };
  }
  return failure(`steplight.json cannot be used: ${result.message} Convert the model again.`);
}
