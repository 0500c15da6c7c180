import type { InferenceSession, Tensor } from 'onnxruntime-web/webgpu';
import type { DeviceLogits } from '../domain/token-choice.ts';
import type { GpuLogits } from './gpu-logits.ts';
import { disposeCache, selectRows, type KvCache } from './kv-cache.ts';
import { floatsOf, runGraph, type GraphPass } from './run-graph.ts';

/** Shapes of one loaded graph. */
export interface DecoderShape {
  readonly vocabulary: number;
  /** Positions that fit in the context. */
  readonly context: number;
  /** Name of the graph's verifier output, `[batch, kept, width]`; `null` if it has none. */
  readonly rewardOutput: string | null;
  readonly rewardWidth: number;
}

/** One forward pass over a batch; arrays hold the last position of each row, or all positions where asked. */
export interface DecoderFrame<Logits = Float32Array> {
  readonly rows: number;
  readonly logits: Logits;
  readonly rewards: Float32Array | null;
}

/** What a decoder uses of the GPU that its graph runs on. */
export interface DecoderGpu {
  readonly device: GPUDevice;
  /** For a vocabulary whose logits are better not read back. */
  readonly logits: GpuLogits | null;
}

/**
 * Runs a causal graph with a key-value cache over a batch of equal-length sequences. The cache's tensors never leave
 * the device.
 */
export class CausalDecoder {
  readonly vocabulary: number;
  readonly context: number;
  readonly rewardWidth: number;
  /** Milliseconds spent inside the runtime since construction. */
  forwardMs = 0;

  readonly #session: InferenceSession;
  readonly #rewardOutput: string | null;
  readonly #gpu: DecoderGpu | null;
  #cache: KvCache | null = null;
  #length = 0;

  constructor(session: InferenceSession, shape: DecoderShape, gpu: DecoderGpu | null) {
    this.#session = session;
    this.#gpu = gpu;
    this.#rewardOutput = shape.rewardOutput;
    this.vocabulary = shape.vocabulary;
    this.context = shape.context;
    this.rewardWidth = shape.rewardWidth;
  }

  /** Starts anew with one pass over a prompt at batch 1. */
  async prefill(tokens: readonly number[]): Promise<DecoderFrame<Float32Array | DeviceLogits>> {
    this.release();
    return this.#advance([tokens]);
  }

  /** Feeds the same number of tokens to each row of the batch; the frame holds the last position. */
  async feed(tokens: readonly (readonly number[])[]): Promise<DecoderFrame<Float32Array | DeviceLogits>> {
    return this.#advance(tokens);
  }

  /** One pass over one sequence without a cache; the frame holds the last `keep` positions. */
  async read(tokens: readonly number[], keep: number): Promise<DecoderFrame> {
    this.release();
    try {
      return await this.#forward([tokens], keep);
    } finally {
      this.release();
    }
  }

  /** Makes the batch consist of the given rows of the present one, in that order; rows may repeat. */
  select(rows: readonly number[]): void {
    if (this.#cache === null) throw new RangeError('There is no cache to select from.');
    const before = this.#cache;
    this.#cache = selectRows(before, rows, this.#gpu?.device ?? null);
    disposeCache(before);
  }

  /**
   * One pass without a cache over sequences of any length, right-padded to the longest. Arrays of the frame hold all
   * positions: `rows * longest` of them, padding included.
   */
  async score(sequences: readonly (readonly number[])[]): Promise<DecoderFrame> {
    this.release();
    try {
      return await this.#forward(sequences, 0);
    } finally {
      this.release();
    }
  }

  /** Frees the cache, and the logits of the last pass. */
  release(): void {
    this.#gpu?.logits?.free();
    if (this.#cache !== null) disposeCache(this.#cache);
    this.#cache = null;
    this.#length = 0;
  }

  /** One pass for the last position of each row. Its logits stay on the GPU where tokens are chosen there. */
  async #advance(
    sequences: readonly (readonly number[])[],
  ): Promise<DecoderFrame<Float32Array | DeviceLogits>> {
    const rows = sequences.length;
    const width = widthOf(sequences);
    const positions = this.#session.inputNames.includes('num_logits_to_keep') ? 1 : width;
    const place = this.#gpu?.logits?.place({ rows, positions }) ?? null;
    if (place === null) return this.#forward(sequences, 1);
    const pass = await this.#pass(sequences, 1, { logits: place.tensor });
    return { rows, logits: place.logits, rewards: this.#rewardsOf(pass, rows, 1) };
  }

  /** @param keep trailing positions to compute outputs for; 0 keeps all */
  async #forward(sequences: readonly (readonly number[])[], keep: number): Promise<DecoderFrame> {
    const pass = await this.#pass(sequences, keep, {});
    const rows = sequences.length;
    const kept = keep === 0 ? pass.width : keep;
    const logits = this.#read(pass.outputs, 'logits', rows, pass.width, kept, this.vocabulary);
    return { rows, logits, rewards: this.#rewardsOf(pass, rows, kept) };
  }

  async #pass(
    sequences: readonly (readonly number[])[],
    keep: number,
    places: Readonly<Record<string, Tensor>>,
  ): Promise<GraphPass> {
    if (this.#length + widthOf(sequences) > this.context)
      throw new RangeError('The sequence is longer than the context of the model.');
    const pass = await runGraph(this.#session, sequences, this.#cache, this.#length, keep, places);
    this.forwardMs += pass.ms;
    if (this.#cache !== null) disposeCache(this.#cache);
    this.#cache = pass.cache;
    this.#length += pass.width;
    return pass;
  }

  #rewardsOf({ outputs, width }: GraphPass, rows: number, kept: number): Float32Array | null {
    if (this.#rewardOutput === null) return null;
    return this.#read(outputs, this.#rewardOutput, rows, width, kept, this.rewardWidth);
  }

  /** An output at the last `kept` positions of each row; a graph that has no choice computes all. */
  #read(
    outputs: InferenceSession.OnnxValueMapType,
    name: string,
    rows: number,
    positions: number,
    kept: number,
    width: number,
  ): Float32Array {
    const values = floatsOf(outputs, name);
    if (values.length === rows * kept * width) return values;
    if (values.length !== rows * positions * width)
      throw new RangeError(
        `The model returned ${name === 'logits' ? 'logits' : 'rewards'} of an unexpected shape.`,
      );
    const last = new Float32Array(rows * kept * width);
    for (let row = 0; row < rows; row++) {
      const end = (row + 1) * positions * width;
      last.set(values.subarray(end - kept * width, end), row * kept * width);
    }
    return last;
  }
}

/** Tokens of the longest sequence. */
function widthOf(sequences: readonly (readonly number[])[]): number {
  return Math.max(...sequences.map((sequence) => sequence.length));
}
