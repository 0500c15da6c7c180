import { CELL_COUNT, cellOf, exponential, LEAST_EXPONENT, leastOf } from './exponential.ts';

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

/** Scratch of one row, kept between calls: a vocabulary can be large and a token is chosen thousands of times. */
let weights = new Float64Array(0);
let cells = new Uint16Array(0);
/** Number and sum of weights of the tokens of each cell. */
const counts = new Int32Array(CELL_COUNT);
const masses = new Float64Array(CELL_COUNT);

/** The cell of tokens that no draw can reach. */
const OUT_OF_REACH = CELL_COUNT;

/**
 * Chooses one token from one row of logits by inverting the cumulative distribution at `u`. The filters apply in the
 * order temperature, top-k, top-p, min-p. Ties in likelihood go to the smaller token id, so that the result
 * depends on nothing but the arguments.
 *
 * Tokens are never sorted as a whole. Each filter keeps a beginning of the ranking by likelihood, so tokens are
 * counted into cells of nearly equal likelihood, and only the cell that a filter or the draw cuts is sorted.
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
  const row = logits.subarray(offset, offset + vocabulary);
  const best = mostLikely(row);
  const max = row[best]!;
  const { temperature, topK, topP, minP } = filter;
  if (weights.length < vocabulary) {
    weights = new Float64Array(vocabulary);
    cells = new Uint16Array(vocabulary);
  }

  const filtered = (topK > 0 && topK < vocabulary) || topP < 1;
  // At temperature 1 the weights of the draw and the model's own probabilities are the same numbers.
  const total = filtered || temperature !== 1 ? sum(row, max) : weigh(row, max, 1);
  const chosen = (token: number): ChosenToken => ({
    token,
    logprob: row[token]! - max - Math.log(total),
  });
  if (temperature === 0) return chosen(best);
  // p / p_max >= minP, compared in log space; the most likely token always stays.
  const floor = minP > 0 ? Math.log(minP) * temperature : -Infinity;
  if (filtered) {
    countCells(row, max, temperature);
    return chosen(drawRanked(row, max, filter, floor, u));
  }
  const mass = temperature === 1 ? total : weigh(row, max, temperature);
  return chosen(drawInOrder(row, minP > 0 ? dropBelow(row, max, floor) : mass, u));
}

/** Index of the largest logit, the first of them. */
function mostLikely(row: Float32Array): number {
  let best = -1;
  let max = -Infinity;
  let wrong = false;
  for (let i = 0; i < row.length; i++) {
    const x = row[i]!;
    if (x > max) {
      max = x;
      best = i;
    }
    wrong ||= x !== x;
  }
  if (wrong) throw new RangeError('The model computed a logit that is not a number.');
  if (!Number.isFinite(max)) throw new RangeError('The model computed no finite logit.');
  return best;
}

/** The sum of e^(x - max) over the row. */
function sum(row: Float32Array, max: number): number {
  let total = 0;
  for (let i = 0; i < row.length; i++) {
    const d = row[i]! - max;
    if (d >= LEAST_EXPONENT) total += exponential(d, cellOf(d));
  }
  return total;
}

/** Fills the weights of the row, and returns their sum. */
function weigh(row: Float32Array, max: number, temperature: number): number {
  let total = 0;
  for (let i = 0; i < row.length; i++) {
    const d = (row[i]! - max) / temperature;
    const weight = d >= LEAST_EXPONENT ? exponential(d, cellOf(d)) : 0;
    weights[i] = weight;
    total += weight;
  }
  return total;
}

/** Takes the weight of the tokens below the floor; returns the sum of the others. */
function dropBelow(row: Float32Array, max: number, floor: number): number {
  let mass = 0;
  for (let i = 0; i < row.length; i++) {
    if (row[i]! - max >= floor) mass += weights[i]!;
    else weights[i] = 0;
  }
  return mass;
}

/** Inverts the distribution of the weights in the order of token ids. */
function drawInOrder(row: Float32Array, mass: number, u: number): number {
  let rest = u * mass;
  let last = 0;
  for (let i = 0; i < row.length; i++) {
    const weight = weights[i]!;
    if (weight === 0) continue;
    last = i;
    rest -= weight;
    if (rest < 0) return i;
  }
  // Rounding: the sum may have ended a little above the parts.
  return last;
}

/** Fills the weights, and counts tokens and weights into cells. */
function countCells(row: Float32Array, max: number, temperature: number): void {
  counts.fill(0);
  masses.fill(0);
  for (let i = 0; i < row.length; i++) {
    const d = (row[i]! - max) / temperature;
    if (d >= LEAST_EXPONENT) {
      const cell = cellOf(d);
      const weight = exponential(d, cell);
      weights[i] = weight;
      cells[i] = cell;
      counts[cell]!++;
      masses[cell]! += weight;
    } else cells[i] = OUT_OF_REACH;
  }
}

/** Where the ranking by likelihood is cut; each filter keeps a beginning of it. */
interface Cut {
  /** Tokens to keep at most. */
  readonly count: number;
  /** Mass at which no more tokens are kept; the one that reaches it is. */
  readonly mass: number;
  /** Difference from the largest logit, at most 0, below which no token is kept but the most likely. */
  readonly floor: number;
  readonly temperature: number;
}

/** Inverts the distribution over what top-k, then top-p, then min-p leave of the ranking. */
function drawRanked(row: Float32Array, max: number, filter: TokenFilter, floor: number, u: number): number {
  const { topK, topP, temperature } = filter;
  const byCount = { count: topK > 0 ? topK : Infinity, mass: Infinity, floor: -Infinity, temperature };
  const mass = topP < 1 ? topP * walk(row, max, byCount, Infinity).mass : Infinity;
  const cut = { ...byCount, mass, floor };
  return walk(row, max, cut, u * walk(row, max, cut, Infinity).mass).token;
}

/**
 * Walks the ranking from the most likely token until it is cut, or until its mass exceeds `until`.
 *
 * @returns the last token and the mass up to it, its own included
 */
function walk(
  row: Float32Array,
  max: number,
  cut: Cut,
  until: number,
): { readonly token: number; readonly mass: number } {
  // Not known (-1) while the cells are passed over as a whole.
  let token = -1;
  let count = 0;
  let mass = 0;
  for (let cell = 0; cell < CELL_COUNT; cell++) {
    const size = counts[cell]!;
    if (size === 0) continue;
    const after = mass + masses[cell]!;
    const whole =
      count + size < cut.count &&
      after < cut.mass &&
      after <= until &&
      leastOf(cell) * cut.temperature >= cut.floor;
    if (whole) {
      token = -1;
      count += size;
      mass = after;
      continue;
    }
    for (const i of rankedIn(row, cell)) {
      const kept = count < cut.count && mass < cut.mass && row[i]! - max >= cut.floor;
      if (!kept && count > 0) return { token: token < 0 ? lastOf(row, cell - 1) : token, mass };
      token = i;
      count++;
      mass += weights[i]!;
      if (mass > until) return { token, mass };
    }
  }
  return { token: token < 0 ? lastOf(row, CELL_COUNT - 1) : token, mass };
}

/** The least likely token of the last cell that has one, from the given cell on backwards. */
function lastOf(row: Float32Array, from: number): number {
  let cell = from;
  while (counts[cell] === 0) cell--;
  return rankedIn(row, cell).at(-1)!;
}

/** Tokens of a cell, the most likely first. */
function rankedIn(row: Float32Array, cell: number): number[] {
  const members: number[] = [];
  for (let i = 0; i < row.length; i++) if (cells[i] === cell) members.push(i);
  return members.sort((a, b) => row[b]! - row[a]! || a - b);
}
