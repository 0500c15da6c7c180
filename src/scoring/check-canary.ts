/** Rewards that a model gave a right and a wrong solution where it was made. */
export interface KnownRewards {
  readonly right: readonly number[];
  readonly wrong: readonly number[];
}

/** Largest difference from the known reward that quantisation explains. A wrong kernel misses by far more. */
export const CANARY_TOLERANCE = 0.2;

/**
 * Compares computed rewards with the known ones. Returns what is wrong, in words, or `null` if the device computes
 * what it should.
 */
export function checkCanary(
  known: KnownRewards,
  right: readonly number[],
  wrong: readonly number[],
): string | null {
  const pairs = [
    [right, known.right],
    [wrong, known.wrong],
  ] as const;
  let worst = 0;
  for (const [computed, expected] of pairs) {
    if (computed.length !== expected.length) return 'a known solution got the wrong number of step rewards';
    for (const [i, reward] of computed.entries()) worst = Math.max(worst, Math.abs(reward - expected[i]!));
  }
  if (worst > CANARY_TOLERANCE) {
    return `the rewards of a known solution are off by ${worst.toFixed(2)} (at most ${CANARY_TOLERANCE} is allowed)`;
  }
  // A random model, as tests have, may rank the two the other way: what counts is that it does so here too.
  if (ranksAbove(right, wrong) !== ranksAbove(known.right, known.wrong))
    return 'a known wrong solution scored above a right one';
  return null;
}

/** Whether the rewards of one solution have a larger product than those of another. */
export function ranksAbove(one: readonly number[], other: readonly number[]): boolean {
  const product = (rewards: readonly number[]): number => rewards.reduce((a, b) => a * b, 1);
  return product(one) > product(other);
}
