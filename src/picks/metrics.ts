import { DEFAULT_THRESHOLD } from '../domain/pick.ts';
import { wilson, type Interval } from './interval.ts';
import { findMistake } from './mistake.ts';
import { isProbability, sum } from './reduce.ts';

/** A share of what was counted; `value` is `null` where nothing was. */
export interface Share {
  readonly value: number | null;
  readonly hits: number;
  readonly count: number;
  /** 95%, Wilson's. */
  readonly interval: Interval | null;
}

function shareOf(hits: number, count: number): Share {
  if (count === 0) return { value: null, hits, count, interval: null };
  return { value: hits / count, hits, count, interval: wilson(hits, count) };
}

/** A solution whose first mistake is known: the index of the step, `null` if all steps are correct. */
export interface LabelledSolution {
  readonly rewards: readonly (number | null)[];
  readonly firstMistake: number | null;
}

/** How well a PRM finds first mistakes at one threshold. */
export interface MistakeReport {
  readonly threshold: number;
  /** Solutions whose predicted first mistake, or its absence, is exactly the labelled one. */
  readonly exact: Share;
  /** The same over solutions with a mistake: the position must match. */
  readonly erroneous: Share;
  /** The same over solutions without one: none may be suspected. */
  readonly correct: Share;
  /** ProcessBench F1; `null` where one of the two kinds of solution is missing. */
  readonly f1: number | null;
  /** Solutions left out because rewards are missing where they were needed. */
  readonly unscored: number;
}

/**
 * First-mistake exact match, and ProcessBench's F1: the harmonic mean of the accuracy on erroneous and on correct
 * solutions, 2 e c / (e + c) (Zheng et al. 2024, arXiv 2412.06559). It is 0 where both are 0.
 */
export function mistakeReport(
  solutions: readonly LabelledSolution[],
  threshold: number = DEFAULT_THRESHOLD,
): MistakeReport {
  const hits = { erroneous: 0, correct: 0 };
  const count = { erroneous: 0, correct: 0 };
  let unscored = 0;
  for (const { rewards, firstMistake } of solutions) {
    const found = findMistake(rewards, threshold);
    if (found.kind === 'unknown') {
      unscored += 1;
      continue;
    }
    const kind = firstMistake === null ? 'correct' : 'erroneous';
    count[kind] += 1;
    if ((found.kind === 'none' ? null : found.step) === firstMistake) hits[kind] += 1;
  }
  const erroneous = shareOf(hits.erroneous, count.erroneous);
  const correct = shareOf(hits.correct, count.correct);
  return {
    threshold,
    exact: shareOf(hits.erroneous + hits.correct, count.erroneous + count.correct),
    erroneous,
    correct,
    f1: harmonicMean(erroneous.value, correct.value),
    unscored,
  };
}

function harmonicMean(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return null;
  return a + b === 0 ? 0 : (2 * a * b) / (a + b);
}

/**
 * The report at the threshold with the best F1, the lowest such threshold; `null` where no F1 can be computed.
 * ProcessBench chooses the threshold of a PRM so, on one subset, and uses it on the others: a threshold chosen on the
 * solutions that it is judged by flatters the PRM. Tried are 0.00, 0.01 ... 1.00 unless others are given.
 */
export function bestThreshold(
  solutions: readonly LabelledSolution[],
  thresholds: readonly number[] = Array.from({ length: 101 }, (_, i) => i / 100),
): MistakeReport | null {
  let best: MistakeReport | null = null;
  for (const threshold of thresholds) {
    const report = mistakeReport(solutions, threshold);
    if (report.f1 !== null && (best === null || report.f1 > best.f1!)) best = report;
  }
  return best;
}

/** A step with a reward, and whether it is correct. */
export interface LabelledStep {
  readonly reward: number;
  readonly correct: boolean;
}

/**
 * The labelled steps of a solution: those before the first mistake are correct, the mistake itself is not, those
 * behind it have no label (labels stop at the first mistake). Steps without a reward are left out.
 */
export function labelSteps({ rewards, firstMistake }: LabelledSolution): LabelledStep[] {
  return rewards.flatMap((reward, step) =>
    isProbability(reward) && (firstMistake === null || step <= firstMistake)
      ? [{ reward, correct: step !== firstMistake }]
      : [],
  );
}

/** Area under the ROC curve of steps, within problems. */
export interface StepAuc {
  /** Mean of the problems' AUCs: every problem counts the same. */
  readonly mean: number | null;
  /** Over all pairs of a correct and a wrong step of the same problem: every pair counts the same. */
  readonly pooled: number | null;
  readonly pairs: number;
  /** Problems with steps of both kinds. */
  readonly problems: number;
  /** Problems with steps of one kind only, which have no AUC. */
  readonly skipped: number;
}

/**
 * The probability that a correct step has a higher reward than a wrong step of the same problem, ties counted as
 * 1/2: the Mann-Whitney statistic U / (correct × wrong) (Hanley and McNeil 1982). Comparing within a problem
 * keeps easy and hard problems apart: a PRM that only knows which problem is hard gets 1/2.
 */
export function stepAuc(problems: readonly (readonly LabelledStep[])[]): StepAuc {
  const values: number[] = [];
  let wins = 0;
  let pairs = 0;
  for (const steps of problems) {
    for (const { reward } of steps) {
      if (Number.isNaN(reward)) throw new RangeError('A step reward is not a number.');
    }
    const correct = steps.filter((step) => step.correct).length;
    const wrong = steps.length - correct;
    if (correct === 0 || wrong === 0) continue;
    // Mean ranks of tied rewards make each tie count 1/2.
    const ranks = meanRanks(steps.map((step) => step.reward));
    const rankSum = sum(ranks.filter((_, i) => steps[i]!.correct));
    const u = rankSum - (correct * (correct + 1)) / 2;
    values.push(u / (correct * wrong));
    wins += u;
    pairs += correct * wrong;
  }
  return {
    mean: values.length === 0 ? null : sum(values) / values.length,
    pooled: pairs === 0 ? null : wins / pairs,
    pairs,
    problems: values.length,
    skipped: problems.length - values.length,
  };
}

/** Ranks from 1; equal values share the mean of their ranks. */
export function meanRanks(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((i, j) => values[i]! - values[j]!);
  const ranks = new Array<number>(values.length);
  for (let start = 0; start < order.length;) {
    let end = start + 1;
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++;
    // The mean of start + 1 ... end.
    for (let k = start; k < end; k++) ranks[order[k]!] = (start + 1 + end) / 2;
    start = end;
  }
  return ranks;
}
