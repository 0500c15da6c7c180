/** Choosing tokens on the GPU beside the processor's choice: tests call these functions by name. */
import { env, InferenceSession } from 'onnxruntime-web/webgpu';
import type { RunEvent } from '../../../src/domain/run.ts';
import { DEFAULT_SETTINGS, type RunSettings } from '../../../src/domain/settings.ts';
import type { ChosenToken, RowRequest, TokenFilter } from '../../../src/domain/token-choice.ts';
import { CausalDecoder } from '../../../src/runtime/causal-decoder.ts';
import { float16ToFloat32 } from '../../../src/runtime/float16.ts';
import { GpuLogits } from '../../../src/runtime/gpu-logits.ts';
import { TokenChooser } from '../../../src/runtime/token-chooser.ts';
import { chooseTokens } from '../../../src/sampling/choose-tokens.ts';
import { laneUniform } from '../../../src/sampling/random.ts';
import { freshLane, sampleLanes } from '../../../src/sampling/sample-lanes.ts';
import { randomModel } from '../../../tools/bench-page/random-model.ts';

/** GPUBufferUsage: STORAGE | COPY_DST. */
const STORAGE_AND_WRITE = 0x88;

async function requestDevice(): Promise<GPUDevice> {
  const adapter = await navigator.gpu.requestAdapter();
  if (adapter === null) throw new Error('There is no GPU.');
  return adapter.requestDevice();
}
const ownDevice = requestDevice();

/** Rows of logits as a test writes them down. */
export type Rows =
  | { readonly kind: 'random'; readonly rows: number; readonly vocabulary: number; readonly spread: number }
  | {
      readonly kind: 'given';
      readonly values: readonly (readonly (number | 'NaN' | '-Infinity' | 'Infinity')[])[];
    };

/** Normally distributed, from random numbers that are the same everywhere. */
function logitsOf(rows: Rows): { readonly values: Float32Array<ArrayBuffer>; readonly vocabulary: number } {
  if (rows.kind === 'given')
    return {
      values: Float32Array.from(rows.values.flat(), Number),
      vocabulary: rows.values[0]?.length ?? 0,
    };
  const { rows: count, vocabulary, spread } = rows;
  const values = new Float32Array(count * vocabulary);
  for (let i = 0; i < values.length; i++) {
    const [a, b] = [laneUniform(7, i, 0), laneUniform(7, i, 1)];
    values[i] = spread * Math.sqrt(-2 * Math.log(a)) * Math.cos(2 * Math.PI * b);
  }
  return { values, vocabulary };
}

/** Halves of the same values, cut where they do not fit. */
function halvesOf(values: Float32Array): Uint16Array<ArrayBuffer> {
  const bits = new Uint32Array(Float32Array.from(values).buffer);
  return Uint16Array.from(bits, (word) => {
    const sign = (word >>> 16) & 0x8000;
    const exponent = ((word >>> 23) & 255) - 112;
    if (exponent >= 31) return sign | 0x7c00 | ((word & 0x7fffff) !== 0 && exponent === 143 ? 1 : 0);
    return exponent <= 0 ? sign : sign | (exponent << 10) | ((word >>> 13) & 0x3ff);
  });
}

/** A choice of the GPU with what the processor chooses at the same number, and a little below and above it. */
export interface Compared {
  readonly gpu: ChosenToken;
  readonly processor: ChosenToken;
  readonly near: readonly number[];
  /** Probability of the GPU's token under the filter's temperature, before any filter. */
  readonly probability: number;
}

/** How far rounding may move a draw. */
const ROUNDING = 2e-6;

