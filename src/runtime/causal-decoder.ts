import { Tensor, type InferenceSession } from 'onnxruntime-web/webgpu';
import { disposeCache, selectRows, type GpuDevice, type KvCache } from './kv-cache.ts';

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
 * the device. Inputs and outputs follow the layout of Optimum's exports: `input_ids`, `attention_mask`,
 * `position_ids`, `num_logits_to_keep` (each fed only if declared), `past_key_values.*` and `logits`, `present.*`.
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
    this.#cache = selectRows(this.#cache, rows, this.#device);
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
    const rows = sequences.length;
    const width = Math.max(...sequences.map((sequence) => sequence.length));
    const past = this.#length;
    const total = past + width;
    if (total > this.context) throw new RangeError('The sequence is longer than the context of the model.');

    const ids = new BigInt64Array(rows * width);
    const mask = new BigInt64Array(rows * total).fill(1n);
    const positions = new BigInt64Array(rows * width);
    for (const [row, sequence] of sequences.entries()) {
      for (let i = 0; i < width; i++) {
        positions[row * width + i] = BigInt(past + i);
        if (i < sequence.length) ids[row * width + i] = BigInt(sequence[i]!);
        else mask[row * total + past + i] = 0n;
      }
    }
    const offered: Record<string, Tensor> = {
      input_ids: new Tensor('int64', ids, [rows, width]),
      attention_mask: new Tensor('int64', mask, [rows, total]),
      position_ids: new Tensor('int64', positions, [rows, width]),
      num_logits_to_keep: new Tensor('int64', BigInt64Array.of(BigInt(keep)), []),
    };
    const feeds: Record<string, Tensor> = {};
    for (const name of this.#session.inputNames) {
      const tensor = offered[name] ?? this.#cache?.get(name) ?? emptyPast(this.#session, name, rows);
      if (tensor === null) throw new RangeError(`The model asks for an input that is not known: ${name}.`);
      feeds[name] = tensor;
    }

    const started = performance.now();
    const outputs = await this.#session.run(feeds);
    this.forwardMs += performance.now() - started;

    const cache = new Map<string, Tensor>();
    for (const [name, tensor] of Object.entries(outputs)) {
      if (name.startsWith('present.')) cache.set(name.replace('present.', 'past_key_values.'), tensor);
    }
    if (this.#cache !== null) disposeCache(this.#cache);
    this.#cache = cache;
    this.#length = total;
    // Rows are copied by these sizes when lanes end: a wrong one would mix lanes without an error.
    for (const { dims } of cache.values()) {
      if (dims.length !== 4 || dims[0] !== rows || dims[2] !== total)
        throw new RangeError('The model returned a cache of an unexpected shape.');
    }

    const logits = floatsOf(outputs, 'logits');
    const kept = keep === 0 ? width : keep;
    if (logits.length !== rows * kept * this.vocabulary) {
      throw new RangeError('The model returned logits of an unexpected shape.');
    }
    const rewards = this.#rewardOutput === null ? null : floatsOf(outputs, this.#rewardOutput);
    if (rewards !== null && rewards.length !== rows * kept * this.rewardWidth) {
      throw new RangeError('The model returned rewards of an unexpected shape.');
    }
    return { rows, logits, rewards };
  }
}

/** A cache input before the first token: the declared shape with the batch filled in and no positions. */
function emptyPast(session: InferenceSession, name: string, rows: number): Tensor | null {
  const meta = session.inputMetadata.find((input) => input.name === name);
  if (meta === undefined || !meta.isTensor || !name.startsWith('past_key_values.')) return null;
  const dims = meta.shape.map((size, axis) => (axis === 0 ? rows : typeof size === 'number' ? size : 0));
  return new Tensor('float32', new Float32Array(0), dims);
}

function floatsOf(outputs: InferenceSession.OnnxValueMapType, name: string): Float32Array {
  const data = outputs[name]?.data;
  if (!(data instanceof Float32Array)) throw new RangeError(`The model returned no numbers for "${name}".`);
  return data;
}
