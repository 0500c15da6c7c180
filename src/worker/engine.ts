import { extractAnswer } from '../answers/extract.ts';
import { checkChange, editedLines } from '../domain/change.ts';
import { LIMITS } from '../domain/limits.ts';
import type { FinishedStatus, RunEvent, RunModels, RunStats } from '../domain/run.ts';
import { checkProblemText, checkSettings, type RunSettings } from '../domain/settings.ts';
import type { Solution } from '../domain/solution.ts';
import type { StepToken, TokenProbability } from '../domain/step-token.ts';
import { filesFor, readManifest, type ManifestModel, type ManifestVariant } from '../formats/manifest.ts';
import { EngineFault } from '../domain/fault.ts';
import { fetchVerified } from '../models/fetch-verified.ts';
import { describe, loadModel, type RuntimeModel } from '../runtime/load-model.ts';
import { probeBackend, type ProbedBackend } from '../runtime/probe-backend.ts';
import { encodeScript } from '../sampling/lane-script.ts';
import { encodePrompt } from '../sampling/prompt.ts';
import { freshLane, sampleLanes, type LaneStart } from '../sampling/sample-lanes.ts';
import { likeliestTokens, tokenLogprob, type LikelyToken } from '../sampling/token-probabilities.ts';
import { checkCanary } from '../scoring/check-canary.ts';
import { readRewards } from '../scoring/read-rewards.ts';
import { scoreSolutions } from '../scoring/score-solutions.ts';
import { editEvents } from './edit-events.ts';
import { EventBatch } from './event-batch.ts';
import { LaneMemory } from './lane-memory.ts';
import { cutOpenLanes, planChange, statusBeside, sumStats } from './plan.ts';
import type {
  EngineApi,
  EngineMessage,
  ExplainRequest,
  GoOnRequest,
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

/** Addresses of ONNX Runtime's two files. */
export interface RuntimeFiles {
  readonly mjs: string;
  readonly wasm: string;
}

/** The site's own copies. `asyncify` has both WebGPU and WASM, and runs everywhere. */
function runtimeFilesOf(baseUrl: string): RuntimeFiles {
  const file = (type: string): string => new URL(`ort/ort-wasm-simd-threaded.asyncify.${type}`, baseUrl).href;
  return { mjs: file('mjs'), wasm: file('wasm') };
}

/** What one leg of a run has added so far. */
interface Leg {
  readonly batch: EventBatch;
  tokens: number;
  firstTokenAt: number | null;
}

/** The engine behind the protocol: loads one model, then runs and scores with it, one thing at a time. */
export class Engine implements EngineApi {
  readonly #runtimeFiles: (baseUrl: string) => RuntimeFiles;
  #sink: (message: EngineMessage) => unknown = () => {};
  /** Settles when the page has taken the last message. */
  #told: unknown = null;
  #loaded: Loaded | null = null;
  #busy = false;
  #abort = new AbortController();
  readonly #memory = new LaneMemory();

  /** @param runtimeFiles where ONNX Runtime's files are, if not in the site's own folder */
  constructor(runtimeFiles: (baseUrl: string) => RuntimeFiles = runtimeFilesOf) {
    this.#runtimeFiles = runtimeFiles;
  }

  connect(sink: (message: EngineMessage) => unknown): void {
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
    return this.#alone((signal) => {
      const loaded = this.#need();
      const starts = Array.from({ length: settings.n }, (_, lane) => freshLane(lane));
      const opening: RunEvent = {
        type: 'started',
        problem,
        settings,
        models: describeModels(loaded),
        backend: loaded.probed.backend,
      };
      return this.#write(loaded, runId, null, [opening], async (leg) => {
        const status = await this.#sample(loaded, leg, problem.text, settings, starts, signal);
        return { status, value: null };
      });
    });
  }

  goOn({ runId, run, change }: GoOnRequest): Promise<Outcome<number | null>> {
    const fault = checkChange(run, change);
    if (fault !== null) return Promise.resolve(refuse(fault));
    return this.#alone((signal) => {
      const loaded = this.#need();
      if (change.kind === 'rescore') {
        const source = run.solutions[change.lane]!;
        return this.#rescore(loaded, { runId, run, change }, source, editedLines(change.lines));
      }
      const { tokenizer } = loaded.model;
      const { text } = run.problem;
      const plan = planChange(run, change, {
        whole: ({ lane, steps, partial }) => {
          const lines = steps.map((step) => step.text);
          return this.#memory.whole(text, lane, lines, partial) ?? encodeScript(tokenizer, lines, partial);
        },
        steps: ({ lane, steps }, count) => {
          const lines = steps.slice(0, count).map((step) => step.text);
          return this.#memory.steps(text, lane, lines) ?? encodeScript(tokenizer, lines, '');
        },
      });
      return this.#write(loaded, runId, run.stats, plan.opening, async (leg) => {
        const status = await this.#sample(loaded, leg, text, run.settings, plan.starts, signal);
        return { status: statusBeside(run, change, status), value: plan.lane };
      });
    });
  }

  explain({ problem, lines, step }: ExplainRequest): Promise<Outcome<readonly StepToken[]>> {
    const fault = checkProblemText(problem);
    if (fault !== null) return Promise.resolve(refuse(fault));
    const characters = lines.reduce((sum, line) => sum + line.length, 0);
    if (lines[step] === undefined || characters > LIMITS.maxSolutionCharacters)
      return Promise.resolve(refuse('That step is not part of a solution that can be read.'));
    return this.#alone(async () => {
      const { model } = this.#need();
      const { decoder, tokenizer } = model;
      const read = lines.slice(0, step + 1);
      const { tokens, stepEnds } =
        this.#memory.steps(problem, null, read) ?? encodeScript(tokenizer, read, '');
      const prompt = encodePrompt(tokenizer, problem);
      needRoom(prompt.length + tokens.length, decoder.context);
      const written = tokens.slice(stepEnds[step - 1] ?? 0);
      // The last token predicts nothing of this step.
      const sequence = [...prompt, ...tokens].slice(0, -1);
      const { logits } = await untilLost(model, decoder.read(sequence, written.length));
      const { vocabulary } = decoder;
      const name = ({ token, logprob }: LikelyToken): TokenProbability => ({
        text: tokenizer.decode([token]),
        probability: Math.exp(logprob),
      });
      return written.map((token, i) => ({
        ...name({ token, logprob: tokenLogprob(logits, i * vocabulary, vocabulary, token) }),
        alternatives: likeliestTokens(logits, i * vocabulary, vocabulary, 5).map(name),
      }));
    });
  }

  score({ problem, solutions }: ScoreRequest): Promise<Outcome<readonly ScoredSolution[]>> {
    return this.#alone(() => {
      const loaded = this.#need();
      const { decoder, tokenizer } = loaded.model;
      const prompt = encodePrompt(tokenizer, problem).length;
      for (const lines of solutions)
        needRoom(prompt + encodeScript(tokenizer, lines, '').tokens.length, decoder.context);
      return this.#score(loaded, problem, solutions);
    });
  }

  inspect(tokens: readonly number[]): ReturnType<EngineApi['inspect']> {
    return this.#alone(async () => {
      const { decoder } = this.#need().model;
      const { logits, rewards } = await decoder.prefill(tokens);
      decoder.release();
      return { logits, rewards };
    });
  }

  /**
   * One leg of a run: its opening events, what `work` adds, and how it finished. A fault ends the leg as failed, with
   * what was written kept.
   */
  async #write<T>(
    loaded: Loaded,
    runId: number,
    before: RunStats | null,
    opening: readonly RunEvent[],
    work: (leg: Leg) => Promise<{ readonly status: FinishedStatus; readonly value: T }>,
  ): Promise<T> {
    const { decoder } = loaded.model;
    const startedAt = performance.now();
    const forwardBefore = decoder.forwardMs;
    const batch = new EventBatch((events) => this.#tell({ kind: 'run', runId, events }));
    const leg: Leg = { batch, tokens: 0, firstTokenAt: null };
    const finish = (status: FinishedStatus): void =>
      batch.add({
        type: 'finished',
        status,
        stats: sumStats(before, {
          wallMs: performance.now() - startedAt,
          forwardMs: decoder.forwardMs - forwardBefore,
          firstTokenMs: (leg.firstTokenAt ?? performance.now()) - startedAt,
          tokens: leg.tokens,
        }),
      });
    for (const event of opening) batch.add(event);
    batch.flush();
    try {
      const { status, value } = await untilLost(loaded.model, work(leg));
      finish(status);
      return value;
    } catch (error) {
      const cause = asFault(error, loaded.probed);
      finish({ kind: 'failed', message: cause.message });
      throw cause;
    } finally {
      batch.flush();
    }
  }

  /** Samples lanes of a run and keeps their tokens, so that they can go on. */
  async #sample(
    { model, manifest }: Loaded,
    leg: Leg,
    problem: string,
    settings: RunSettings,
    starts: readonly LaneStart[],
    signal: AbortSignal,
  ): Promise<FinishedStatus> {
    const { decoder, tokenizer } = model;
    const prompt = encodePrompt(tokenizer, problem);
    const { status, scripts } = await sampleLanes(decoder, tokenizer, prompt, settings, starts, {
      emit: (event) => leg.batch.add(event),
      sampled: () => {
        leg.firstTokenAt ??= performance.now();
        leg.tokens++;
      },
      answerOf: extractAnswer,
      rewardsOf: (frame, row) => readRewards(manifest.adapter, frame.rewards, row, decoder.rewardWidth),
      proceed: async () => {
        leg.batch.flushIfDue();
        await yieldToMessages();
        return !signal.aborted;
      },
    });
    this.#memory.keep(problem, scripts);
    return status;
  }

  async #rescore(
    loaded: Loaded,
    { runId, run, change }: GoOnRequest,
    source: Solution,
    lines: readonly string[],
  ): Promise<number> {
    const { decoder, tokenizer } = loaded.model;
    const script = encodeScript(tokenizer, lines, '');
    const prompt = encodePrompt(tokenizer, run.problem.text);
    needRoom(prompt.length + script.tokens.length, decoder.context);
    const lane = run.solutions.length;
    return this.#write(loaded, runId, run.stats, cutOpenLanes(run), async ({ batch }) => {
      // From the last token of the prompt, which predicts the first one of the solution.
      const frame = await decoder.read([...prompt, ...script.tokens], script.tokens.length + 1);
      const events = editEvents({
        source,
        lane,
        script,
        logits: frame.logits,
        vocabulary: decoder.vocabulary,
        rewardsAt: (position) =>
          readRewards(loaded.manifest.adapter, frame.rewards, position + 1, decoder.rewardWidth),
        answerOf: extractAnswer,
      });
      for (const event of events) batch.add(event);
      return { status: statusBeside(run, change, { kind: 'complete' }), value: lane };
    });
  }

  async #load(request: LoadRequest, signal: AbortSignal): Promise<Loaded> {
    const tell = (progress: LoadProgress): void => this.#tell({ kind: 'load', progress });
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
        runtimeFiles: this.#runtimeFiles(request.baseUrl),
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
    const { adapter } = loaded.manifest;
    return untilLost(
      loaded.model,
      scoreSolutions(decoder, adapter, prompt, solutions, (text) => tokenizer.encode(text)),
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
      // Messages and answers travel apart: an answer that came first would meet a run that seems to go on.
      await Promise.resolve(this.#told).catch(() => undefined);
      this.#busy = false;
    }
  }

  #tell(message: EngineMessage): void {
    this.#told = this.#sink(message);
  }
}

function refuse(message: string): { ok: false; fault: { kind: 'refused'; message: string } } {
  return { ok: false, fault: { kind: 'refused', message } };
}

/** @throws EngineFault if a text is longer than the model can read */
function needRoom(tokens: number, context: number): void {
  if (tokens <= context) return;
  throw new EngineFault(
    'refused',
    `The problem and the solution have ${tokens} tokens together; this model reads at most ${context}. Shorten them.`,
  );
}

function asFault(error: unknown, probed: ProbedBackend | null): EngineFault {
  if (error instanceof EngineFault) return error;
  const reason = `The model stopped: ${describe(error).replace(/[.\s]*$/u, '')}.`;
  return probed?.backend === 'webgpu'
    ? new EngineFault('gpu', reason, error)
    : new EngineFault('runtime', `${reason} Try again; if it stops again, reload the page.`, error);
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
