import type { InferenceSession } from 'onnxruntime-web/webgpu';
import { disposeCache, selectRows, type GpuDevice, type KvCache } from './kv-cache.ts';
import { floatsOf, runGraph } from './run-graph.ts';

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
export interface DecoderFrame {
  readonly rows: number;
  readonly logits: Float32Array;
  readonly rewards: Float32Array | null;
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
  readonly #device: GpuDevice | null;
  #cache: KvCache | null = null;
  #length = 0;

  constructor(session: InferenceSession, shape: DecoderShape, device: GpuDevice | null) {
    this.#session = session;
    this.#device = device;
    this.#rewardOutput = shape.rewardOutput;
    this.vocabulary = shape.vocabulary;
    this.context = shape.context;
    this.rewardWidth = shape.rewardWidth;
  }

  /** Starts anew with one pass over a prompt at batch 1. */
  async prefill(tokens: readonly number[]): Promise<DecoderFrame> {
    this.release();
    return this.#forward([tokens], 1);
  }

  /** Feeds the same number of tokens to each row of the batch; the frame holds the last position. */
  async feed(tokens: readonly (readonly number[])[]): Promise<DecoderFrame> {
    return this.#forward(tokens, 1);
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
    this.#cache = selectRows(before, rows, this.#device);
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

  /** Frees the cache. */
  release(): void {
    if (this.#cache !== null) disposeCache(this.#cache);
    this.#cache = null;
    this.#length = 0;
  }

  /** @param keep trailing positions to compute outputs for; 0 keeps all */
  async #forward(sequences: readonly (readonly number[])[], keep: number): Promise<DecoderFrame> {
    const longest = Math.max(...sequences.map((sequence) => sequence.length));
    if (this.#length + longest > this.context)
      throw new RangeError('The sequence is longer than the context of the model.');
    const pass = await runGraph(this.#session, sequences, this.#cache, this.#length, keep);
    this.forwardMs += pass.ms;
    if (this.#cache !== null) disposeCache(this.#cache);
    this.#cache = pass.cache;
    this.#length += pass.width;

    const rows = sequences.length;
    const kept = keep === 0 ? pass.width : keep;
    const logits = this.#read(pass.outputs, 'logits', rows, pass.width, kept, this.vocabulary);
    const rewards =
      this.#rewardOutput === null
        ? null
        : this.#read(pass.outputs, this.#rewardOutput, rows, pass.width, kept, this.rewardWidth);
    return { rows, logits, rewards };
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
