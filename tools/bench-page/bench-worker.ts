/**
 * The benchmark's side of the worker: the product's engine, and on the same device what it is compared with. Nothing
 * here judges: every function returns what its clocks said.
 */
import { siteModel } from '../../src/domain/model-choice.ts';
import {
  AutoModelForCausalLM,
  StoppingCriteria,
  Tensor,
  type PreTrainedModel,
} from '@huggingface/transformers';
import { expose } from 'comlink';
import { env as ortEnv, InferenceSession } from 'onnxruntime-web/webgpu';
import { fold, type Backend, type Run, type RunEvent } from '../../src/domain/run.ts';
import { DEFAULT_SETTINGS } from '../../src/domain/settings.ts';
import { isEligible } from '../../src/domain/solution.ts';
import { filesFor, readManifest } from '../../src/formats/manifest.ts';
import { CausalDecoder } from '../../src/runtime/causal-decoder.ts';
import { GpuLogits } from '../../src/runtime/gpu-logits.ts';
import { fetchVerified } from '../../src/models/fetch-verified.ts';
import {
  loadModel,
  loadOptions,
  loadWith,
  type GeneratorSource,
  type RuntimeModel,
} from '../../src/runtime/load-model.ts';
import { probeBackend } from '../../src/runtime/probe-backend.ts';
import { chooseTokens } from '../../src/sampling/choose-tokens.ts';
import type { TokenFilter } from '../../src/domain/token-choice.ts';
import { encodePrompt } from '../../src/sampling/prompt.ts';
import { laneUniform } from '../../src/sampling/random.ts';
import { Engine } from '../../src/worker/engine.ts';
import { onlyOutput } from './onnx-graph.ts';
import { randomModel, type RandomModel } from './random-model.ts';

/** A problem of a kind that the shipped model knows, of middling length. */
const PROBLEM =
  'Nora has 3 bags with 14 marbles each. She gives away 12 marbles. Then she buys 2 boxes with 9 marbles each. How many marbles does she have now?';

/** One way of writing N solutions, timed once. */
export interface Timing {
  readonly ms: number;
  /** Tokens written, the end token included. */
  readonly tokens: number;
  readonly firstTokenMs: number;
}

/** The three ways, timed one after the other. */
export interface GenerationTiming {
  readonly own: Timing & { readonly forwardMs: number };
  readonly batched: Timing;
  /** `calls` solutions, not N: each call costs the same. */
  readonly sequential: Timing & { readonly calls: number };
}

/** Two ways of doing the same work. */
export interface PairTiming {
  readonly ownMs: number;
  readonly otherMs: number;
}

/** Where a model with a large vocabulary runs; on WebGPU its logits may be read back and tokens chosen here. */
export type VocabularyPlace = 'wasm' | 'webgpu' | 'webgpu, read back';

/** One decoding step of a model with a large vocabulary, split in two. */
export interface VocabularyTiming {
  readonly forwardMs: number;
  readonly samplingMs: number;
}

interface Loaded {
  readonly engine: Engine;
  readonly fused: RuntimeModel;
  /** The same graph without what computes rewards. */
  readonly plain: RuntimeModel;
  /** For generate(). */
  readonly library: PreTrainedModel;
  readonly prompt: readonly number[];
  readonly end: number;
}

let loaded: Loaded | null = null;
let events: RunEvent[] = [];

function need(): Loaded {
  if (loaded === null) throw new Error('Nothing is loaded.');
  return loaded;
}

