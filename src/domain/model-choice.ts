import type { DeclaredFile } from './declared-file.ts';
import type { Backend } from './run.ts';
import type { VerifierAdapter } from './verifier.ts';

/** Weights of a model's file, by the names that the hub's ONNX folders use. */
export const DTYPES = ['fp32', 'fp16', 'q8', 'q4', 'q4f16'] as const;
export type Dtype = (typeof DTYPES)[number];

/**
 * What ends a step. `line`: every newline, as our own models write. `block`: a newline, but not one within display
 * maths, nor after a line that is only a heading. `paragraph`: a blank line, likewise. With `block` and `paragraph` what
 * a model thinks between `<think>` and `</think>` is no step.
 */
export type StepRule = 'line' | 'block' | 'paragraph';

/** How a generator is asked, as data. */
export interface GeneratorAdapter {
  /** Texts that `fillPiece` fills in, tokenised as one. */
  readonly prompt: readonly string[];
  readonly steps: StepRule;
}

/** Sizes of models: bundled ones; up to 0.5 GB; up to 1.3 GB; more. */
export const TIER_NAMES = ['bundled', 'small', 'medium', 'large'] as const;
export type Tier = (typeof TIER_NAMES)[number];

/** Weights that a kind of device can run. */
export interface DtypeOption {
  readonly dtype: Dtype;
  readonly backend: Backend;
  /** Whether the GPU must have 16-bit floats in shaders. */
  readonly needsShaderF16: boolean;
}

/**
 * Weights that are tried when nothing better is known of a model, in the order of preference. 8-bit ones compute wrongly
 * on WebGPU; 4-bit ones are slow on a processor, where 16-bit ones do not run at all.
 */
export const USUAL_DTYPES: readonly DtypeOption[] = [
  { dtype: 'q4f16', backend: 'webgpu', needsShaderF16: true },
  { dtype: 'q4', backend: 'webgpu', needsShaderF16: false },
  { dtype: 'fp16', backend: 'webgpu', needsShaderF16: true },
  { dtype: 'fp32', backend: 'webgpu', needsShaderF16: false },
  { dtype: 'q8', backend: 'wasm', needsShaderF16: false },
  { dtype: 'q4', backend: 'wasm', needsShaderF16: false },
  { dtype: 'fp32', backend: 'wasm', needsShaderF16: false },
];

/** A right and a wrong solution of one problem, with the scores that the verifier gave where it was made, if known. */
export interface VerifierCanary {
  readonly problem: string;
  readonly right: readonly string[];
  readonly wrong: readonly string[];
  readonly scores: { readonly right: readonly number[]; readonly wrong: readonly number[] } | null;
}

/** How a model that does not come with the site is run. */
export interface ModelRecipe {
  /** `owner/name` on a hub, or the name of a folder. */
  readonly id: string;
  readonly title: string;
  /** In the order of preference; the first that the device can run, and that there is a file for, is taken. */
  readonly dtypes: readonly DtypeOption[];
  /** Tokens that are read at most. */
  readonly context: number;
  /** `null` if it does not write solutions. */
  readonly generator: GeneratorAdapter | null;
  /** `null` if it does not judge. */
  readonly verifier: VerifierAdapter | null;
  readonly canary: VerifierCanary | null;
}

/** Where a model's files are. */
export type ModelOrigin =
  /** Address of the hub without a slash at its end, and the commit. */
  | { readonly kind: 'hub'; readonly hub: string; readonly commit: string }
  /** Files that the person picked, kept in this browser. The key tells folders of one name apart. */
  | { readonly kind: 'folder'; readonly key: string };

/** A model whose files are known, each with a digest: it is what it was, or it does not load. */
export interface PinnedModel {
  readonly recipe: ModelRecipe;
  readonly origin: ModelOrigin;
  readonly files: readonly DeclaredFile[];
}

/** Where a model comes from: bundled with the site, by its id in the manifest, or from elsewhere. */
export type ModelRef =
  | { readonly from: 'site'; readonly id: string }
  | { readonly from: 'elsewhere'; readonly model: PinnedModel };

/** The models of a run. */
export interface ModelChoice {
  readonly generator: ModelRef;
  /** Judges steps; `null` for none. */
  readonly prm: ModelRef | null;
  /** Judges solutions; `null` for none. */
  readonly orm: ModelRef | null;
}

/** Names a reference in one string: equal for the same model run in the same way. */
export function modelKey(ref: ModelRef): string {
  return JSON.stringify(ref);
}

/** Whether two choices are of the same models, run in the same way. */
export function sameChoice(a: ModelChoice, b: ModelChoice): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The bundled model of the first run. It comes with every copy of the site; others may. */
export const FIRST_MODEL = 'pocket';

/** The bundled model that has all roles of a choice, by its id; `null` if there is none. */
export function soleModel({ generator, prm, orm }: ModelChoice): string | null {
  if (generator.from !== 'site') return null;
  const { id } = generator;
  return [prm, orm].every((ref) => ref?.from === 'site' && ref.id === id) ? id : null;
}

/** One bundled model in all roles. */
export function siteModel(id: string): ModelChoice {
  const ref: ModelRef = { from: 'site', id };
  return { generator: ref, prm: ref, orm: ref };
}
