import type { SolutionRewards } from './score-solutions.ts';

/** A known right and a known wrong solution with the rewards that the model gave them where it was made. */
export interface Canary {
  readonly solution: readonly string[];
  readonly wrong: readonly string[];
  readonly rewards: { readonly solution: readonly number[]; readonly wrong: readonly number[] };
}

/** Largest difference from the known reward that quantisation explains. A wrong kernel misses by far more. */
export const CANARY_TOLERANCE = 0.2;

/**
 * Compares computed rewards with the known ones. Returns what is wrong, in words, or `null` if the device computes
 * what it should.
 */
export function checkCanary(canary: Canary, right: SolutionRewards, wrong: SolutionRewards): string | null {
  const pairs = [
    [right.steps, canary.rewards.solution],
    [wrong.steps, canary.rewards.wrong],
  ] as const;
  let worst = 0;
  for (const [computed, known] of pairs) {
    if (computed.length !== known.length) return 'a known solution got the wrong number of step rewards';
    for (const [i, reward] of computed.entries()) worst = Math.max(worst, Math.abs(reward - known[i]!));
  }
  if (worst > CANARY_TOLERANCE) {
    return `the rewards of a known solution are off by ${worst.toFixed(2)} (at most ${CANARY_TOLERANCE} is allowed)`;
  }
  const product = (rewards: readonly number[]): number => rewards.reduce((a, b) => a * b, 1);
  if (product(right.steps) <= product(wrong.steps)) return 'a known wrong solution scored above a right one';
  return null;
}
