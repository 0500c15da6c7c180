import { probability } from './read-head.ts';

/** The adapter of a graph that computes both rewards beside its logits. */
export interface FusedRewards {
  readonly kind: 'fused-rewards';
  /** Index of the step reward within a position's outputs. */
  readonly prmIndex: number;
  /** Index of the outcome reward. */
  readonly ormIndex: number;
}

/** Rewards at one position; `null` where the model has no such head. */
export interface Rewards {
  /** P(this step is correct | the earlier ones are), in [0, 1]. */
  readonly step: number | null;
  /** P(final answer correct), in [0, 1]; meaningful at the last position of a solution. */
  readonly outcome: number | null;
}

/**
 * Reads the rewards of one position.
 *
 * @param rewards `positions * width` outputs, position after position
 * @throws RangeError if a reward is not a probability: the device computes wrongly
 */
export function readRewards(
  adapter: FusedRewards,
  rewards: Float32Array | null,
  position: number,
  width: number,
): Rewards {
  if (rewards === null) return { step: null, outcome: null };
  return {
    step: probability(rewards[position * width + adapter.prmIndex]),
    outcome: probability(rewards[position * width + adapter.ormIndex]),
  };
}
