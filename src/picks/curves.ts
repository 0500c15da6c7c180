import { PICK_METHODS, type PickMethod } from '../domain/pick.ts';
import { bootstrapMeans, BOOTSTRAP_RESAMPLES, wilson, type Interval } from './interval.ts';
import type { PoolSample } from './pool.ts';
import { streams, type Draw } from './random.ts';
import { compareScores, sum, type Score } from './reduce.ts';

/*
 * Accuracy against n from one pool of N samples of a problem. A point at n is the expectation over all subsets of n
 * samples, drawn without replacement: what a person would see on average who had sampled only n.
 *
 * Samples without an answer stay in the pool and take up places in a subset, but never win; a subset in which no
 * sample can win counts as wrong. The evaluation of "Let's Verify Step by Step" drops them in the same sense: a
 * solution without an answer inside the token budget is discarded and never wins.
 */

/**
 * What happens when several samples, or groups, share the top place.
 *
 * - `random`: one of the tied at random, each sample of them equally likely. This is what the paper's protocol
 *   (shuffle the pool, take the first n, first highest score wins) computes on average.
 * - `earliest`: the sample, or the group with the sample, that comes first in the pool: the rule of the picks, so
 *   that the curve at n = N agrees with the pick shown.
 */
export type TieRule = 'random' | 'earliest';

/** A sample for best-of-n; `score` is `null` if it cannot win. */
export interface RankedSample {
  readonly score: Score | null;
  readonly correct: boolean;
}

/**
 * Expected accuracy of best-of-n for n = 1 ... N in closed form; index n - 1 holds the value at n.
 *
 * Samples are ranked by score. With R samples ranked below a group of t tied ones (those that cannot win rank
 * lowest), the best of a random subset of n lies in the group with probability
 *
 *     (C(R + t, n) - C(R, n)) / C(N, n),
 *
 * and by symmetry each of its t samples is then equally likely to be the one that wins a random draw among the tied
 * in the subset: the group contributes that probability times its share of correct samples. With `earliest` ties
 * are broken by the order of the pool, and all t are 1.
 */
export function bestOfNCurve(samples: readonly RankedSample[], ties: TieRule = 'random'): number[] {
  const size = samples.length;
  const ranked = samples
    .flatMap(({ score, correct }, index) => {
      if (score === null) return [];
      if (Number.isNaN(score.log) || Number.isNaN(score.value)) {
        throw new RangeError(`Sample ${index} has a score that is not a number.`);
      }
      return [{ score, correct, index }];
    })
    // From worst to best; with equal scores the later sample first.
    .sort((a, b) => compareScores(a.score, b.score) || b.index - a.index);
  const curve = new Array<number>(size).fill(0);
  let start = 0;
  while (start < ranked.length) {
    let end = start + 1;
    if (ties === 'random') {
      while (end < ranked.length && compareScores(ranked[end]!.score, ranked[start]!.score) === 0) end++;
    }
    const correct = ranked.slice(start, end).filter((sample) => sample.correct).length;
    if (correct > 0) {
      const below = size - ranked.length + start;
      const upTo = size - ranked.length + end;
      addShare(curve, below, upTo, correct / (end - start));
    }
    start = end;
  }
  return curve.map((value) => Math.min(1, Math.max(0, value)));
}

/** Adds share × (C(upTo, n) - C(below, n)) / C(N, n) to each n. */
function addShare(curve: number[], below: number, upTo: number, share: number): void {
  const size = curve.length;
  let inUpTo = 1;
  let inBelow = 1;
  for (let n = 1; n <= upTo; n++) {
    // C(m, n) / C(N, n) = C(m, n - 1) / C(N, n - 1) × (m - n + 1) / (N - n + 1)
    inUpTo *= (upTo - n + 1) / (size - n + 1);
    inBelow *= Math.max(0, below - n + 1) / (size - n + 1);
    curve[n - 1]! += share * (inUpTo - inBelow);
  }
}

/**
 * pass@n for n = 1 ... N, the probability that at least one of n samples is correct, by the unbiased estimator
 * 1 - C(N - c, n) / C(N, n) with c correct ones of N (Chen et al. 2021, arXiv 2107.03374).
 */
