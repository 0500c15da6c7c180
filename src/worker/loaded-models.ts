import { EngineFault } from '../domain/fault.ts';
import {
  modelKey,
  type ModelChoice,
  type ModelRef,
  type StepRule,
  type VerifierCanary,
} from '../domain/model-choice.ts';
import type { RunModel, RunModels } from '../domain/run.ts';
import type { VerifierAdapter } from '../domain/verifier.ts';
import { fetchVerified } from '../models/fetch-verified.ts';
import {
  loadModel,
  loadVerifier,
  type LoadedTokenizer,
  type ModelSource,
  type RuntimeModel,
  type RuntimeVerifier,
} from '../runtime/load-model.ts';
import type { ProbedBackend } from '../runtime/probe-backend.ts';
import { encodeLayout, encodePrompt } from '../sampling/prompt.ts';
import type { FusedRewards } from '../scoring/read-rewards.ts';
import { Verifier } from '../scoring/verifier.ts';
import type { LoadProgress } from './protocol.ts';
import { resolveModels, type ResolvedModel } from './resolve-models.ts';

/** Gives rewards with the generator's own logits, or reads what was written with a graph of its own. */
export type LoadedJudge =
  | { readonly kind: 'fused'; readonly name: RunModel; readonly title: string }
  | {
      readonly kind: 'apart';
      readonly name: RunModel;
      readonly title: string;
      readonly verifier: Verifier;
      readonly canary: VerifierCanary | null;
    };

/** All that a run is made with. */
export interface LoadedModels {
  readonly probed: ProbedBackend;
  readonly generator: {
    readonly name: RunModel;
    readonly title: string;
    readonly model: RuntimeModel;
    /** Where the graph's rewards are; `null` if it has none. */
    readonly fused: FusedRewards | null;
    readonly canary: VerifierCanary | null;
    readonly steps: StepRule;
    readonly prompt: (problem: string) => number[];
  };
  readonly prm: LoadedJudge | null;
  readonly orm: LoadedJudge | null;
  /** Milliseconds inside the runtime, over all models, since they were loaded. */
  forwardMs(): number;
}

/** What surrounds loading. */
export interface LoadHooks {
  readonly runtimeFiles: ModelSource['runtimeFiles'];
  readonly signal: AbortSignal;
  readonly tell: (progress: LoadProgress) => void;
}

/** Milliseconds between two reports of progress. */
const REPORT_MS = 50;

/**
 * Fetches and loads the models of a choice; one that has several roles is loaded once.
 *
 * @param baseUrl absolute URL of the site's root
 * @throws EngineFault as fetching and loading do
 */
export async function loadModels(
  choice: ModelChoice,
  baseUrl: string,
  probed: ProbedBackend,
  hooks: LoadHooks,
): Promise<LoadedModels> {
  const resolved = await resolveModels(choice, baseUrl, probed, hooks.signal);
  const contents = await fetchAll([...resolved.values()], hooks);
  hooks.tell({ stage: 'preparing' });

  const sourceOf = (ref: ModelRef): ModelSource & { readonly resolved: ResolvedModel } => {
    const model = resolved.get(modelKey(ref))!;
    const { folder, dtype, context } = model;
    return {
      resolved: model,
      runtimeFiles: hooks.runtimeFiles,
      folder,
      dtype,
      context,
      contents: contents.get(model)!,
    };
  };
  const generator = await loadGenerator(sourceOf(choice.generator), probed);
  const graphs = new Map<string, RuntimeVerifier>([[modelKey(choice.generator), generator.model.asVerifier]]);

  const judgeOf = async (ref: ModelRef | null, role: 'prm' | 'orm'): Promise<LoadedJudge | null> => {
    if (ref === null) return null;
    const key = modelKey(ref);
    const source = sourceOf(ref);
    const { name, title, canary, fused } = source.resolved;
    if (key === modelKey(choice.generator) && fused !== null) return { kind: 'fused', name, title };
    const adapter = source.resolved.verifiers[role];
    if (adapter === null) throw cannotJudge(title, role);
    const graph = graphs.get(key) ?? (await loadVerifier(source, adapter.head.output, probed));
    graphs.set(key, graph);
    const comparable = adapter.comparable === 'everywhere' ? {} : { comparable: adapter.comparable };
    return {
      kind: 'apart',
      name: { ...name, ...comparable },
      title,
      // What is known are rewards of steps.
      canary: canary === null || role === 'prm' ? canary : { ...canary, scores: null },
      verifier: verifierOf(adapter, graph, title),
    };
  };
  const prm = await judgeOf(choice.prm, 'prm');
  const orm = await judgeOf(choice.orm, 'orm');
  return {
    probed,
    generator,
    prm,
    orm,
    forwardMs: () =>
      [...graphs.values()].reduce(
        (sum, { graph }) => sum + graph.forwardMs,
        generator.model.decoder.forwardMs,
      ),
  };
}

