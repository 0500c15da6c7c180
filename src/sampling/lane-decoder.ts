import type { DeviceLogits } from '../domain/token-choice.ts';

/**
 * One forward pass over a batch: row r holds the last position of batch row r. All of it is valid until the next pass.
 */
export interface Frame {
  readonly rows: number;
  /** `rows * vocabulary` logits, row after row, or where to ask for tokens if they were not read from the device. */
  readonly logits: Float32Array | DeviceLogits;
  /** `rows * rewardWidth` verifier outputs in [0, 1], row after row; `null` if the graph has none. */
  readonly rewards: Float32Array | null;
}

/**
 * What the sampler needs of a loaded causal model: a batch of equal-length sequences with a cache. All methods reject
 * when the runtime fails; the decoder is then of no further use.
 */
export interface LaneDecoder {
  readonly vocabulary: number;
  /** Numbers per row of `Frame.rewards`. */
  readonly rewardWidth: number;
  /** Positions that fit in the model's context. */
  readonly context: number;
  /** Starts anew: one pass over the prompt at batch 1. */
  prefill(tokens: readonly number[]): Promise<Frame>;
  /** Makes the batch consist of the given rows of the present one, in that order; rows may repeat. */
  select(rows: readonly number[]): void;
  /** Feeds the same number of tokens to each row, one at least; the frame holds the last position. */
  feed(tokens: readonly (readonly number[])[]): Promise<Frame>;
  /** Frees the cache. */
  release(): void;
}