/** @param models id of the bundled model */
async function load(baseUrl: string, backend: Backend, models: string) {
  const probed = await probeBackend(backend);
  if (probed.backend !== backend) throw new Error(probed.note ?? `There is no ${backend} here.`);
  const modelsUrl = new URL('static-models/', baseUrl).href;
  const list = readManifest(await (await fetch(`${modelsUrl}manifest.json`)).json());
  if (!list.ok) throw new Error(list.message);
  const manifest = list.manifest.models.find(({ id }) => id === models);
  const choice = manifest === undefined ? null : filesFor(manifest, backend);
  if (manifest === undefined || choice === null) throw new Error(`No model is bundled for ${backend}.`);

  const engine = new Engine();
  engine.connect((message) => {
    if (message.kind === 'run') events.push(...message.events);
    // What the product pays for telling the page.
    self.postMessage(message);
  });
  const outcome = await engine.load({ baseUrl, models: siteModel(manifest.id), backend });
  if (!outcome.ok) throw new Error(outcome.fault.message);

  const contents = await fetchVerified(modelsUrl, choice.files, () => {}, new AbortController().signal);
  const { adapter } = manifest;
  const file = (type: string): string => new URL(`ort/ort-wasm-simd-threaded.asyncify.${type}`, baseUrl).href;
  const source: GeneratorSource = {
    runtimeFiles: { mjs: file('mjs'), wasm: file('wasm') },
    folder: manifest.id,
    dtype: choice.variant.dtype,
    context: manifest.context,
    rewardOutput: adapter.output,
    rewardWidth: Math.max(adapter.prmIndex, adapter.ormIndex) + 1,
    contents,
  };
  const fused = await loadModel(source, probed);
  const library = await loadWith(source, probed, () =>
    AutoModelForCausalLM.from_pretrained(source.folder, loadOptions(source, probed)),
  );
  const plain = await loadModel(
    {
      ...source,
      folder: 'plain',
      rewardOutput: null,
      contents: new Map(
        [...contents].map(([path, content]) => [
          path.replace(`${manifest.id}/`, 'plain/'),
          path.endsWith('.onnx') ? onlyOutput(content, 'logits') : content,
        ]),
      ),
    },
    probed,
  );
  const prompt = encodePrompt(fused.tokenizer, PROBLEM);
  loaded = { engine, fused, plain, library, prompt, end: fused.tokenizer.ends[0] ?? -1 };
  return { dtype: choice.variant.dtype, threads: probed.threads, promptTokens: prompt.length };
}

async function solve(n: number, seed: number, maxTokens: number): Promise<Run> {
  events = [];
  const settings = { ...DEFAULT_SETTINGS, n, seed, maxTokens };
  const outcome = await need().engine.start({
    runId: 1,
    problem: { text: PROBLEM, answer: null },
    settings,
  });
  if (!outcome.ok) throw new Error(outcome.fault.message);
  const run = fold(null, events);
  if (run === null) throw new Error('The run told nothing.');
  return run;
}

/** Is asked after each token whether to stop, and never says so. */
class FirstToken extends StoppingCriteria {
  /** When it was asked first. */
  at = NaN;

  override _call(rows: number[][]): boolean[] {
    if (Number.isNaN(this.at)) this.at = performance.now();
    return rows.map(() => false);
  }
}

/** One call of the library's generate() for some rows of the same prompt. */
async function generate(rows: number, maxTokens: number): Promise<Timing> {
  const { library, prompt, end } = need();
  const started = performance.now();
  const clock = new FirstToken();
  const shape = [rows, prompt.length];
  const ids = Array.from({ length: rows }, () => prompt.map(BigInt)).flat();
  const output = (await library.generate({
    inputs: new Tensor('int64', BigInt64Array.from(ids), shape),
    attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
    max_new_tokens: maxTokens,
    do_sample: true,
    temperature: 1,
    top_k: 0,
    stopping_criteria: clock,
  })) as Tensor;
  const ms = performance.now() - started;
  let tokens = 0;
  for (const row of output.tolist() as bigint[][]) {
    const written = row.slice(prompt.length);
    const at = written.indexOf(BigInt(end));
    // A row that has ended is padded until the others have.
    tokens += at < 0 ? written.length : at + 1;
  }
  return { ms, tokens, firstTokenMs: clock.at - started };
}

/** Writes N solutions in three ways, one after the other; which goes first depends on the seed. */
async function generation(
  n: number,
  seed: number,
  limits: { readonly maxTokens: number; readonly calls: number },
): Promise<GenerationTiming> {
  const own = async () => {
    const { stats } = await solve(n, seed, limits.maxTokens);
    if (stats === null) throw new Error('The run has no measurements.');
    return {
      ms: stats.wallMs,
      tokens: stats.tokens,
      firstTokenMs: stats.firstTokenMs,
      forwardMs: stats.forwardMs,
    };
  };
  const sequential = async () => {
    const sum = { ms: 0, tokens: 0, firstTokenMs: 0, calls: Math.min(n, limits.calls) };
    for (let call = 0; call < sum.calls; call++) {
      const { ms, tokens, firstTokenMs } = await generate(1, limits.maxTokens);
      if (call === 0) sum.firstTokenMs = firstTokenMs;
      sum.ms += ms;
      sum.tokens += tokens;
    }
    return sum;
  };
  const batched = () => generate(n, limits.maxTokens);
  if (seed % 2 === 0) {
    const first = await own();
    const second = await batched();
    return { own: first, batched: second, sequential: await sequential() };
  }
  const first = await sequential();
  const second = await batched();
  return { sequential: first, batched: second, own: await own() };
}

