import { extractAnswer } from '../answers/extract.ts';
import type { RunModels, RunStats } from '../domain/run.ts';
import { checkProblemText, checkSettings } from '../domain/settings.ts';
import { filesFor, readManifest, type ManifestModel, type ManifestVariant } from '../formats/manifest.ts';
import type { StepToken } from '../domain/step-token.ts';
import { EngineFault } from '../runtime/fault.ts';
import { fetchVerified } from '../runtime/fetch-verified.ts';
import { describe, loadModel, type RuntimeModel } from '../runtime/load-model.ts';
import { probeBackend, type ProbedBackend } from '../runtime/probe-backend.ts';
import { encodePrompt } from '../sampling/prompt.ts';
import { sampleLanes } from '../sampling/sample-lanes.ts';
import { checkCanary } from '../scoring/check-canary.ts';
import { readRewards } from '../scoring/read-rewards.ts';
import { scoreSolutions } from '../scoring/score-solutions.ts';
import { EventBatch } from './event-batch.ts';
import type {
  EngineApi,
  EngineMessage,
  LoadedModel,
  LoadProgress,
  LoadRequest,
  Outcome,
  ScoredSolution,
  ScoreRequest,
  StartRequest,
} from './protocol.ts';
import { yieldToMessages } from './yield-to-messages.ts';

interface Loaded {
  readonly request: LoadRequest;
  readonly manifest: ManifestModel;
  readonly variant: ManifestVariant;
  readonly probed: ProbedBackend;
  readonly model: RuntimeModel;
}

/** The engine behind the protocol: loads one model, then runs and scores with it, one thing at a time. */
export class Engine implements EngineApi {
  #sink: (message: EngineMessage) => void = () => {};
  #loaded: Loaded | null = null;
  #busy = false;
  #abort = new AbortController();

  connect(sink: (message: EngineMessage) => void): void {
    this.#sink = sink;
  }

  cancel(): void {
    this.#abort.abort();
  }