export function passCurve(total: number, correct: number): number[] {
  if (!(Number.isInteger(total) && Number.isInteger(correct) && correct >= 0 && correct <= total)) {
    throw new RangeError(`There cannot be ${correct} correct samples of ${total}.`);
  }
  let allWrong = 1;
  return Array.from({ length: total }, (_, i) => {
    allWrong *= Math.max(0, total - correct - i) / (total - i);
    return 1 - allWrong;
  });
}

/** A sample for a vote. It does not vote if it has no group or no weight. */
export interface VoteSample {
  readonly group: number | null;
  readonly correct: boolean;
  readonly weight: number | null;
}

export interface VoteOptions {
  /** Subsets drawn for each n; 400 if not given, as in the paper's evaluation. */
  readonly resamples?: number;
  readonly seed?: number;
  readonly ties?: TieRule;
}

export const VOTE_RESAMPLES = 400;
const DEFAULT_SEED = 1;

/**
 * Expected accuracy of a vote among n for n = 1 ... N. Each resample shuffles the pool, and its first n are the
 * subset of n; a point is the mean over resamples. n = 1 and n = N are computed exactly. Group weights are sums
 * of the samples' weights; a group is correct if its first sample in the pool is. With `random`, a tie goes to the
 * group that comes first in the shuffle.
 */
export function voteCurve(samples: readonly VoteSample[], options: VoteOptions = {}): number[] {
  return voteCurves(samples, [samples.map((sample) => sample.weight)], options)[0]!;
}

/** Several votes with the same groups and other weights over the same subsets, so that they can be compared. */
export function voteCurves(
  samples: readonly { readonly group: number | null; readonly correct: boolean }[],
  weightings: readonly (readonly (number | null)[])[],
  { resamples = VOTE_RESAMPLES, seed = DEFAULT_SEED, ties = 'random' }: VoteOptions = {},
  draw: Draw = streams(seed)(),
): number[][] {
  if (!(Number.isInteger(resamples) && resamples > 0)) {
    throw new RangeError(`A vote curve needs at least one resample, not ${resamples}.`);
  }
  const size = samples.length;
  const { groups, groupCorrect } = numberGroups(samples);
  const votes = weightings.map((weights) => {
    const weight = new Float64Array(size);
    // -1 where a sample does not vote.
    const group = new Int32Array(size).fill(-1);
    for (const [i, w] of weights.entries()) {
      if (w === null || groups[i]! < 0) continue;
      if (!(w >= 0 && w < Infinity)) throw new RangeError(`Sample ${i} has a weight that cannot vote: ${w}.`);
      weight[i] = w;
      group[i] = groups[i]!;
    }
    return { weight, group, hits: new Float64Array(size) };
  });
  const order = Int32Array.from({ length: size }, (_, i) => i);
  const totals = new Float64Array(groupCorrect.length);
  // Place of a group in the order that breaks ties.
  const place = new Int32Array(groupCorrect.length);
  for (let r = 0; r < resamples && size > 2; r++) {
    for (let i = size - 1; i > 0; i--) {
      const j = draw(i + 1);
      const swap = order[i]!;
      order[i] = order[j]!;
      order[j] = swap;
    }
    for (const { weight, group, hits } of votes) {
      totals.fill(0);
      place.fill(size);
      let leader = -1;
      for (let n = 0; n < size; n++) {
        const sample = order[n]!;
        const g = group[sample]!;
        if (g >= 0) {
          const at = ties === 'random' ? n : sample;
          totals[g]! += weight[sample]!;
          if (at < place[g]!) place[g] = at;
          // Weights only grow, so only the group that grew can take the lead.
          if (
            leader < 0 ||
            totals[g]! > totals[leader]! ||
            (totals[g] === totals[leader] && place[g]! < place[leader]!)
          ) {
            leader = g;
          }
        }
        if (leader >= 0 && groupCorrect[leader] === 1) hits[n]! += 1;
      }
    }
  }
  return votes.map(({ weight, group, hits }) => {
    const curve = Array.from(hits, (count) => count / resamples);
    if (size > 0) {
      curve[0] = group.reduce((n, g) => n + (g >= 0 ? groupCorrect[g]! : 0), 0) / size;
      curve[size - 1] = wholeVote(weight, group, groupCorrect, ties);
    }
    return curve;
  });
}

