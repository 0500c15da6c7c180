import type { CurveName, Curves } from '../picks/curves.ts';

/** One line of the accuracy chart. Shares in [0, 1]. */
export interface AccuracySeries {
  readonly name: CurveName;
  readonly label: string;
  /** For n = 1 ... N. */
  readonly points: readonly AccuracyPoint[];
}

export interface AccuracyPoint {
  readonly n: number;
  readonly mean: number;
  /** 95% interval over problems; `null` where there is one problem only. */
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** The lines that are drawn, in the order of the legend, and how each is told from the others without colour. */
export const SERIES: readonly { readonly name: CurveName; readonly label: string; readonly dash: string }[] =
  [
    { name: 'prm', label: 'PRM', dash: '' },
    { name: 'orm', label: 'ORM', dash: '9 4' },
    { name: 'majority', label: 'Majority', dash: '2 4' },
    { name: 'prm-weighted', label: 'Weighted', dash: '10 3 2 3' },
    { name: 'pass', label: 'pass@N', dash: '1 2' },
  ];

export function seriesOf({ curves }: Curves): AccuracySeries[] {
  return SERIES.map(({ name, label }) => ({ name, label, points: curves[name].points }));
}

/** 1, 2, 4 ... and N itself. */
export function doublings(largest: number): number[] {
  const sizes: number[] = [];
  for (let n = 1; n < largest; n *= 2) sizes.push(n);
  return largest < 1 ? [] : [...sizes, largest];
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}
