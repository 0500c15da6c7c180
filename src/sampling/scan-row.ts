import program from './scan-row.wat';

/**
 * The exponent at which e^x is taken to be 0: e^-40 is 4e-18, less than the last bit of a sum that begins with 1, and
 * far less than the step of the random numbers that choose a token. A number in scan-row.wat.
 */
export const LEAST_EXPONENT = -40;

/** Cells of likelihood per unit of the exponent; a number in scan-row.wat. */
const CELLS_PER_UNIT = 64;

/** Number of cells; smaller exponents have larger cells, 0 has cell 0. */
export const CELL_COUNT = -LEAST_EXPONENT * CELLS_PER_UNIT;

/** A number that is below all exponents of a cell, rounding included. */
export function leastOf(cell: number): number {
  return -(cell + 1.01) / CELLS_PER_UNIT;
}

/** What scan-row.wat exports. Places are offsets in bytes into its memory, sizes are multiples of 8. */
interface Scans {
  readonly memory: WebAssembly.Memory;
  largest(row: number, size: number): number;
  weigh(row: number, size: number, max: number, scale: number, floor: number, weights: number): void;
  sum(weights: number, size: number): number;
  find_cells(row: number, size: number, max: number, scale: number, cells: number): void;
  add_to_cells(cells: number, weights: number, size: number, sums: number): void;
  members_of(cells: number, size: number, cell: number, found: number): number;
}

const scans = new WebAssembly.Instance(new WebAssembly.Module(program)).exports as unknown as Scans;

const PAGE = 65_536;
/** Float64 of a cell: mass and number of some of its tokens, and of the others. One more cell is out of reach. */
const SUMS = 4;
const SUMS_LENGTH = SUMS * (CELL_COUNT + 1);

/** Where things lie: the cells' sums at 0, then for each token its logit, its weight, its cell and a place in a list. */
const ROW = 8 * SUMS_LENGTH;
const weightsAt = (): number => ROW + 4 * room;
const cellsAt = (): number => ROW + 8 * room;
const foundAt = (): number => ROW + 10 * room;
const end = (): number => ROW + 14 * room;

/** Tokens that there is room for. */
let room = 0;
/** Tokens of the row, those that pad it included. */
let size = 0;
let row = new Float32Array(0);
let found = new Int32Array(0);
let sums = new Float64Array(0);

function makeRoom(least: number): void {
  room = least;
  const { memory } = scans;
  const missing = Math.ceil((end() - memory.buffer.byteLength) / PAGE);
  if (missing > 0) memory.grow(missing);
  // Growing takes the memory from under the views.
  row = new Float32Array(memory.buffer, ROW, room);
  found = new Int32Array(memory.buffer, foundAt(), room);
  sums = new Float64Array(memory.buffer, 0, SUMS_LENGTH);
}

/**
 * Takes a row of logits. The functions below speak of the row that was taken last: there is one place for it, since a
 * row is done with before the next is looked at.
 *
 * @returns the largest logit; NaN if one is not a number
 */
export function takeRow(logits: Float32Array): number {
  size = Math.ceil(logits.length / 8) * 8;
  if (size > room) makeRoom(size);
  row.set(logits);
  row.fill(-Infinity, logits.length, size);
  return scans.largest(ROW, size);
}

/**
 * Weighs the row's tokens: e^((logit - max) / temperature), and 0 for those for which logit - max is less than `floor`.
 * Relative error 3e-7. The weights hold until the next call.
 */
export function weigh(max: number, temperature: number, floor: number): void {
  scans.weigh(ROW, size, max, 1 / temperature, floor, weightsAt());
}

/** Sum of the weights from one index to another, multiples of 4, or the row's end. */
export function sumOfWeights(from: number, to: number): number {
  return scans.sum(weightsAt() + 4 * from, Math.min(to, size) - from);
}

/**
 * Sorts the row's tokens into cells of nearly equal likelihood, by the temperature that they are weighed at; those that
 * no draw can reach are in none.
 */
export function sortIntoCells(max: number, temperature: number): void {
  sums.fill(0);
  scans.find_cells(ROW, size, max, 1 / temperature, cellsAt());
  scans.add_to_cells(cellsAt(), weightsAt(), size, 0);
}

/** Number of a cell's tokens. */
export function countOf(cell: number): number {
  return sums[SUMS * cell + 1]! + sums[SUMS * cell + 3]!;
}

/** Sum of the weights of a cell's tokens. */
export function massOf(cell: number): number {
  return sums[SUMS * cell]! + sums[SUMS * cell + 2]!;
}

/** A cell's tokens by id. The list holds until the next call. */
export function membersOf(cell: number): Int32Array {
  return found.subarray(0, scans.members_of(cellsAt(), size, cell, foundAt()));
}
