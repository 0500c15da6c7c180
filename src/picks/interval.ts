import { sum } from './reduce.ts';
import { streams } from './random.ts';

/** A 95% interval, and how it was made. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  readonly method: 'bootstrap' | 'wilson';
}

/** Two-sided 95% point of the standard normal distribution. */
const Z = 1.959963984540054;

export interface BootstrapOptions {
  /** Resamples of the problems; 1,000 if not given. */
  readonly resamples?: number;
  readonly seed?: number;
}

export const BOOTSTRAP_RESAMPLES = 1_000;
const DEFAULT_SEED = 1;

/**
 * Wilson's score interval for a proportion p = successes / total (Wilson 1927; Brown, Cai and DasGupta 2001):
 *
 *     (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)
 *
 * It stays inside [0, 1] and keeps a width where p is 0 or 1. The whole of [0, 1] where nothing was counted.
 */
export function wilson(successes: number, total: number): Interval {
  if (!(total >= 0 && successes >= 0 && successes <= total)) {
    throw new RangeError(`There cannot be ${successes} successes in ${total}.`);
  }
  if (total === 0) return { low: 0, high: 1, method: 'wilson' };
  const p = successes / total;
  const z2 = (Z * Z) / total;
  const centre = (p + z2 / 2) / (1 + z2);
  const half = Math.sqrt(z2 * p * (1 - p) + (z2 * z2) / 4) / (1 + z2);
  return {
    low: successes === 0 ? 0 : Math.max(0, centre - half),
    high: successes === total ? 1 : Math.min(1, centre + half),
    method: 'wilson',
  };
}

/**
 * Means of the columns with bootstrap percentile intervals over the rows (Efron 1979): rows are drawn with
 * replacement, as many as there are, and the 2.5% and 97.5% points of the resampled means are taken. A row is a
 * problem: its values stay together, and all columns see the same resamples. The interval of a column is `null`
 * where the bootstrap has nothing to say: fewer than two rows, or the same value in each.
 */
export function bootstrapMeans(
  rows: readonly ArrayLike<number>[],
  columns: number,
  { resamples = BOOTSTRAP_RESAMPLES, seed = DEFAULT_SEED }: BootstrapOptions = {},
): { mean: number; interval: Interval | null }[] {
  const count = rows.length;
  if (count === 0) return [];
  const flat = new Float64Array(count * columns);
  for (const [r, row] of rows.entries()) {
    for (let c = 0; c < columns; c++) {
      const value = row[c] ?? Number.NaN;
      if (!Number.isFinite(value)) throw new RangeError(`Row ${r} has no number in column ${c}.`);
      flat[r * columns + c] = value;
    }
  }
  const means = Array.from({ length: columns }, (_, c) => sum(rows.map((row) => row[c]!)) / count);
  if (count < 2 || resamples < 1) return means.map((mean) => ({ mean, interval: null }));
  const resampled = Array.from({ length: columns }, () => new Float64Array(resamples));
  const draw = streams(seed)();
  const total = new Float64Array(columns);
  for (let b = 0; b < resamples; b++) {
    total.fill(0);
    for (let i = 0; i < count; i++) {
      const start = draw(count) * columns;
      for (let c = 0; c < columns; c++) total[c]! += flat[start + c]!;
    }
    for (let c = 0; c < columns; c++) resampled[c]![b] = total[c]! / count;
  }
  return means.map((mean, c) => {
    const first = flat[c]!;
    if (rows.every((row) => row[c] === first)) return { mean, interval: null };
    const sorted = resampled[c]!.sort();
    return {
      mean,
      interval: { low: quantile(sorted, 0.025), high: quantile(sorted, 0.975), method: 'bootstrap' },
    };
  });
}

/** Quantile of sorted numbers by linear interpolation (Hyndman and Fan's type 7). */
function quantile(sorted: Float64Array, q: number): number {
  const at = q * (sorted.length - 1);
  const low = Math.floor(at);
  const a = sorted[low]!;
  const b = sorted[Math.min(low + 1, sorted.length - 1)]!;
  return a + (at - low) * (b - a);
}

/** How much better `a` does than `b` on the same problems. */
export interface PairedDifference {
  readonly mean: number;
  /** `null` where the bootstrap has nothing to say: fewer than two problems, or the same difference in each. */
  readonly interval: Interval | null;
  readonly problems: number;
  /** Problems on which `a` does better, worse, the same. */
  readonly better: number;
  readonly worse: number;
  readonly same: number;
}

/**
 * Mean of a_i - b_i over problems with a bootstrap percentile interval. Pairing takes the difficulty of the
 * problems out: the interval is about the difference, not about two overlapping bars. `a` and `b` hold one number
 * per problem, in the same order.
 */
export function pairedDifference(
  a: readonly number[],
  b: readonly number[],
  options: BootstrapOptions = {},
): PairedDifference {
  if (a.length !== b.length) throw new RangeError(`${a.length} problems cannot be paired with ${b.length}.`);
  const differences = a.map((value, i) => value - b[i]!);
  const result = bootstrapMeans(
    differences.map((d) => [d]),
    1,
    options,
  )[0];
  return {
    mean: result?.mean ?? 0,
    interval: result?.interval ?? null,
    problems: a.length,
    better: differences.filter((d) => d > 0).length,
    worse: differences.filter((d) => d < 0).length,
    same: differences.filter((d) => d === 0).length,
  };
}
