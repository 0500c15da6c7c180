import { extractAnswer } from '../answers/extract.ts';
import { checkChange, editedLines } from '../domain/change.ts';
import { EngineFault } from '../domain/fault.ts';
import { LIMITS } from '../domain/limits.ts';
import { sameChoice } from '../domain/model-choice.ts';
import { otherModels } from '../domain/same-models.ts';
import type { FinishedStatus, RunEvent, RunStats } from '../domain/run.ts';
import { checkProblemText, checkSettings, type RunSettings } from '../domain/settings.ts';
import type { Solution } from '../domain/solution.ts';
import type { StepToken, TokenProbability } from '../domain/step-token.ts';
import { describe } from '../runtime/describe-error.ts';
import type { RuntimeModel } from '../runtime/load-model.ts';
import { probeBackend, type ProbedBackend } from '../runtime/probe-backend.ts';
import { encodeScript } from '../sampling/lane-script.ts';
import { freshLane, sampleLanes, type LaneStart } from '../sampling/sample-lanes.ts';
import { likeliestTokens, tokenLogprob, type LikelyToken } from '../sampling/token-probabilities.ts';
import { readRewards } from '../scoring/read-rewards.ts';
import { TooLong } from '../scoring/verifier.ts';
import { checkModels } from './check-models.ts';
import { editEvents } from './edit-events.ts';
import { EventBatch } from './event-batch.ts';
import { JudgeQueue } from './judge-queue.ts';
import { LaneMemory } from './lane-memory.ts';
import { describeModels, loadModels, type LoadedJudge, type LoadedModels } from './loaded-models.ts';
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
import { isFused, scoreWith } from './score-with.ts';
import { yieldToMessages } from './yield-to-messages.ts';

