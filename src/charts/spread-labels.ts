/**
 * Moves labels apart so that none is nearer than `gap` to the next, each as near to its wish as the order allows, and
 * all between `low` and `high` where they fit. Returns positions in the order of `wishes`.
 */
export function spreadLabels(wishes: readonly number[], gap: number, low: number, high: number): number[] {
  const order = wishes.map((_, i) => i).sort((a, b) => wishes[a]! - wishes[b]!);
  const placed: number[] = [];
  // Downwards each label clears the one above; upwards what was pushed out at the bottom pushes back.
  for (const [place, i] of order.entries()) {
    placed.push(Math.max(wishes[i]!, place === 0 ? low : placed[place - 1]! + gap));
  }
  for (let place = placed.length - 1; place >= 0; place--) {
    placed[place] = Math.min(placed[place]!, place === placed.length - 1 ? high : placed[place + 1]! - gap);
  }
  const result: number[] = [];
  for (const [place, i] of order.entries()) result[i] = placed[place]!;
  return result;
}
