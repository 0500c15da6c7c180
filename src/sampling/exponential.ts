/** Cells of the table per unit of the argument. A power of two, so that a cell's edge is exact. */
const CELLS = 64;

/**
 * Where the exponential is taken to be 0: e^-40 is 4e-18, less than the last bit of a sum that begins with 1, and far
 * less than the step of the random numbers that choose a token.
 */
export const LEAST_EXPONENT = -40;

/** Number of cells that cover [LEAST_EXPONENT, 0]. */
export const CELL_COUNT = -LEAST_EXPONENT * CELLS + 1;

/** e at the upper edge of each cell. */
const EDGES = Float64Array.from({ length: CELL_COUNT }, (_, cell) => Math.exp(-cell / CELLS));

/**
 * The cell of an exponent: larger exponents have smaller cells, 0 has cell 0.
 *
 * @param x a number in [LEAST_EXPONENT, 0]
 */
export function cellOf(x: number): number {
  return (-x * CELLS) | 0;
}

/** A number that is below all exponents of a cell. */
export function leastOf(cell: number): number {
  return -(cell + 1) / CELLS;
}

/**
 * e^x for x in [LEAST_EXPONENT, 0] and its cell, to a relative error of 1e-13: a table and a polynomial for the rest.
 * A vocabulary of 150,000 tokens asks for millions of exponentials a step, and Math.exp takes several times as long.
 */
export function exponential(x: number, cell: number): number {
  const r = x + cell / CELLS;
  return EDGES[cell]! * (1 + r * (1 + r * (1 / 2 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120))))));
}