function numberGroups(samples: readonly { readonly group: number | null; readonly correct: boolean }[]): {
  groups: Int32Array;
  groupCorrect: Uint8Array;
} {
  const numbers = new Map<number, number>();
  const correct: number[] = [];
  const groups = Int32Array.from(samples, ({ group, correct: isCorrect }) => {
    if (group === null) return -1;
    let number = numbers.get(group);
    if (number === undefined) {
      number = correct.push(isCorrect ? 1 : 0) - 1;
      numbers.set(group, number);
    }
    return number;
  });
  return { groups, groupCorrect: Uint8Array.from(correct) };
}

/** Accuracy of the vote of all N. A random tie goes to each tied group in proportion to its samples. */
function wholeVote(weight: Float64Array, group: Int32Array, groupCorrect: Uint8Array, ties: TieRule): number {
  const members = new Map<number, number[]>();
  for (const [i, g] of group.entries()) {
    if (g < 0) continue;
    const list = members.get(g);
    if (list === undefined) members.set(g, [weight[i]!]);
    else list.push(weight[i]!);
  }
  const ballots = [...members].map(([g, weights]) => ({
    correct: groupCorrect[g]!,
    size: weights.length,
    // Sorted, so that the order of the pool does not decide by a rounding error.
    weight: sum(weights.sort((a, b) => b - a)),
  }));
  const top = Math.max(...ballots.map((ballot) => ballot.weight));
  const tied = ballots.filter((ballot) => ballot.weight === top);
  if (tied.length === 0) return 0;
  if (ties === 'earliest') return tied[0]!.correct;
  const size = tied.reduce((n, ballot) => n + ballot.size, 0);
  return tied.reduce((n, ballot) => n + ballot.size * ballot.correct, 0) / size;
}

/** Weights of a vote from scores. Where all are too small for numbers they are scaled, which changes no vote. */
export function voteWeights(scores: readonly (Score | null)[]): (number | null)[] {
  const top = Math.max(...scores.map((score) => score?.log ?? -Infinity));
  const scale = top > -Infinity && Math.exp(top) < 1e-290;
  return scores.map((score) => (score === null ? null : scale ? Math.exp(score.log - top) : score.value));
}

/** A line of the chart: the pick methods, and pass@n, which no pick can exceed. */
export type CurveName = PickMethod | 'pass';

export const CURVE_NAMES: readonly CurveName[] = [...PICK_METHODS, 'pass'];

export interface CurvePoint {
  readonly n: number;
  /** Expected accuracy, the mean over problems. */
  readonly mean: number;
  /** 95% over problems; `null` with fewer than two of them. */
  readonly interval: Interval | null;
  /** Standard error that the resampling of subsets adds to the mean; 0 where the value is exact. */
  readonly resamplingError: number;
}

export interface Curve {
  readonly name: CurveName;
  readonly points: readonly CurvePoint[];
  /** Expected accuracy by problem, then n - 1: what `pairedDifference` is fed with. */
  readonly byProblem: readonly (readonly number[])[];
}

export interface CurveOptions {
  readonly seed?: number;
  /** Subsets per n for the votes. */
  readonly voteResamples?: number;
  /** Resamples of the problems for the intervals. */
  readonly bootstrapResamples?: number;
  readonly ties?: TieRule;
}

export interface Curves {
  readonly problems: number;
  readonly seed: number;
  readonly ties: TieRule;
  readonly voteResamples: number;
  readonly bootstrapResamples: number;
  readonly curves: Readonly<Record<CurveName, Curve>>;
}

/**
 * All curves over a set of problems, for n from 1 to the size of the smallest pool. Best-of-n and pass@n are exact,
 * votes resampled (but for n = 1 and N) over the same subsets for all three votes. Intervals are bootstrap
 * percentiles over problems; where every problem has the same value they are Wilson's for the mean as a proportion,
 * which is conservative, since no variable in [0, 1] varies more than a 0-or-1 one of the same mean.
 */
export function poolCurves(pools: readonly (readonly PoolSample[])[], options: CurveOptions = {}): Curves {
  const work = curveWork(pools, options);
  for (;;) {
    const slice = work.next();
    if (slice.done === true) return slice.value;
  }
}

/** How long `poolCurvesInSlices` computes before it pauses, in milliseconds. */
const SLICE_MS = 12;