interface Loaded {
  readonly request: LoadRequest;
  readonly models: LoadedModels;
  readonly notes: readonly string[];
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

/** The engine behind the protocol: loads models once, then runs and scores with them, one thing at a time. */
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
      const { models, notes } = this.#loaded;
      const { probed, generator, prm, orm } = models;
      return {
        models: describeModels(models),
        titles: { generator: generator.title, prm: prm?.title ?? null, orm: orm?.title ?? null },
        backend: probed.backend,
        threads: probed.threads,
        note: notes.length === 0 ? null : notes.join(' '),
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
      const mixed = otherModels(run.models, describeModels(loaded));
      if (mixed !== null) throw new EngineFault('refused', mixed);
      if (change.kind === 'rescore') {
        const source = run.solutions[change.lane]!;
        return this.#rescore(loaded, { runId, run, change }, source, editedLines(change.lines));
      }
      const { tokenizer } = loaded.generator.model;
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
      const { model, prompt: promptOf } = this.#need().generator;
      const { decoder, tokenizer } = model;
      const read = lines.slice(0, step + 1);
      const { tokens, stepEnds } =
        this.#memory.steps(problem, null, read) ?? encodeScript(tokenizer, read, '');
      const prompt = promptOf(problem);
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
    return this.#alone((signal) => {
      const loaded = this.#need();
      const { model, prompt } = loaded.generator;
      if (isFused(loaded)) {
        const begun = prompt(problem).length;
        for (const lines of solutions)
          needRoom(begun + encodeScript(model.tokenizer, lines, '').tokens.length, model.decoder.context);
      }
      return scoreWith(loaded, problem, solutions, async () => {
        await yieldToMessages();
        if (signal.aborted) throw new EngineFault('cancelled', 'Scoring was cancelled.');
      });
    });
  }

  inspect(tokens: readonly number[]): ReturnType<EngineApi['inspect']> {
    return this.#alone(async () => {
      const { decoder } = this.#need().generator.model;
      const { logits, rewards } = await decoder.read(tokens, 1);
      return { logits, rewards };
    });
  }

  /**
   * One leg of a run: its opening events, what `work` adds, and how it finished. A fault ends the leg as failed, with
   * what was written kept.
   */
  async #write<T>(
    loaded: LoadedModels,
    runId: number,
    before: RunStats | null,
    opening: readonly RunEvent[],
    work: (leg: Leg) => Promise<{ readonly status: FinishedStatus; readonly value: T }>,
  ): Promise<T> {
    const startedAt = performance.now();
    const forwardBefore = loaded.forwardMs();
    const batch = new EventBatch((events) => this.#tell({ kind: 'run', runId, events }));
    const leg: Leg = { batch, tokens: 0, firstTokenAt: null };
    const finish = (status: FinishedStatus): void =>
      batch.add({
        type: 'finished',
        status,
        stats: sumStats(before, {
          wallMs: performance.now() - startedAt,
          forwardMs: loaded.forwardMs() - forwardBefore,
          firstTokenMs: (leg.firstTokenAt ?? performance.now()) - startedAt,
          tokens: leg.tokens,
        }),
      });
    for (const event of opening) batch.add(event);
    batch.flush();
    try {
      const { status, value } = await untilLost(loaded.generator.model, work(leg));
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

  /** Samples lanes of a run, has them judged, and keeps their tokens, so that they can go on. */
  async #sample(
    { generator, prm, orm }: LoadedModels,
    leg: Leg,
    problem: string,
    settings: RunSettings,
    starts: readonly LaneStart[],
    signal: AbortSignal,
  ): Promise<FinishedStatus> {
    const { model, fused, steps, prompt } = generator;
    const { decoder, tokenizer } = model;
    const apart = (judge: LoadedJudge | null) => (judge?.kind === 'apart' ? judge.verifier : null);
    const queue = new JudgeQueue({ prm: apart(prm), orm: apart(orm) }, problem, (event) =>
      leg.batch.add(event),
    );
    const proceed = async (): Promise<boolean> => {
      leg.batch.flushIfDue();
      await yieldToMessages();
      return !signal.aborted;
    };
    try {
      const seeded = starts.map((start) => queue.seed(start));
      const { status, scripts } = await sampleLanes(decoder, tokenizer, prompt(problem), settings, seeded, {
        stepRule: steps,
        emit: (event) => {
          leg.batch.add(event);
          queue.take(event);
        },
        sampled: () => {
          leg.firstTokenAt ??= performance.now();
          leg.tokens++;
        },
        answerOf: extractAnswer,
        rewardsOf: (frame, row) => {
          if (fused === null) return { step: null, outcome: null };
          const { step, outcome } = readRewards(fused, frame.rewards, row, decoder.rewardWidth);
          return {
            step: prm?.kind === 'fused' ? step : null,
            outcome: orm?.kind === 'fused' ? outcome : null,
          };
        },
        proceed: async () => (await queue.judge(proceed)) && (await proceed()),
      });
      this.#memory.keep(problem, scripts);
      if (status.kind !== 'complete') return status;
      return (await queue.judge(proceed)) ? status : { kind: 'cancelled' };
    } finally {
      queue.release();
    }
  }

  async #rescore(
    loaded: LoadedModels,
    { runId, run, change }: GoOnRequest,
    source: Solution,
    lines: readonly string[],
  ): Promise<number> {
    const { model, fused, prompt: promptOf } = loaded.generator;
    const { decoder, tokenizer } = model;
    const script = encodeScript(tokenizer, lines, '');
    const prompt = promptOf(run.problem.text);
    needRoom(prompt.length + script.tokens.length, decoder.context);
    const lane = run.solutions.length;
    return this.#write(loaded, runId, run.stats, cutOpenLanes(run), async ({ batch }) => {
      // From the last token of the prompt, which predicts the first one of the solution.
      const frame = await decoder.read([...prompt, ...script.tokens], script.tokens.length + 1);
      const at = (end: number) => readRewards(fused!, frame.rewards, end, decoder.rewardWidth);
      const [rewards] =
        fused !== null && isFused(loaded)
          ? [
              {
                steps: script.stepEnds.flatMap((end) => at(end).step ?? []),
                outcome: at(script.tokens.length).outcome,
              },
            ]
          : await scoreWith(loaded, run.problem.text, [lines], yieldToMessages);
      const events = editEvents({
        source,
        lane,
        script,
        logits: frame.logits,
        vocabulary: decoder.vocabulary,
        rewards: rewards ?? { steps: [], outcome: null },
        answerOf: extractAnswer,
      });
      for (const event of events) batch.add(event);
      return { status: statusBeside(run, change, { kind: 'complete' }), value: lane };
    });
  }

  async #load(request: LoadRequest, signal: AbortSignal): Promise<Loaded> {
    const tell = (progress: LoadProgress): void => this.#tell({ kind: 'load', progress });
    const probed = await probeBackend(request.backend);
    const models = await loadModels(request.models, request.baseUrl, probed, {
      runtimeFiles: this.#runtimeFiles(request.baseUrl),
      signal,
      tell,
    });
    tell({ stage: 'checking' });
    const notes = await untilLost(models.generator.model, checkModels(models));
    return { request, models, notes: [...(probed.note === null ? [] : [probed.note]), ...notes] };
  }

  #need(): LoadedModels {
    if (this.#loaded === null) throw new EngineFault('runtime', 'No model is loaded.');
    return this.#loaded.models;
  }

  /** Runs one task at a time, with an abort signal of its own, and turns what it throws into data. */
  async #alone<T>(task: (signal: AbortSignal) => Promise<T>): Promise<Outcome<T>> {
    if (this.#busy) return refuse('Something is running already. Cancel it first.');
    this.#busy = true;
    this.#abort = new AbortController();
    try {
      return { ok: true, value: await task(this.#abort.signal) };
    } catch (error) {
      const { kind, message } = asFault(error, this.#loaded?.models.probed ?? null);
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
  if (error instanceof TooLong)
    return new EngineFault('refused', `${error.message} Shorten the solution.`, error);
  const reason = `The model stopped: ${describe(error).replace(/[.\s]*$/u, '')}.`;
  return probed?.backend === 'webgpu'
    ? new EngineFault('gpu', reason, error)
    : new EngineFault('runtime', `${reason} Try again; if it stops again, reload the page.`, error);
}

/** Milliseconds in which a GPU that made a call fail says that it is lost. */
const LOST_GRACE_MS = 500;

/**
 * The task, or a fault as soon as the GPU is lost: a runtime call may then never settle, or fail first with words that
 * say nothing of it.
 */
async function untilLost<T>(model: RuntimeModel, task: Promise<T>): Promise<T> {
  const lost = model.deviceLost.then((message): never => {
    throw new EngineFault(
      'gpu',
      `The GPU was lost (${message.replace(/[.\s]*$/u, '') || 'no reason given'}).`,
    );
  });
  try {
    return await Promise.race([task, lost]);
  } catch (error) {
    if (error instanceof EngineFault || !model.onGpu) throw error;
    await Promise.race([lost, new Promise((resolve) => setTimeout(resolve, LOST_GRACE_MS))]);
    throw error;
  }
}

function sameRequest(a: LoadRequest, b: LoadRequest): boolean {
  return a.baseUrl === b.baseUrl && sameChoice(a.models, b.models) && a.backend === b.backend;
}
