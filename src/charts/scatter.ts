/** A lane in the chart of scores against step counts. */
export interface ScatterPoint {
  readonly lane: number;
  readonly steps: number;
  readonly score: number;
  /** Natural log of the score: tells apart scores that have become 0. */
  readonly logScore: number;
  /** The score as text, by the rules of the page. */
  readonly text: string;
  readonly truth: 'right' | 'wrong' | 'unknown';
  readonly answer: string;
}

/** A point with its place on the horizontal axis. */
export interface PlacedPoint extends ScatterPoint {
  readonly x: number;
}

/** Room that the points of one step count may take, in steps. */
const SPREAD = 0.7;
const GAP = 0.1;

/** Puts lanes with the same number of steps beside each other, in their order, around that number. */
export function placePoints(points: readonly ScatterPoint[]): PlacedPoint[] {
  const sizes = new Map<number, number>();
  for (const { steps } of points) sizes.set(steps, (sizes.get(steps) ?? 0) + 1);
  const seen = new Map<number, number>();
  return points.map((point) => {
    const size = sizes.get(point.steps) ?? 1;
    const index = seen.get(point.steps) ?? 0;
    seen.set(point.steps, index + 1);
    const gap = Math.min(GAP, SPREAD / size);
    return { ...point, x: point.steps + (index - (size - 1) / 2) * gap };
  });
}

/** The smallest score that a logarithmic axis has a place for; less than that lies on its edge. */
export const LOG_FLOOR = 1e-6;

/** The edge of a logarithmic axis: the power of ten below the smallest score, within bounds. */
export function logFloor(points: readonly ScatterPoint[]): number {
  const lowest = Math.min(0, ...points.map(({ logScore }) => logScore / Math.LN10));
  return Math.max(LOG_FLOOR, 10 ** Math.min(-1, Math.floor(lowest)));
}
