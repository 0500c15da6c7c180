import type { DeclaredFile } from '../domain/declared-file.ts';
import { EngineFault } from '../domain/fault.ts';
import {
  modelKey,
  type Dtype,
  type ModelChoice,
  type ModelRef,
  type PinnedModel,
  type StepRule,
  type VerifierCanary,
} from '../domain/model-choice.ts';
import type { RunModel } from '../domain/run.ts';
import type { VerifierAdapter } from '../domain/verifier.ts';
import { filesFor, readManifest, type Manifest, type ManifestModel } from '../formats/manifest.ts';
import type { FileSource } from '../models/fetch-verified.ts';
import { filesOnDevice, folderUrlOf } from '../models/model-files.ts';
import type { ProbedBackend } from '../runtime/probe-backend.ts';
import type { FusedRewards } from '../scoring/read-rewards.ts';

/** A model of a choice with what loading it on this device takes. */
export interface ResolvedModel {
  readonly name: RunModel;
  readonly title: string;
  /** Name of the folder that its files are in once they are fetched. */
  readonly folder: string;
  readonly folderUrl: string;
  readonly source: FileSource;
  readonly dtype: Dtype;
  readonly context: number;
  /** Paths are relative to the folder. */
  readonly files: readonly DeclaredFile[];
  readonly bytes: number;
  /** `prompt` is `null` for the plain one: the problem on a line. `null` if the model writes no solutions. */
  readonly generator: { readonly prompt: readonly string[] | null; readonly steps: StepRule } | null;
  /** Set if the graph gives rewards beside its logits. */
  readonly fused: (FusedRewards & { readonly output: string }) | null;
  readonly verifiers: { readonly prm: VerifierAdapter | null; readonly orm: VerifierAdapter | null };
  readonly canary: VerifierCanary | null;
}

/**
 * Finds the files of each model of a choice, by `modelKey`. Only the site's own list is fetched: what is elsewhere was
 * looked up when it was chosen.
 *
 * @throws EngineFault if a model is not there, or has no files for the device
 */
export async function resolveModels(
  { generator, prm, orm }: ModelChoice,
  baseUrl: string,
  probed: ProbedBackend,
  signal: AbortSignal,
): Promise<Map<string, ResolvedModel>> {
  const refs = [generator, prm, orm].filter((ref): ref is ModelRef => ref !== null);
  const modelsUrl = new URL('static-models/', baseUrl).href;
  const manifest = refs.some(({ from }) => from === 'site')
    ? await fetchManifest(`${modelsUrl}manifest.json`, signal)
    : null;
  return new Map(
    refs.map((ref) => [
      modelKey(ref),
      ref.from === 'site'
        ? resolveSite(manifest!, ref.id, modelsUrl, probed)
        : resolveElsewhere(ref.model, probed),
    ]),
  );
}

function resolveSite(
  manifest: Manifest,
  id: string,
  modelsUrl: string,
  probed: ProbedBackend,
): ResolvedModel {
  const model = manifest.models.find((candidate) => candidate.id === id);
  if (model === undefined) throw new EngineFault('files', `There is no model "${id}" in the model list.`);
  const choice = filesFor(model, probed.backend);
  if (choice === null)
    throw new EngineFault(
      probed.backend === 'webgpu' ? 'gpu' : 'files',
      `${model.title} has no files for ${probed.backend === 'webgpu' ? 'WebGPU' : 'WASM'}.`,
    );
  const { variant, files, bytes } = choice;
  const prefix = `${id}/`;
  const graph = files.find(({ path }) => path === variant.file);
  const { roles, adapter, canary } = model;
  return {
    name: { id, revision: graph?.sha256.slice(0, 12) ?? '', dtype: variant.dtype },
    title: model.title,
    folder: id,
    folderUrl: modelsUrl + prefix,
    source: 'site',
    dtype: variant.dtype,
    context: model.context,
    // The list speaks of the folder of all models.
    files: files.map((file) => ({ ...file, path: file.path.slice(prefix.length) })),
    bytes,
    generator: roles.includes('generator') ? { prompt: null, steps: 'line' } : null,
    fused: adapter,
    verifiers: {
      prm: roles.includes('prm') ? siteVerifier(adapter, 'steps') : null,
      orm: roles.includes('orm') ? siteVerifier(adapter, 'solution') : null,
    },
    canary: {
      problem: canary.prompt,
      right: canary.solution,
      wrong: canary.wrong,
      scores: { right: canary.rewards.solution, wrong: canary.rewards.wrong },
    },
  };
}

