import { Tensor, type InferenceSession } from 'onnxruntime-web/webgpu';

export type Feeds = Readonly<Record<string, Tensor>>;
export type Outputs = Record<string, Tensor>;

export const zeros = (dims: readonly number[]): Tensor =>
  new Tensor('float32', new Float32Array(dims.reduce((a, b) => a * b, 1)), dims);

export interface FakeSessionOptions {
  readonly inputs?: readonly string[];
  /** Type of the cache's tensors, `null` for a graph that keeps none. */
  readonly cache?: 'float32' | 'float16' | null;
  /** Width of the output "scores". */
  readonly width?: number;
  /** Whether a text has only one score. */
  readonly pooled?: boolean;
  /** Changes what a pass returns. */
  readonly spoil?: (outputs: Outputs) => Outputs;
}

/**
 * A graph of one layer whose score at a position is the sum of the tokens up to it: its cache holds the tokens, so a
 * wrong one gives wrong scores. It records what it is fed, and counts the tensors of its caches that are in use.
 */
export class FakeSession {
  readonly fed: Feeds[] = [];
  /** Tensors of caches that were returned and not freed. */
  readonly live = new Set<Tensor>();
  readonly #options: FakeSessionOptions;

  constructor(options: FakeSessionOptions = {}) {
    this.#options = options;
  }

  get session(): InferenceSession {
    const { cache = 'float32', inputs = ['input_ids', 'attention_mask', 'position_ids'] } = this.#options;
    const past = cache === null ? [] : ['past_key_values.0.key', 'past_key_values.0.value'];
    return {
      inputNames: [...inputs, ...past],
      inputMetadata: past.map((name) => ({
        name,
        isTensor: true,
        type: cache,
        shape: ['batch', 1, 'past', 1],
      })),
      run: (feeds: Feeds) => Promise.resolve(this.#run(feeds)),
    } as unknown as InferenceSession;
  }

  #run(feeds: Feeds): Outputs {
    this.fed.push(feeds);
    const { cache = 'float32', width = 2, pooled = false, spoil } = this.#options;
    const ids = feeds['input_ids']!;
    const [rows = 0, length = 0] = ids.dims;
    const past = feeds['past_key_values.0.key'];
    const held = past === undefined ? [] : Array.from(past.data as Float32Array | Uint16Array, Number);
    const before = held.length / rows;
    const tokens = Array.from(ids.data as BigInt64Array, Number);
    const texts = Array.from({ length: rows }, (_, row) => [
      ...held.slice(row * before, (row + 1) * before),
      ...tokens.slice(row * length, (row + 1) * length),
    ]);
    const sums = texts.flatMap((text) =>
      text.map((_, i) => text.slice(0, i + 1).reduce((a, b) => a + b, 0)).slice(before),
    );
    const rewards = sums.flatMap((sum) => Array.from({ length: width }, (_, i) => sum + i / 10));
    const outputs: Outputs = {
      scores: pooled
        ? new Tensor('float32', Float32Array.from(rewards.slice(-width)), [rows, width])
        : new Tensor('float32', Float32Array.from(rewards), [rows, length, width]),
    };
    if (cache !== null)
      for (const half of ['key', 'value'])
        outputs[`present.0.${half}`] = this.#tensor(cache, texts.flat(), [rows, 1, before + length, 1]);
    return spoil?.(outputs) ?? outputs;
  }

  #tensor(type: 'float32' | 'float16', values: readonly number[], dims: readonly number[]): Tensor {
    const tensor =
      type === 'float32'
        ? new Tensor('float32', Float32Array.from(values), dims)
        : new Tensor('float16', Uint16Array.from(values), dims);
    this.live.add(tensor);
    const dispose = tensor.dispose.bind(tensor);
    tensor.dispose = () => {
      if (!this.live.delete(tensor)) throw new Error('freed twice');
      dispose();
    };
    return tensor;
  }
}

/** Numbers of an input that holds whole ones. */
export const whole = (tensor: Tensor | undefined): number[] =>
  Array.from((tensor?.data ?? []) as BigInt64Array, Number);