/**
 * The same numbers as `poolCurves`, computed in slices, so that hundreds of problems do not block a page. `pause`
 * is awaited between slices; where it rejects (somebody has cancelled), so does this.
 */
export async function poolCurvesInSlices(
  pools: readonly (readonly PoolSample[])[],
  options: CurveOptions,
  pause: () => Promise<void>,
): Promise<Curves> {
  const work = curveWork(pools, options);
  let since = performance.now();
  for (;;) {
    const slice = work.next();
    if (slice.done === true) return slice.value;
    if (performance.now() - since > SLICE_MS) {
      await pause();
      since = performance.now();
    }
  }
}

/** Yields after each small piece of work: one problem, or the intervals of one curve. */
function* curveWork(
  pools: readonly (readonly PoolSample[])[],
  {
    seed = DEFAULT_SEED,
    voteResamples = VOTE_RESAMPLES,
    bootstrapResamples = BOOTSTRAP_RESAMPLES,
    ties = 'random',
  }: CurveOptions,
): Generator<undefined, Curves, undefined> {
  const byProblem = curveRecord((): number[][] => []);
  const nextStream = streams(seed);
  for (const pool of pools) {
    const values = problemCurves(pool, { resamples: voteResamples, ties }, nextStream());
    for (const name of CURVE_NAMES) byProblem[name].push(values[name]);
    yield;
  }
  const sizes = pools.map((pool) => pool.length);
  const smallest = sizes.length === 0 ? 0 : Math.min(...sizes);
  const points = curveRecord((): CurvePoint[] => []);
  for (const name of CURVE_NAMES) {
    const values = byProblem[name];
    const means = bootstrapMeans(values, smallest, { resamples: bootstrapResamples, seed });
    points[name] = means.map(({ mean, interval }, i) => ({
      n: i + 1,
      mean,
      interval:
        interval ?? (sizes.length < 2 ? null : wilson(Math.min(mean, 1) * sizes.length, sizes.length)),
      resamplingError: RESAMPLED.has(name) ? resamplingError(values, i, voteResamples) : 0,
    }));
    yield;
  }
  return {
    problems: pools.length,
    seed,
    ties,
    voteResamples,
    bootstrapResamples,
    curves: curveRecord((name) => ({ name, points: points[name], byProblem: byProblem[name] })),
  };
}

const RESAMPLED: ReadonlySet<CurveName> = new Set(['majority', 'prm-weighted', 'orm-weighted']);

function curveRecord<T>(make: (name: CurveName) => T): Record<CurveName, T> {
  return {
    prm: make('prm'),
    orm: make('orm'),
    majority: make('majority'),
    'prm-weighted': make('prm-weighted'),
    'orm-weighted': make('orm-weighted'),
    pass: make('pass'),
  };
}

/** All curves of one problem. */
function problemCurves(
  pool: readonly PoolSample[],
  options: VoteOptions,
  draw: Draw,
): Record<CurveName, number[]> {
  // A sample without an answer has no score, whatever the caller says.
  const scores = (by: 'prm' | 'orm'): (Score | null)[] =>
    pool.map((sample) => (sample.group === null ? null : sample[by]));
  const prm = scores('prm');
  const orm = scores('orm');
  const best = (of: (Score | null)[]): number[] =>
    bestOfNCurve(
      pool.map(({ correct }, i) => ({ score: of[i]!, correct })),
      options.ties,
    );
  const [majority, prmWeighted, ormWeighted] = voteCurves(
    pool,
    [pool.map(() => 1), voteWeights(prm), voteWeights(orm)],
    options,
    draw,
  );
  const correct = pool.filter((sample) => sample.group !== null && sample.correct).length;
  return {
    prm: best(prm),
    orm: best(orm),
    majority: majority!,
    'prm-weighted': prmWeighted!,
    'orm-weighted': ormWeighted!,
    pass: passCurve(pool.length, correct),
  };
}

/** Standard error of the mean at index i: each problem adds p (1 - p) / resamples, but where its value is exact. */
function resamplingError(values: readonly (readonly number[])[], i: number, resamples: number): number {
  const variances = values.map((curve) => {
    const exact = i === 0 || i === curve.length - 1;
    return exact ? 0 : (curve[i]! * (1 - curve[i]!)) / resamples;
  });
  return Math.sqrt(sum(variances)) / values.length;
}