/** A fused graph as a verifier of what another generator wrote. */
function siteVerifier(adapter: ManifestModel['adapter'], reads: VerifierAdapter['reads']): VerifierAdapter {
  const { output, prmIndex, ormIndex } = adapter;
  return {
    reads,
    layout: {
      joined: false,
      prompt: ['{bos}', '{problem:line}\n'],
      step: ['{step}\n'],
      between: [],
      probe: [],
    },
    head: {
      kind: 'probability',
      output,
      index: reads === 'steps' ? prmIndex : ormIndex,
      width: Math.max(prmIndex, ormIndex) + 1,
    },
    comparable: 'everywhere',
  };
}

function resolveElsewhere(model: PinnedModel, probed: ProbedBackend): ResolvedModel {
  const { recipe, origin } = model;
  const variant = filesOnDevice(model, probed.backend, probed.shaderF16);
  if (variant === null) throw noVariant(model, probed);
  const { verifier } = recipe;
  return {
    name: {
      id: recipe.id,
      revision: (origin.kind === 'hub' ? origin.commit : origin.key).slice(0, 12),
      dtype: variant.dtype,
    },
    title: recipe.title,
    folder: recipe.id,
    folderUrl: folderUrlOf(model),
    source: origin.kind,
    dtype: variant.dtype,
    context: recipe.context,
    files: variant.files,
    bytes: variant.bytes,
    generator: recipe.generator,
    fused: null,
    verifiers: {
      prm: verifier?.reads === 'steps' ? verifier : null,
      orm: verifier?.reads === 'solution' ? verifier : null,
    },
    canary: recipe.canary,
  };
}

function noVariant({ recipe, files }: PinnedModel, { backend, shaderF16 }: ProbedBackend): EngineFault {
  const onlyF16 =
    backend === 'webgpu' && !shaderF16 && filesOnDevice({ recipe, files }, 'webgpu', true) !== null;
  // Another backend may have files: the page goes on there by itself.
  if (backend === 'webgpu' && filesOnDevice({ recipe, files }, 'wasm', false) !== null)
    return new EngineFault(
      'gpu',
      onlyF16
        ? `${recipe.title} needs 16-bit floats on the GPU (shader-f16), which this one has not.`
        : `${recipe.title} has no files for WebGPU.`,
    );
  return new EngineFault(
    'files',
    onlyF16
      ? `${recipe.title} needs 16-bit floats on the GPU (shader-f16), which this one has not, and has no other files. Choose a model with q4 files, such as a smaller one.`
      : `${recipe.title} has no files for ${backend === 'webgpu' ? 'WebGPU' : 'WASM'}. Choose another backend, or a smaller model.`,
  );
}

async function fetchManifest(url: string, signal: AbortSignal): Promise<Manifest> {
  let value: unknown;
  try {
    const response = await fetch(url, { signal, cache: 'no-cache' });
    if (!response.ok)
      throw new EngineFault(
        'files',
        `The model list is missing (status ${response.status}). Reload the page; if that does not help, the site must be built again.`,
      );
    value = await response.json();
  } catch (error) {
    if (error instanceof EngineFault) throw error;
    if (signal.aborted) throw new EngineFault('cancelled', 'Loading was cancelled.');
    throw new EngineFault(
      'files',
      'The model list could not be read. Check the connection and try again.',
      error,
    );
  }
  const result = readManifest(value);
  if (!result.ok) throw new EngineFault('files', result.message);
  return result.manifest;
}
