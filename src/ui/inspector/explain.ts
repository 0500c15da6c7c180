import type { Reduction } from '../../domain/pick.ts';
import type { Step } from '../../domain/solution.ts';
import { formatScore } from '../../picks/sentence.ts';
import { reduceRewards } from '../../picks/reduce.ts';

/** A row of the table that leads from rewards to a score. */
export interface RunningScore {
  readonly index: number;
  readonly reward: number | null;
  /** The score of the steps up to and with this one; `null` behind a step without a reward. */
  readonly score: string | null;
}

/** The solution score as it develops, step by step. */
export function runningScores(steps: readonly Step[], reduction: Reduction): RunningScore[] {
  const rewards: number[] = [];
  let broken = false;
  return steps.map(({ reward }, index) => {
    if (reward === null) broken = true;
    else rewards.push(reward);
    if (broken) return { index, reward, score: null };
    const { value, log } = reduceRewards(rewards, reduction);
    return { index, reward, score: formatScore(value, log, 3) };
  });
}

/** How the score of a solution was computed, as a formula with its numbers; `null` while a reward is missing. */
export function scoreFormula(steps: readonly Step[], reduction: Reduction): string | null {
  const rewards = steps.flatMap(({ reward }) => (reward === null ? [] : [reward]));
  if (rewards.length === 0 || rewards.length < steps.length) return null;
  const { value, log } = reduceRewards(rewards, reduction);
  const score = formatScore(value, log, 3);
  const numbers = rewards.map((reward) => formatScore(reward));
  const approximately = rewards.length > 1 ? '≈' : '=';
  switch (reduction) {
    case 'product':
      return `${numbers.join(' × ')} ${approximately} ${score}`;
    case 'min':
      return `min(${numbers.join(', ')}) = ${score}`;
    case 'last':
      return `last of (${numbers.join(', ')}) = ${score}`;
    case 'mean':
      return `(${numbers.join(' + ')}) ÷ ${rewards.length} ${approximately} ${score}`;
    case 'geometric-mean':
      return `(${numbers.join(' × ')}) to the power 1⁄${rewards.length} ${approximately} ${score}`;
  }
}

/** Natural-log probability per token, and the probability that it means. */
export function meanLogprob(step: Step): { readonly mean: number; readonly probability: number } | null {
  if (step.tokens <= 0) return null;
  const mean = step.logprob / step.tokens;
  return { mean, probability: Math.exp(mean) };
}
