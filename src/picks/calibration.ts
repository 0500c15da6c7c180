import { wilson, type Interval } from './interval.ts';
import { meanRanks } from './metrics.ts';
import { isProbability, sum, type Score } from './reduce.ts';

/** A probability that was predicted, and whether the thing was so. */
export interface Prediction {
  readonly probability: number;
  readonly correct: boolean;
}

/** One bar of a reliability diagram: predictions from `low` (included) to `high` (excluded, but for 1). */
export interface ReliabilityBin {
  readonly low: number;
  readonly high: number;
  readonly count: number;
  /** Mean predicted probability; `null` in an empty bin. */
  readonly predicted: number | null;
  /** Share that was correct; `null` in an empty bin. */
  readonly observed: number | null;
  /** 95% for `observed`, Wilson's. */
  readonly interval: Interval | null;
}

export interface Calibration {
  readonly bins: readonly ReliabilityBin[];
  readonly count: number;
  /** Expected calibration error; `null` without predictions. */
  readonly ece: number | null;
  /** Mean squared error of the probabilities (Brier 1950); `null` without predictions. */
  readonly brier: number | null;
}

/**
 * Reliability bins of equal width and the expected calibration error
 *
 *     ECE = Σ_b (n_b / n) |observed_b - predicted_b|
 *
 * (Naeini et al. 2015; Guo et al. 2017, arXiv 1706.04599). Throws a RangeError on predictions that are not
 * numbers from 0 to 1.
 */
export function calibration(predictions: readonly Prediction[], binCount = 10): Calibration {
  if (!(Number.isInteger(binCount) && binCount > 0))
    throw new RangeError(`There cannot be ${binCount} bins.`);
  const members = Array.from({ length: binCount }, (): Prediction[] => []);
  for (const prediction of predictions) {
    const { probability } = prediction;
    if (!isProbability(probability)) {
      throw new RangeError(`A prediction must be from 0 to 1, not ${String(probability)}.`);
    }
    let bin = Math.min(binCount - 1, Math.floor(probability * binCount));
    // 0.29 × 100 is 28.999...: the edges decide, not the product.
    while (bin < binCount - 1 && probability >= (bin + 1) / binCount) bin++;
    while (bin > 0 && probability < bin / binCount) bin--;
    members[bin]!.push(prediction);
  }
  const count = predictions.length;
  const bins = members.map((bin, b): ReliabilityBin => {
    const edges = { low: b / binCount, high: (b + 1) / binCount, count: bin.length };
    if (bin.length === 0) return { ...edges, predicted: null, observed: null, interval: null };
    const correct = bin.filter((prediction) => prediction.correct).length;
    return {
      ...edges,
      predicted: sum(bin.map((prediction) => prediction.probability)) / bin.length,
      observed: correct / bin.length,
      interval: wilson(correct, bin.length),
    };
  });
  if (count === 0) return { bins, count, ece: null, brier: null };
  return {
    bins,
    count,
    ece: sum(
      bins.map(({ count: n, observed, predicted }) =>
        n === 0 ? 0 : (n / count) * Math.abs(observed! - predicted!),
      ),
    ),
    brier: sum(predictions.map(({ probability, correct }) => (probability - (correct ? 1 : 0)) ** 2)) / count,
  };
}

/** A solution's score and its number of steps. */
export interface LengthSample {
  readonly steps: number;
  readonly score: Score;
}

/** How a score goes with the number of steps; negative where long solutions score less. From -1 to 1. */
export interface LengthBias {
  /** Pearson's correlation of step count and score. */
  readonly pearson: number | null;
  /** Spearman's: Pearson's of the ranks, which the spread of a product of many rewards does not dominate. */
  readonly spearman: number | null;
  /** Pearson's of the deviations from each problem's means: hard problems have long solutions and low scores. */
  readonly withinProblem: number | null;
  readonly solutions: number;
  readonly problems: number;
}

/**
 * Length bias of a score over the solutions of each problem. A correlation is `null` where it is not defined: fewer
 * than two solutions, or no variation in step count or in score. The product of step rewards is biased by its form,
 * since every further step multiplies by at most 1; this says by how much.
 */
export function lengthBias(problems: readonly (readonly LengthSample[])[]): LengthBias {
  const all = problems.flat();
  const deviations = problems.map((samples) => ({
    x: centred(samples.map((sample) => sample.steps)),
    y: centred(samples.map((sample) => sample.score.value)),
  }));
  const steps = all.map((sample) => sample.steps);
  return {
    pearson: correlation(
      steps,
      all.map((sample) => sample.score.value),
    ),
    spearman: correlation(meanRanks(steps), meanRanks(all.map((sample) => sample.score.log))),
    withinProblem: correlation(
      deviations.flatMap(({ x }) => x),
      deviations.flatMap(({ y }) => y),
    ),
    solutions: all.length,
    problems: problems.length,
  };
}

/** Pearson's correlation; `null` where one side does not vary. Throws a RangeError on what is not a finite number. */
export function correlation(x: readonly number[], y: readonly number[]): number | null {
  const count = x.length;
  if (count !== y.length) throw new RangeError(`${count} values cannot be paired with ${y.length}.`);
  if (![...x, ...y].every(Number.isFinite)) throw new RangeError('A value is not a finite number.');
  const dx = unit(centred(x));
  const dy = unit(centred(y));
  if (dx === null || dy === null) return null;
  const r = sum(dx.map((d, i) => d * dy[i]!));
  return Math.max(-1, Math.min(1, r));
}

/** Deviations from the mean: exactly 0 where all values are the same, whatever the mean's rounding. */
function centred(values: readonly number[]): number[] {
  if (values.every((value) => value === values[0])) return values.map(() => 0);
  const mean = sum(values) / values.length;
  return values.map((value) => value - mean);
}

/** Scaled to length 1, without underflow in the squares; `null` if all are 0. */
function unit(values: readonly number[]): number[] | null {
  const largest = Math.max(0, ...values.map(Math.abs));
  if (largest === 0) return null;
  const scaled = values.map((value) => value / largest);
  const length = Math.sqrt(sum(scaled.map((value) => value * value)));
  return scaled.map((value) => value / length);
}
