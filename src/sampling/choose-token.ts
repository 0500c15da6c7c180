/** What the filters and the temperature need; a part of the run's settings. */
export interface TokenFilter {
  /** Softmax temperature; 0 takes the most likely token. */
  readonly temperature: number;
  /** Keep the k most likely tokens; 0 keeps all. */
  readonly topK: number;
  /** Keep the smallest set of most likely tokens whose probability reaches this; 1 keeps all. */
  readonly topP: number;
  /** Drop tokens less likely than this share of the most likely one; 0 drops none. */
  readonly minP: number;
}

/** A chosen token with its natural-log probability under the model itself (temperature 1, no filter). */
export interface ChosenToken {
  readonly token: number;
  readonly logprob: number;
}

/**
 * Chooses one token from one row of logits by inverting the cumulative distribution at `u`. The filters apply in the
 * order temperature, top-k, top-p, min-p. Ties in likelihood go to the smaller token id, so that the result
 * depends on nothing but the arguments.
 *
 * @param logits rows of `vocabulary` logits, read in place
 * @param offset index of the row's first logit
 * @param vocabulary length of the row
 * @param u a number in (0, 1); see {@link laneUniform}
 * @throws RangeError if no logit of the row is a finite number, or one is NaN
 */
export function chooseToken(
  logits: Float32Array,
  offset: number,
  vocabulary: number,
  filter: TokenFilter,
  u: number,
): ChosenToken {
  const end = offset + vocabulary;
  let best = offset;
  let max = -Infinity;
  for (let i = offset; i < end; i++) {
    const x = logits[i]!;
    if (x > max) {
      max = x;
      best = i;
    } else if (x !== x) {
      throw new RangeError('The model computed a logit that is not a number.');
    }
  }
  if (!Number.isFinite(max)) throw new RangeError('The model computed no finite logit.');
  let total = 0;
  for (let i = offset; i < end; i++) total += Math.exp(logits[i]! - max);
  const logTotal = Math.log(total);
  const chosen = (i: number): ChosenToken => ({
    token: i - offset,
    logprob: logits[i]! - max - logTotal,
  });

  const { temperature, topK, topP, minP } = filter;
  if (temperature === 0) return chosen(best);
  const limited = topK > 0 && topK < vocabulary;
  if (!limited && topP >= 1) return chosen(invert(logits, offset, end, max, temperature, minP, u));

  const ranked = rank(logits, offset, end, max, temperature, limited ? topK : vocabulary, topP, minP);
  let mass = 0;
  for (const i of ranked) mass += Math.exp((logits[i]! - max) / temperature);
  let rest = u * mass;
  for (const i of ranked) {
    rest -= Math.exp((logits[i]! - max) / temperature);
    if (rest < 0) return chosen(i);
  }
  return chosen(ranked[ranked.length - 1]!);
}

/** Inverts the distribution in order of token id, without sorting: no filter but min-p is in force. */
function invert(
  logits: Float32Array,
  offset: number,
  end: number,
  max: number,
  temperature: number,
  minP: number,
  u: number,
): number {
  // p / p_max >= minP, compared in log space; the most likely token always stays.
  const floor = minP > 0 ? Math.log(minP) * temperature : -Infinity;
  let mass = 0;
  for (let i = offset; i < end; i++) {
    const d = logits[i]! - max;
    if (d >= floor) mass += Math.exp(d / temperature);
  }
  let rest = u * mass;
  let last = offset;
  for (let i = offset; i < end; i++) {
    const d = logits[i]! - max;
    if (d < floor) continue;
    const weight = Math.exp(d / temperature);
    if (weight > 0) last = i;
    rest -= weight;
    if (rest < 0) return i;
  }
  return last;
}

/** Indices of the tokens that survive top-k, then top-p, then min-p; most likely first, never empty. */
function rank(
  logits: Float32Array,
  offset: number,
  end: number,
  max: number,
  temperature: number,
  topK: number,
  topP: number,
  minP: number,
): number[] {
  const limited = topK < end - offset;
  // Without top-k, what lies below e^-20 of the best (at this temperature) is mass to count, not a token to sort.
  const reach = limited ? -Infinity : -20 * temperature;
  const kept: number[] = [];
  let mass = 0;
  for (let i = offset; i < end; i++) {
    const d = logits[i]! - max;
    if (d >= reach) kept.push(i);
    else mass += Math.exp(d / temperature);
  }
  kept.sort((a, b) => logits[b]! - logits[a]! || a - b);
  if (limited) kept.length = topK;
  for (const i of kept) mass += Math.exp((logits[i]! - max) / temperature);

  let size = kept.length;
  if (topP < 1) {
    size = 0;
    for (let sum = 0; size < kept.length && sum < topP * mass; size++) {
      sum += Math.exp((logits[kept[size]!]! - max) / temperature);
    }
  }
  const floor = minP > 0 ? Math.log(minP) * temperature : -Infinity;
  while (size > 1 && logits[kept[size - 1]!]! - max < floor) size--;
  kept.length = Math.max(1, size);
  return kept;
}