  load(request: LoadRequest): Promise<Outcome<LoadedModel>> {
    return this.#alone(async (signal) => {
      if (this.#loaded !== null && !sameRequest(this.#loaded.request, request)) {
        throw new EngineFault('runtime', 'This worker holds another model.');
      }
      this.#loaded ??= await this.#load(request, signal);
      const { manifest, variant, probed } = this.#loaded;
      return {
        modelId: manifest.id,
        title: manifest.title,
        backend: probed.backend,
        dtype: variant.dtype,
        threads: probed.threads,
        note: probed.note,
      };
    });
  }

  start({ runId, problem, settings }: StartRequest): Promise<Outcome<null>> {
    const fault = checkProblemText(problem.text) ?? checkSettings({ ...settings })[0]?.message ?? null;
    if (fault !== null) return Promise.resolve(refuse(fault));
    return this.#alone(async (signal) => {
      const loaded = this.#need();
      const { decoder, tokenizer } = loaded.model;
      const startedAt = performance.now();
      const forwardBefore = decoder.forwardMs;
      const batch = new EventBatch((events) => this.#sink({ kind: 'run', runId, events }));
      const stats = (tokens: number, firstTokenAt: number | null): RunStats => ({
        wallMs: performance.now() - startedAt,
        forwardMs: decoder.forwardMs - forwardBefore,
        firstTokenMs: (firstTokenAt ?? performance.now()) - startedAt,
        tokens,
      });
      batch.add({
        type: 'started',
        problem,
        settings,
        models: describeModels(loaded),
        backend: loaded.probed.backend,
      });
      batch.flush();
      try {
        const { status, counts } = await untilLost(
          loaded.model,
          sampleLanes(decoder, tokenizer, encodePrompt(tokenizer, problem.text), settings, {
            emit: (event) => batch.add(event),
            answerOf: extractAnswer,
            rewardsOf: (frame, row) =>
              readRewards(loaded.manifest.adapter, frame.rewards, row, decoder.rewardWidth),
            proceed: async () => {
              batch.flushIfDue();
              await yieldToMessages();
              return !signal.aborted;
            },
          }),
        );
        batch.add({ type: 'finished', status, stats: stats(counts.tokens, counts.firstTokenAt) });
        return null;
      } catch (error) {
        const cause = asFault(error, loaded.probed);
        batch.add({
          type: 'finished',
          status: { kind: 'failed', message: cause.message },
          stats: stats(0, null),
        });
        throw cause;
      } finally {
        batch.flush();
      }
    });
  }

  goOn(): Promise<Outcome<number | null>> {
    return Promise.resolve(refuse('This cannot be done yet.'));
  }

  explain(): Promise<Outcome<readonly StepToken[]>> {
    return Promise.resolve(refuse('This cannot be done yet.'));
  }

  score({ problem, solutions }: ScoreRequest): Promise<Outcome<readonly ScoredSolution[]>> {
    return this.#alone(() => this.#score(this.#need(), problem, solutions));
  }

  inspect(tokens: readonly number[]): ReturnType<EngineApi['inspect']> {
    return this.#alone(async () => {
      const { decoder } = this.#need().model;
      const { logits, rewards } = await decoder.prefill(tokens);
      decoder.release();
      return { logits, rewards };
    });
  }

  async #load(request: LoadRequest, signal: AbortSignal): Promise<Loaded> {
    const tell = (progress: LoadProgress): void => this.#sink({ kind: 'load', progress });
    const modelsUrl = new URL('static-models/', request.baseUrl).href;
    const manifest = await fetchManifest(`${modelsUrl}manifest.json`, request.modelId, signal);
    const probed = await probeBackend(request.backend);
    const choice = filesFor(manifest, probed.backend);
    if (choice === null) {
      throw new EngineFault(
        probed.backend === 'webgpu' ? 'gpu' : 'files',
        `${manifest.title} has no files for ${probed.backend === 'webgpu' ? 'WebGPU' : 'WASM'}.`,
      );
    }
    tell({ stage: 'downloading', loadedBytes: 0, totalBytes: choice.bytes });
    let toldAt = 0;
    const contents = await fetchVerified(
      modelsUrl,
      choice.files,
      (loadedBytes) => {
        if (performance.now() - toldAt < 50 && loadedBytes < choice.bytes) return;
        toldAt = performance.now();
        tell({ stage: 'downloading', loadedBytes, totalBytes: choice.bytes });
      },
      signal,
    );
    tell({ stage: 'preparing' });
    const { adapter } = manifest;
    const model = await loadModel(
      {
        ortUrl: new URL('ort/', request.baseUrl).href,
        folder: manifest.id,
        dtype: choice.variant.dtype,
        context: manifest.context,
        rewardOutput: adapter.output,
        rewardWidth: Math.max(adapter.prmIndex, adapter.ormIndex) + 1,
        contents,
      },
      probed,
    );
    const loaded = { request, manifest, variant: choice.variant, probed, model };
    tell({ stage: 'checking' });
    const wrong = await this.#runCanary(loaded).catch((error: unknown) => describe(error));
    if (wrong !== null) {
      throw probed.backend === 'webgpu'
        ? new EngineFault('gpu', `This GPU computes wrongly: ${wrong}.`)
        : new EngineFault('files', `The model computes wrongly here: ${wrong}. Reload the page.`);
    }
    return loaded;
  }

  async #runCanary(loaded: Loaded): Promise<string | null> {
    const { canary } = loaded.manifest;
    const [right, wrong] = await this.#score(loaded, canary.prompt, [canary.solution, canary.wrong]);
    return right === undefined || wrong === undefined
      ? 'a known solution got no score'
      : checkCanary(canary, right, wrong);
  }

  #score(
    loaded: Loaded,
    problem: string,
    solutions: readonly (readonly string[])[],
  ): Promise<readonly ScoredSolution[]> {
    const { decoder, tokenizer } = loaded.model;
    const prompt = encodePrompt(tokenizer, problem);
    return scoreSolutions(decoder, loaded.manifest.adapter, prompt, solutions, (text) =>
      tokenizer.encode(text),
    );
  }

  #need(): Loaded {
    if (this.#loaded === null) throw new EngineFault('runtime', 'No model is loaded.');
    return this.#loaded;
  }

  /** Runs one task at a time, with an abort signal of its own, and turns what it throws into data. */
  async #alone<T>(task: (signal: AbortSignal) => Promise<T>): Promise<Outcome<T>> {
    if (this.#busy) return refuse('Something is running already. Cancel it first.');
    this.#busy = true;
    this.#abort = new AbortController();
    try {
      return { ok: true, value: await task(this.#abort.signal) };
    } catch (error) {
      const { kind, message } = asFault(error, this.#loaded?.probed ?? null);
      return { ok: false, fault: { kind, message } };
    } finally {
      this.#busy = false;
    }
  }
}

function refuse(message: string): { ok: false; fault: { kind: 'refused'; message: string } } {
  return { ok: false, fault: { kind: 'refused', message } };
}

function asFault(error: unknown, probed: ProbedBackend | null): EngineFault {
  if (error instanceof EngineFault) return error;
  return new EngineFault(
    probed?.backend === 'webgpu' ? 'gpu' : 'runtime',
    `The model stopped: ${describe(error)}`,
    error,
  );
}

/** The task, or a fault as soon as the GPU is lost: a runtime call may then never settle. */
function untilLost<T>(model: RuntimeModel, task: Promise<T>): Promise<T> {
  return Promise.race([
    task,
    model.deviceLost.then((message) => {
      throw new EngineFault('gpu', `The GPU was lost (${message || 'no reason given'}).`);
    }),
  ]);
}

function sameRequest(a: LoadRequest, b: LoadRequest): boolean {
  return a.baseUrl === b.baseUrl && a.modelId === b.modelId && a.backend === b.backend;
}

function describeModels({ manifest, variant }: Loaded): RunModels {
  const revision = manifest.files.find((file) => file.path === variant.file)?.sha256.slice(0, 12) ?? '';
  const model = { id: manifest.id, revision, dtype: variant.dtype };
  return {
    generator: model,
    prm: manifest.roles.includes('prm') ? model : null,
    orm: manifest.roles.includes('orm') ? model : null,
  };
}

async function fetchManifest(url: string, modelId: string, signal: AbortSignal): Promise<ManifestModel> {
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
  const model = result.manifest.models.find((candidate) => candidate.id === modelId);
  if (model === undefined)
    throw new EngineFault('files', `There is no model "${modelId}" in the model list.`);
  return model;
}