async function compare(
  rows: Rows,
  filter: TokenFilter,
  draws: number,
  half = false,
): Promise<readonly Compared[]> {
  const device = await ownDevice;
  const { values, vocabulary } = logitsOf(rows);
  const halves = half ? halvesOf(values) : null;
  const logits = halves === null ? values : float16ToFloat32(halves);
  const count = logits.length / vocabulary;
  const data = halves ?? values;
  const buffer = device.createBuffer({
    size: 4 * Math.ceil(data.byteLength / 4),
    usage: STORAGE_AND_WRITE,
    mappedAtCreation: true,
  });
  new (halves === null ? Float32Array : Uint16Array)(buffer.getMappedRange()).set(data);
  buffer.unmap();
  const chooser = await TokenChooser.create(device, vocabulary, half ? 'float16' : 'float32');
  const requestsAt = (shift: number): RowRequest[] =>
    Array.from({ length: draws }, (_, i) => {
      const u = laneUniform(3, i, 5) + shift;
      return { kind: 'draw', row: i % count, u: Math.min(1 - 2 ** -25, Math.max(2 ** -25, u)) };
    });
  try {
    const chosen = await chooser.choose({ buffer, baseOf: (row) => row * vocabulary }, requestsAt(0), filter);
    const [processor, below, above] = await Promise.all(
      [0, -ROUNDING, ROUNDING].map((shift) => chooseTokens(logits, vocabulary, requestsAt(shift), filter)),
    );
    const read = await chooseTokens(
      logits,
      vocabulary,
      chosen.map(({ token }, i) => ({ kind: 'read', row: i % count, token })),
      filter,
    );
    return chosen.map((gpu, i) => ({
      gpu,
      processor: processor![i]!,
      near: [below![i]!.token, above![i]!.token],
      probability: Math.exp(read[i]!.logprob),
    }));
  } finally {
    chooser.dispose();
    buffer.destroy();
  }
}

/** Log-probabilities of known tokens, of the GPU and of the processor. */
async function read(rows: Rows, tokens: readonly number[]): Promise<readonly (readonly number[])[]> {
  const device = await ownDevice;
  const { values, vocabulary } = logitsOf(rows);
  const buffer = device.createBuffer({ size: values.byteLength, usage: STORAGE_AND_WRITE });
  device.queue.writeBuffer(buffer, 0, values);
  const chooser = await TokenChooser.create(device, vocabulary, 'float32');
  const requests = tokens.map((token) => ({ kind: 'read', row: 0, token }) as const);
  const chosen = await chooser.choose({ buffer, baseOf: () => 0 }, requests, DEFAULT_SETTINGS);
  const known = await chooseTokens(values, vocabulary, requests, DEFAULT_SETTINGS);
  chooser.dispose();
  buffer.destroy();
  return [chosen, known].map((list) => list.map(({ logprob }) => logprob));
}

/**
 * Lanes of a model with random weights, whose logits stay on the GPU or are read back: the tokens of each, and how
 * many logits were read.
 */
async function lanes(
  vocabulary: number,
  settings: Partial<RunSettings>,
  onGpu: boolean,
): Promise<readonly (readonly number[])[]> {
  const file = (type: string): string =>
    new URL(`/ort/ort-wasm-simd-threaded.asyncify.${type}`, location.href).href;
  env.wasm.wasmPaths = { mjs: file('mjs'), wasm: file('wasm') };
  env.wasm.numThreads = 1;
  const session = await InferenceSession.create(randomModel({ vocabulary, width: 32, layers: 1, heads: 2 }), {
    executionProviders: ['webgpu'],
    preferredOutputLocation: { 'present.0.key': 'gpu-buffer', 'present.0.value': 'gpu-buffer' },
  });
  const device = await env.webgpu.device;
  const logits = onGpu ? await GpuLogits.create(device, vocabulary, 'float32') : null;
  const shape = { vocabulary, context: 64, rewardOutput: null, rewardWidth: 0 };
  const decoder = new CausalDecoder(session, shape, { device, logits });
  const all = { ...DEFAULT_SETTINGS, maxTokens: 12, ...settings };
  const tokenizer = {
    encode: () => [],
    // No token is a newline or ends a solution, so that every lane goes on to its last token.
    decode: (tokens: readonly number[]) => 'a'.repeat(tokens.length),
    bos: null,
    ends: [],
    newline: 0,
  };
  const events: RunEvent[] = [];
  const { scripts, status } = await sampleLanes(
    decoder,
    tokenizer,
    [1],
    all,
    Array.from({ length: all.n }, (_, lane) => freshLane(lane)),
    {
      stepRule: 'line',
      emit: (event) => events.push(event),
      sampled: () => {},
      answerOf: () => null,
      rewardsOf: () => ({ step: null, outcome: null }),
      proceed: () => Promise.resolve(true),
    },
  );
  if (status.kind !== 'complete') throw new Error(`The run ended as ${status.kind}.`);
  logits?.dispose();
  await session.release();
  return [...scripts.values()].map(({ tokens }) => [...tokens]);
}

const api = { compare, read, lanes };
export type GpuPage = typeof api;
Object.assign(window, { gpuPage: api });
