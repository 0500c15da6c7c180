import type { NeutralRule, Reduction, RewardedStep, StepClasses } from '../domain/pick.ts';

/** A score in [0, 1] and its natural log, which still tells scores apart where the number has become 0. */
export interface Score {
  readonly value: number;
  readonly log: number;
}

/** Whether a value from outside can be a probability: a number from 0 to 1. */
export function isProbability(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

/** A score from a probability, such as an outcome reward. Throws a RangeError if it is not one. */
export function scoreOf(probability: number): Score {
  if (!isProbability(probability))
    throw new RangeError(`A score must be from 0 to 1, not ${String(probability)}.`);
  return { value: probability, log: Math.log(probability) };
}

/** Sum of finite numbers with Neumaier's compensation: the error does not grow with the count. */
export function sum(values: Iterable<number>): number {
  let total = 0;
  let lost = 0;
  for (const value of values) {
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return total + lost;
}

/**
 * Reduces the step rewards r_1 ... r_k of a solution to its score.
 *
 * - product: r_1 r_2 ... r_k, the probability that every step is correct (Lightman et al. 2023, section 2.6)
 * - min: the smallest reward, the alternative of their appendix F
 * - last: r_k
 * - mean: (r_1 + ... + r_k) / k
 * - geometric-mean: (r_1 r_2 ... r_k)^(1/k), the product without its bias against long solutions
 *
 * The log of product and geometric mean is a sum of logs, so that many small rewards neither underflow nor tie.
 * The order of the rewards changes nothing (but for `last`): they are sorted before they are added.
 * Throws a RangeError on no rewards at all and on rewards that are not numbers from 0 to 1.
 */
export function reduceRewards(rewards: readonly number[], reduction: Reduction): Score {
  const count = rewards.length;
  if (count === 0) throw new RangeError('A solution without rewards has no score.');
  for (const reward of rewards) {
    if (!isProbability(reward)) throw new RangeError(`A reward must be from 0 to 1, not ${String(reward)}.`);
  }
  if (reduction === 'last') return scoreOf(rewards[count - 1]!);
  // Descending, so that the partial products lose nothing before the product itself does.
  const sorted = [...rewards].sort((a, b) => b - a);
  const max = sorted[0]!;
  const min = sorted[count - 1]!;
  switch (reduction) {
    case 'min':
      return scoreOf(min);
    case 'mean':
      return scoreOf(within(min, sum(sorted) / count, max));
    case 'product':
      return { value: sorted.reduce((product, reward) => product * reward, 1), log: sumOfLogs(sorted) };
    case 'geometric-mean': {
      const log = sumOfLogs(sorted) / count;
      return { value: within(min, Math.exp(log), max), log };
    }
  }
}

function sumOfLogs(rewards: readonly number[]): number {
  return rewards.includes(0) ? -Infinity : sum(rewards.map(Math.log));
}

/** A mean lies between its extremes; rounding must not carry it out. */
function within(low: number, value: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** The number to show for a solution: see `reduceRewards`. It may be 0 where the log is still finite. */
export function solutionScore(rewards: readonly number[], reduction: Reduction): number {
  return reduceRewards(rewards, reduction).value;
}

/** The number to rank a solution by: see `reduceRewards`. `-Infinity` for a score of exactly 0. */
export function solutionLogScore(rewards: readonly number[], reduction: Reduction): number {
  return reduceRewards(rewards, reduction).log;
}

/** Positive if `a` is better, negative if `b` is, 0 if they tie: by log, then by value where logs have merged. */
export function compareScores(a: Score, b: Score): number {
  if (a.log !== b.log) return a.log > b.log ? 1 : -1;
  if (a.value !== b.value) return a.value > b.value ? 1 : -1;
  return 0;
}

/** Probabilities as a model computes them may sum to 1 only nearly. */
const SUM_TOLERANCE = 1e-3;

/**
 * The reward of a step from a PRM with a neutral class: P(positive) + P(neutral) where neutral counts as positive,
 * P(positive) where it counts as negative (Lightman et al. 2023, appendix F).
 * Throws a RangeError unless the three are probabilities that sum to 1.
 */
export function stepReward(classes: StepClasses, rule: NeutralRule): number {
  const { positive, neutral, negative } = classes;
  const total = positive + neutral + negative;
  const good = isProbability(positive) && isProbability(neutral) && isProbability(negative);
  if (!good || Math.abs(total - 1) > SUM_TOLERANCE) {
    throw new RangeError(
      `Class probabilities must be from 0 to 1 and sum to 1, not ${positive}, ${neutral} and ${negative}.`,
    );
  }
  return Math.min(1, (rule === 'positive' ? positive + neutral : positive) / total);
}

/**
 * The reward in use of each step: by the neutral rule where the classes are known, else the number that is there.
 * `null` where the PRM has not read the step, `NaN` where what came from outside is not a probability.
 */
export function rewardsInUse(
  steps: readonly RewardedStep[],
  rule: NeutralRule = 'positive',
): (number | null)[] {
  return steps.map(({ reward, classes }) => {
    if (classes !== undefined && classes !== null) {
      try {
        return stepReward(classes, rule);
      } catch {
        return Number.NaN;
      }
    }
    if (reward === null) return null;
    return isProbability(reward) ? reward : Number.NaN;
  });
}
