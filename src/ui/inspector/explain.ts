import type { Reduction } from '../../domain/pick.ts';
import type { Solution, Step } from '../../domain/solution.ts';
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

/** The text that the verifier has read when it judges the last of these steps: sampling/prompt.ts writes it. */
export function readByPrm(problem: string, steps: readonly Step[]): string {
  const line = problem.replace(/\s+/gu, ' ').trim();
  return [line, ...steps.map(({ text }) => text)].join('\n');
}

/** The lines of an edited solution; empty ones are no steps. */
export function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** A token with its white space made visible; a token that ends the solution writes nothing. */
export function visibleToken(text: string): string {
  if (text === '') return '(end)';
  return text.replaceAll('\n', '⏎').replaceAll(' ', '·');
}

/** A probability as a share: only certainty prints as 100%. */
export function share(probability: number): string {
  if (probability >= 1) return '100%';
  if (probability >= 0.9995) return '>99.9%';
  if (probability < 0.0005) return probability <= 0 ? '0%' : '<0.1%';
  return `${(100 * probability).toFixed(probability >= 0.995 || probability < 0.1 ? 1 : 0)}%`;
}

/** Where a lane begins that took over steps of another one: "from lane 3, step 2"; `null` if it took none. */
export function forkLabel({ forkedFrom }: Solution): string | null {
  if (forkedFrom === null) return null;
  const from = `lane ${forkedFrom.lane + 1}, step ${forkedFrom.steps + 1}`;
  return forkedFrom.edited === true ? `edited by hand from ${from}` : `from ${from}`;
}
