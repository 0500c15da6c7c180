import { DEFAULT_THRESHOLD } from '../domain/pick.ts';
import { isProbability } from './reduce.ts';

/** Where a PRM sees the first mistake of a solution. */
export type Mistake =
  | { readonly kind: 'mistake'; readonly step: number }
  /** Every step has a reward of at least the threshold. */
  | { readonly kind: 'none' }
  /** `step` has no reward (or none that is a probability), and no step before it is below the threshold. */
  | { readonly kind: 'unknown'; readonly step: number };

/**
 * The first step whose reward is below the threshold. Nothing is said about steps behind one that has no reward
 * yet, since that one may be the first mistake.
 *
 * The paper's large PRM calls a step wrong where P(negative) > 20%: with neutral as positive, a threshold of 0.8.
 */
export function findMistake(
  rewards: readonly (number | null)[],
  threshold: number = DEFAULT_THRESHOLD,
): Mistake {
  for (const [step, reward] of rewards.entries()) {
    if (!isProbability(reward)) return { kind: 'unknown', step };
    if (reward < threshold) return { kind: 'mistake', step };
  }
  return { kind: 'none' };
}

/** Index of the first suspected mistake, `null` if none is known: see `findMistake`. */
export function firstMistake(
  rewards: readonly (number | null)[],
  threshold: number = DEFAULT_THRESHOLD,
): number | null {
  const found = findMistake(rewards, threshold);
  return found.kind === 'mistake' ? found.step : null;
}