/** The models as a run names them. */
export function describeModels({ generator, prm, orm }: LoadedModels): RunModels {
  return { generator: generator.name, prm: prm?.name ?? null, orm: orm?.name ?? null };
}

async function loadGenerator(
  source: ModelSource & { readonly resolved: ResolvedModel },
  probed: ProbedBackend,
): Promise<LoadedModels['generator']> {
  const { name, title, fused, canary, generator } = source.resolved;
  if (generator === null)
    throw new EngineFault(
      'files',
      `${title} only judges; it cannot write solutions. Choose another generator.`,
    );
  const model = await loadModel(
    {
      ...source,
      rewardOutput: fused?.output ?? null,
      rewardWidth: fused === null ? 0 : Math.max(fused.prmIndex, fused.ormIndex) + 1,
    },
    probed,
  );
  const { tokenizer } = model;
  const prompt = promptOf(generator.prompt, tokenizer);
  try {
    prompt('');
  } catch (error) {
    throw new EngineFault('files', `${title} does not fit its settings: ${(error as Error).message}`, error);
  }
  return { name, title, model, fused, canary, steps: generator.steps, prompt };
}

function promptOf(
  pieces: readonly string[] | null,
  tokenizer: LoadedTokenizer,
): (problem: string) => number[] {
  return (problem) =>
    pieces === null ? encodePrompt(tokenizer, problem) : encodeLayout(tokenizer, pieces, problem);
}

function verifierOf(
  adapter: VerifierAdapter,
  { graph, tokenizer }: RuntimeVerifier,
  title: string,
): Verifier {
  try {
    return new Verifier(adapter, graph, tokenizer);
  } catch (error) {
    throw new EngineFault('files', `${title} does not fit its adapter: ${(error as Error).message}`, error);
  }
}

function cannotJudge(title: string, role: 'prm' | 'orm'): EngineFault {
  return new EngineFault(
    'files',
    role === 'prm'
      ? `${title} does not judge steps. Choose another PRM, or none.`
      : `${title} does not judge solutions. Choose another ORM, or none.`,
  );
}

/** Fetches the files of all models; progress counts bytes over all of them. */
async function fetchAll(
  models: readonly ResolvedModel[],
  { tell, signal }: LoadHooks,
): Promise<Map<ResolvedModel, ReadonlyMap<string, Uint8Array<ArrayBuffer>>>> {
  const totalBytes = models.reduce((sum, { bytes }) => sum + bytes, 0);
  tell({ stage: 'downloading', loadedBytes: 0, totalBytes });
  const contents = new Map<ResolvedModel, ReadonlyMap<string, Uint8Array<ArrayBuffer>>>();
  let before = 0;
  let toldAt = 0;
  for (const model of models) {
    const report = (loaded: number): void => {
      const loadedBytes = before + loaded;
      if (performance.now() - toldAt < REPORT_MS && loadedBytes < totalBytes) return;
      toldAt = performance.now();
      tell({ stage: 'downloading', loadedBytes, totalBytes });
    };
    const fetched = await fetchVerified(model.folderUrl, model.files, report, signal, model.source);
    contents.set(model, new Map([...fetched].map(([path, content]) => [`${model.folder}/${path}`, content])));
    before += model.bytes;
  }
  return contents;
}
