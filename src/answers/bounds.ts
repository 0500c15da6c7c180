/**
 * Bounds on one comparison. Answers come from models, files and links, so that every kind of work is counted and
 * cut off; past a bound the verdict is "unknown". Work is counted, not timed: the same two answers must always get
 * the same verdict, on a slow machine too.
 */
export const BOUNDS = {
  /** Characters of one answer. */
  characters: 1_000,
  /** Characters after Unicode and LaTeX are brought to one form, which may lengthen them. */
  cleanedCharacters: 2_000,
  /** Words, numbers and signs of one answer. */
  tokens: 400,
  /** Levels of brackets, fractions, roots and exponents inside one another. */
  nesting: 50,
  /** Digits of one number as written. */
  digits: 300,
  /** Size of an integer exponent of a number. */
  exponent: 2_000,
  /** Size of an integer exponent of a sum. */
  sumExponent: 40,
  /** Bits of a numerator or a denominator. */
  bits: 2_048,
  /** Terms of a polynomial. */
  terms: 300,
  /** Work units of evaluating one answer, and of one comparison on top; one unit is about a microsecond. */
  work: 1_200,
  /** Numbers whose roots are taken exactly; factoring is by trial division. */
  radicand: 1_000_000_000,
  /** Items of a list, and cells of a matrix. */
  items: 50,
} as const;

/** Thrown inside this folder where the only honest verdict is "unknown"; `message` says why, in a few words. */
export class Unknown extends Error {
  override readonly name = 'Unknown';
}

/** Counts work down; throws `Unknown` when it is used up. */
export class Budget {
  private left: number;

  constructor(units: number) {
    this.left = units;
  }

  spend(units: number): void {
    this.left -= units;
    if (this.left < 0) throw new Unknown('too much work to compare');
  }
}
