import { LOGITS_FAULT, type ChosenToken, type TokenFilter } from '../domain/token-choice.ts';
import {
  CELL_COUNT,
  countOf,
  LEAST_EXPONENT,
  leastOf,
  massOf,
  membersOf,
  sortIntoCells,
  sumOfWeights,
  takeRow,
  weigh,
} from './scan-row.ts';

/** Tokens whose mass is summed together: the draw looks into one block only. */
const BLOCK = 512;

/** Mass of the blocks of one row, kept between calls: a token is chosen thousands of times. */
let blocks = new Float64Array(0);

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
  const weighed = takeLogits(logits, offset, vocabulary);
  const { row, max } = weighed;
  const { temperature, topK, topP, minP } = filter;
  // p / p_max >= minP, compared in log space; the most likely token always stays.
  const floor = minP > 0 ? Math.log(minP) * temperature : -Infinity;

  let token: number;
  if (temperature === 0) {
    token = row.indexOf(max);
  } else if ((topK > 0 && topK < vocabulary) || topP < 1) {
    if (temperature !== 1) weigh(max, temperature, -Infinity);
    sortIntoCells(max, temperature);
    token = drawRanked(row, max, filter, floor, u);
  } else {
    if (temperature !== 1 || floor > -Infinity) {
      weigh(max, temperature, floor);
      sumBlocks(vocabulary);
    }
    token = drawInOrder(row, max, temperature, floor, u);
  }
  return { token, logprob: logprobIn(weighed, token) };
}

/** A row of logits, its largest, and the sum of e^(logit - max) over it. */
export interface WeighedRow {
  readonly row: Float32Array;
  readonly max: number;
  readonly total: number;
}

/**
 * Weighs a row at temperature 1. All that speaks of log-probabilities sums here, so that a token has the same one to the
 * last bit whether it was drawn or is read again.
 *
 * @throws RangeError as {@link chooseToken}
 */
export function takeLogits(logits: Float32Array, offset: number, vocabulary: number): WeighedRow {
  const row = logits.subarray(offset, offset + vocabulary);
  if (row.length < vocabulary) throw new RangeError(LOGITS_FAULT.tooFew);
  const max = takeRow(row);
  if (Number.isNaN(max)) throw new RangeError(LOGITS_FAULT.notANumber);
  if (!Number.isFinite(max)) throw new RangeError(LOGITS_FAULT.notFinite);
  weigh(max, 1, -Infinity);
  return { row, max, total: sumBlocks(vocabulary) };
}

/** The natural-log probability of one token of a row. */
export function logprobIn({ row, max, total }: WeighedRow, token: number): number {
  return row[token]! - max - Math.log(total);
}

/** e^x, or 0 where that is as good. */
function weightOf(x: number): number {
  return x > LEAST_EXPONENT ? Math.exp(x) : 0;
}

/** Fills the blocks' masses by the weights, and returns the mass of all. */
function sumBlocks(vocabulary: number): number {
  const size = Math.ceil(vocabulary / BLOCK);
  if (blocks.length < size) blocks = new Float64Array(size);
  let total = 0;
  for (let block = 0; block < size; block++) {
    const mass = sumOfWeights(block * BLOCK, (block + 1) * BLOCK);
    blocks[block] = mass;
    total += mass;
  }
  return total;
}

/** Inverts the distribution in the order of token ids. */
function drawInOrder(row: Float32Array, max: number, temperature: number, floor: number, u: number): number {
  const size = Math.ceil(row.length / BLOCK);
  let mass = 0;
  for (let block = 0; block < size; block++) mass += blocks[block]!;
  let rest = u * mass;
  let last = 0;
  for (let block = 0; block < size; block++) {
    // Rounding: the sum may end a little above its parts, so that the last block that has any mass is looked into.
    const next = rest - blocks[block]!;
    if (blocks[block] === 0 || next >= 0) {
      if (blocks[block]! > 0) last = block;
      rest = next;
      continue;
    }
    return drawInBlock(row, block, max, temperature, floor, rest);
  }
  return drawInBlock(row, last, max, temperature, floor, Infinity);
}

/** The token of a block at which its mass exceeds `rest`, or the last that has any. */
function drawInBlock(
  row: Float32Array,
  block: number,
  max: number,
  temperature: number,
  floor: number,
  rest: number,
): number {
  let left = rest;
  let last = block * BLOCK;
  const end = Math.min(row.length, last + BLOCK);
  for (let i = last; i < end; i++) {
    const d = row[i]! - max;
    const weight = d >= floor ? weightOf(d / temperature) : 0;
    if (weight === 0) continue;
    last = i;
    left -= weight;
    if (left < 0) break;
  }
  return last;
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
  const { token, cell } = walk(row, max, cut, u * walk(row, max, cut, Infinity).mass);
  return token < 0 ? lastOf(row, cell) : token;
}

/**
 * Walks the ranking from the most likely token until it is cut, or until its mass exceeds `until`.
 *
 * @returns the mass that was walked, and the token at which the walk ended with its cell. A token of -1, which is not
 * looked for until it is needed, is the least likely of that cell or else of the nearest before that has any.
 */
function walk(
  row: Float32Array,
  max: number,
  cut: Cut,
  until: number,
): { readonly token: number; readonly cell: number; readonly mass: number } {
  // Not known (-1) while the cells are passed over as a whole.
  let token = -1;
  let count = 0;
  let mass = 0;
  for (let cell = 0; cell < CELL_COUNT; cell++) {
    const size = countOf(cell);
    if (size === 0) continue;
    const after = mass + massOf(cell);
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
      if (!kept && count > 0) return { token, cell: cell - 1, mass };
      token = i;
      count++;
      mass += weightOf((row[i]! - max) / cut.temperature);
      if (mass > until) return { token, cell, mass };
    }
  }
  return { token, cell: CELL_COUNT - 1, mass };
}

/** The least likely token of a cell, or else of the nearest before that has any. */
function lastOf(row: Float32Array, from: number): number {
  let cell = from;
  while (countOf(cell) === 0) cell--;
  return rankedIn(row, cell).at(-1)!;
}

/** Tokens of a cell, the most likely first. */
function rankedIn(row: Float32Array, cell: number): Float64Array {
  const keys = Float64Array.from(membersOf(cell), (token) => IDS * rankOf(row[token]!) + token);
  // Numbers alone are sorted several times as fast as by a comparison of ours.
  return keys.sort().map((key) => key % IDS);
}

/** More than there are token ids, and with 32 bits of rank a number that is exact. */
const IDS = 2 ** 21;

const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

/** A 32-bit number that is smaller for larger logits. */
function rankOf(logit: number): number {
  // Zero has two patterns of bits.
  float[0] = logit + 0;
  const pattern = bits[0]!;
  return pattern < 0 ? pattern >>> 0 : 0x7fffffff - pattern;
}
