import Fraction from 'fraction.js';
import { BOUNDS, Unknown, type Budget } from './bounds.ts';

/**
 * Exact rational arithmetic with bounded size: fraction.js does the sums, this file counts their cost and refuses
 * what is too large.
 */
export type Rational = Fraction;

export const ZERO: Rational = new Fraction(0n, 1n);
export const ONE: Rational = new Fraction(1n, 1n);

export function rational(numerator: bigint, denominator: bigint = 1n): Rational {
  if (denominator === 0n) throw new Unknown('division by zero');
  return new Fraction(numerator, denominator);
}

export function isZero(a: Rational): boolean {
  return a.n === 0n;
}

export function isInteger(a: Rational): boolean {
  return a.d === 1n;
}

/** The numerator with its sign. */
export function signedNumerator(a: Rational): bigint {
  return a.s * a.n;
}

export function add(a: Rational, b: Rational, budget: Budget): Rational {
  charge(a, b, budget);
  return fits(a.add(b));
}

export function multiply(a: Rational, b: Rational, budget: Budget): Rational {
  charge(a, b, budget);
  return fits(a.mul(b));
}

export function divide(a: Rational, b: Rational, budget: Budget): Rational {
  if (isZero(b)) throw new Unknown('division by zero');
  charge(a, b, budget);
  return fits(a.div(b));
}

/** `a` to an integer power. */
export function power(a: Rational, exponent: number, budget: Budget): Rational {
  if (Math.abs(exponent) > BOUNDS.exponent) throw new Unknown('exponent too large');
  if (exponent === 0) {
    if (isZero(a)) throw new Unknown('zero to the power of zero');
    return ONE;
  }
  const size = Math.max(bits(a.n), bits(a.d));
  if (size * Math.abs(exponent) > BOUNDS.bits + Math.abs(exponent)) throw new Unknown('number too large');
  budget.spend(1 + (size * Math.abs(exponent)) / 64);
  const k = BigInt(Math.abs(exponent));
  const n = signedNumerator(a) ** k;
  const d = a.d ** k;
  if (exponent > 0) return fits(rational(n, d));
  return fits(n < 0n ? rational(-d, -n) : rational(d, n));
}

/** Bits of a non-negative integer, rounded up to whole hexadecimal digits. */
function bits(n: bigint): number {
  return n <= 0xffff_ffffn ? 33 - Math.clz32(Number(n)) : n.toString(16).length * 4;
}

/** Cancelling common factors takes time quadratic in the number of bits. */
function charge(a: Rational, b: Rational, budget: Budget): void {
  const words = (bits(a.n) + bits(a.d) + bits(b.n) + bits(b.d)) / 64;
  budget.spend(1 + words * words * 0.1);
}

function fits(a: Rational): Rational {
  if (bits(a.n) > BOUNDS.bits || bits(a.d) > BOUNDS.bits) throw new Unknown('number too large');
  return a;
}
