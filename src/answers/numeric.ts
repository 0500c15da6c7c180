import type { Expression } from './parse.ts';

/**
 * Floating-point evaluation, used only to show that two expressions differ (never that they are equal).
 */

/** Past this size, rounding could fake a difference. */
const HUGE = 1e9;
/** Relative difference that rounding cannot make at values below `HUGE`. */
const CLEAR = 1e-5;

/** Points at which variables are tried: the k-th variable takes the value at (k + shift). Not special for any function. */
const POINTS = [0.731, 1.382, 2.617, 0.457, 1.913, 3.271, 1.147, 2.239];

/**
 * - `differ`: at some point both are defined and clearly unequal.
 * - `agree`: both are defined somewhere, and close wherever they are. No proof of equality.
 * - `undefined`: no point at which both are defined, real and of moderate size.
 */
export function tryPoints(
  a: Expression,
  b: Expression,
  names: readonly string[],
  sign: 1 | -1,
): 'differ' | 'agree' | 'undefined' {
  let defined = false;
  const rounds = names.length === 0 ? 1 : 4;
  for (let shift = 0; shift < rounds; shift++) {
    const at = new Map(names.map((name, k) => [name, POINTS[(k + shift) % POINTS.length]! + k * 0.05]));
    const x = valueOf(a, at, sign);
    const y = valueOf(b, at, sign);
    if (Number.isNaN(x) || Number.isNaN(y)) continue;
    defined = true;
    if (Math.abs(x - y) > CLEAR * Math.max(1e-3, Math.abs(x), Math.abs(y))) return 'differ';
  }
  return defined ? 'agree' : 'undefined';
}

/** NaN stands for undefined, complex or huge, at any place in the tree. */
export function valueOf(e: Expression, at: ReadonlyMap<string, number>, sign: 1 | -1): number {
  const go = (x: Expression): number => valueOf(x, at, sign);
  const value = raw(e, at, sign, go);
  return Math.abs(value) < HUGE ? value : NaN;
}

function raw(
  e: Expression,
  at: ReadonlyMap<string, number>,
  sign: 1 | -1,
  go: (x: Expression) => number,
): number {
  switch (e.kind) {
    case 'number':
      return e.value.valueOf();
    case 'variable':
      return e.name === 'pi' ? Math.PI : e.name === 'e' ? Math.E : (at.get(e.name) ?? NaN);
    case 'sum':
      return e.terms.reduce((total, term) => total + go(term), 0);
    case 'negative':
      return -go(e.of);
    case 'either':
      return sign * e.sign * go(e.of);
    case 'product':
      return e.factors.reduce((total, factor) => total * go(factor), 1);
    case 'quotient': {
      const under = go(e.under);
      return Math.abs(under) < 1e-6 ? NaN : go(e.over) / under;
    }
    case 'power': {
      const base = go(e.base);
      const exponent = go(e.exponent);
      if (base === 0 && exponent <= 0) return NaN;
      return base ** exponent;
    }
    case 'call':
      return call(e.name, e.args.map(go));
  }
}

function call(name: string, args: readonly number[]): number {
  const [a = NaN, b = NaN] = args;
  if (args.some(Number.isNaN)) return NaN;
  switch (name) {
    case 'sin':
    case 'cos':
    case 'tan':
    case 'sinh':
    case 'cosh':
    case 'tanh':
    case 'abs':
      return Math[name](a);
    case 'cot':
      return 1 / Math.tan(a);
    case 'sec':
      return 1 / Math.cos(a);
    case 'csc':
      return 1 / Math.sin(a);
    case 'arcsin':
      return Math.asin(a);
    case 'arccos':
      return Math.acos(a);
    case 'arctan':
      return Math.atan(a);
    case 'ln':
      return Math.log(a);
    case 'logbase':
      return Math.log(b) / Math.log(a);
    default:
      // `log` has a base of its own in every book; rounding functions jump.
      return NaN;
  }
}