/** The same decoding steps of N lanes with and without the part of the graph that judges. */
async function liveScoring(n: number, tokens: number, ownFirst: boolean): Promise<PairTiming> {
  const { fused, plain, prompt } = need();
  const decode = async ({ decoder, tokenizer }: RuntimeModel): Promise<number> => {
    const started = performance.now();
    await decoder.prefill(prompt);
    decoder.select(Array.from({ length: n }, () => 0));
    for (let i = 0; i < tokens; i++) await decoder.feed(Array.from({ length: n }, () => [tokenizer.newline]));
    decoder.release();
    return performance.now() - started;
  };
  return inTurn(
    ownFirst,
    () => decode(fused),
    () => decode(plain),
  );
}

/** Rewards of all steps of N finished solutions: a pass for each solution against a pass for each step. */
async function stepScoring(n: number, seed: number, ownFirst: boolean): Promise<PairTiming> {
  const { engine } = need();
  const run = await solve(n, seed, DEFAULT_SETTINGS.maxTokens);
  const solutions = run.solutions.filter(isEligible).map(({ steps }) => steps.map(({ text }) => text));
  const score = async (list: readonly (readonly string[])[]): Promise<number> => {
    const started = performance.now();
    for (const lines of list) {
      const outcome = await engine.score({ problem: PROBLEM, solutions: [lines] });
      if (!outcome.ok) throw new Error(outcome.fault.message);
    }
    return performance.now() - started;
  };
  return inTurn(
    ownFirst,
    () => score(solutions),
    () => score(solutions.flatMap((lines) => lines.map((_, step) => lines.slice(0, step + 1)))),
  );
}

async function inTurn(
  ownFirst: boolean,
  own: () => Promise<number>,
  other: () => Promise<number>,
): Promise<PairTiming> {
  if (ownFirst) {
    const ownMs = await own();
    return { ownMs, otherMs: await other() };
  }
  const otherMs = await other();
  return { ownMs: await own(), otherMs };
}

/** Decoding steps of a model of random weights; the first two warm up and do not count. */
async function bigVocabulary({
  place,
  model,
  n,
  steps,
  filter,
}: {
  /** Where the graph runs, and where tokens are chosen. */
  readonly place: VocabularyPlace;
  readonly model: RandomModel;
  readonly n: number;
  readonly steps: number;
  readonly filter: TokenFilter;
}): Promise<VocabularyTiming[]> {
  const onGpu = place !== 'wasm';
  const presents = Array.from({ length: model.layers }, (_, layer) => [
    [`present.${layer}.key`, 'gpu-buffer'] as const,
    [`present.${layer}.value`, 'gpu-buffer'] as const,
  ]).flat();
  const session = await InferenceSession.create(
    randomModel(model),
    onGpu
      ? { executionProviders: ['webgpu'], preferredOutputLocation: Object.fromEntries(presents) }
      : { executionProviders: ['wasm'] },
  );
  const shape = { vocabulary: model.vocabulary, context: 512, rewardOutput: null, rewardWidth: 0 };
  const device = onGpu ? await ortEnv.webgpu.device : null;
  const logitsOnGpu =
    device === null || place === 'webgpu, read back'
      ? null
      : await GpuLogits.create(device, model.vocabulary, 'float32');
  const decoder = new CausalDecoder(session, shape, device === null ? null : { device, logits: logitsOnGpu });
  await decoder.prefill([1]);
  decoder.select(Array.from({ length: n }, () => 0));
  let tokens = Array.from({ length: n }, (_, lane) => lane);
  const timings: VocabularyTiming[] = [];
  for (let step = 0; step < steps + 2; step++) {
    const begun = performance.now();
    const { logits } = await decoder.feed(tokens.map((token) => [token]));
    // The product need not wait here: the GPU works on.
    await device?.queue.onSubmittedWorkDone();
    const started = performance.now();
    const requests = tokens.map((_, row) => ({ kind: 'draw', row, u: laneUniform(1, row, step) }) as const);
    const choices = await chooseTokens(logits, model.vocabulary, requests, filter);
    tokens = choices.map(({ token }) => token);
    timings.push({ forwardMs: started - begun, samplingMs: performance.now() - started });
  }
  decoder.release();
  logitsOnGpu?.dispose();
  await session.release();
  return timings.slice(2);
}

const bench = { load, generation, liveScoring, stepScoring, bigVocabulary };
export type Bench = typeof bench;
expose(bench);
