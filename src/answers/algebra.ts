import { BOUNDS, Unknown, type Budget } from './bounds.ts';
import type { Expression } from './parse.ts';
import * as q from './rational.ts';
import type { Rational } from './rational.ts';

/**
 * Exact algebra: an expression becomes a quotient of two polynomials in a normal form, and two expressions are equal
 * if cross-multiplying leaves nothing. That decides identity at every point at once; trying a few points, as graders
 * do, can be fooled by a polynomial that vanishes at them.
 *
 * Polynomials have rational coefficients. Their atoms are variables; roots of primes with an exponent between 0 and 1
 * (square roots of different square-free numbers are linearly independent over the rationals, and so are higher roots:
 * Besicovitch 1940); and opaque atoms for everything else (sines, logarithms, roots of sums, letters in exponents),
 * which are equal only if they are spelt alike in normal form. So zero is always proved; "not zero" is proved only
 * without opaque atoms.
 */

/** Atom name to exponent: a positive integer for variables and opaque atoms, a proper fraction for roots of primes. */
interface Monomial {
  readonly atoms: ReadonlyMap<string, number>;
  readonly roots: ReadonlyMap<number, Rational>;
}

interface Term {
  readonly coefficient: Rational;
  readonly monomial: Monomial;
}

/** Terms by the key of their monomial; no coefficient is zero. */
export type Polynomial = ReadonlyMap<string, Term>;

export interface Quotient {
  readonly over: Polynomial;
  readonly under: Polynomial;
}

const UNIT: Monomial = { atoms: new Map(), roots: new Map() };
const OPAQUE = '@';
/** The polynomial 1. Denominators are this very object where they can be, so that most work on them falls away. */
const UNITY: Polynomial = new Map([['', { coefficient: q.ONE, monomial: UNIT }]]);

/** Evaluates with `either` nodes taken as `sign`. Throws `Unknown` for what is undefined, complex or too large. */
export function evaluate(expression: Expression, sign: 1 | -1, budget: Budget): Quotient {
  budget.spend(1);
  const go = (e: Expression): Quotient => evaluate(e, sign, budget);
  switch (expression.kind) {
    case 'number':
      return constant(expression.value);
    case 'variable':
      return atom(expression.name);
    case 'sum':
      return expression.terms.map(go).reduce((a, b) => addQuotients(a, b, budget));
    case 'negative':
      return scale(go(expression.of), q.rational(-1n), budget);
    case 'either': {
      const value = go(expression.of);
      return expression.sign * sign === 1 ? value : scale(value, q.rational(-1n), budget);
    }
    case 'product':
      return expression.factors.map(go).reduce((a, b) => multiplyQuotients(a, b, budget));
    case 'quotient':
      return multiplyQuotients(go(expression.over), inverse(go(expression.under)), budget);
    case 'power':
      return powerOf(go(expression.base), go(expression.exponent), budget);
    case 'call':
      return call(expression.name, expression.args.map(go), budget);
  }
}

/** Whether `a` and `b` are the same for all values of their atoms; exact. */
export function identical(a: Quotient, b: Quotient, budget: Budget): boolean {
  const left = multiplyPolynomials(a.over, b.under, budget);
  const right = multiplyPolynomials(b.over, a.under, budget);
  return addPolynomials(left, negate(right), budget).size === 0;
}

/** The value, if there are no atoms in it. */
export function rationalValue(a: Quotient): Rational | null {
  if (a.over.size === 0) return q.ZERO;
  const over = constantTerm(a.over);
  const under = constantTerm(a.under);
  return over === null || under === null || q.isZero(under) ? null : over.div(under);
}

export function hasOpaque(a: Quotient): boolean {
  for (const polynomial of [a.over, a.under]) {
    for (const { monomial } of polynomial.values()) {
      for (const name of monomial.atoms.keys()) if (name.startsWith(OPAQUE)) return true;
    }
  }
  return false;
}

export function isConstantDenominator(a: Quotient): boolean {
  return constantTerm(a.under) !== null;
}

/**
 * The rational r with a = r b for polynomials with constant denominators, `null` if there is none or either is zero.
 */
export function ratio(a: Quotient, b: Quotient, budget: Budget): Rational | null {
  const [first] = b.over;
  if (first === undefined || !isConstantDenominator(a) || !isConstantDenominator(b)) return null;
  const matching = a.over.get(first[0]);
  if (matching === undefined) return null;
  const r = q.divide(matching.coefficient, first[1].coefficient, budget);
  const rest = addPolynomials(a.over, scalePolynomial(b.over, r.neg(), budget), budget);
  if (rest.size > 0) return null;
  return r.mul(constantTerm(b.under)!).div(constantTerm(a.under)!);
}

export function subtract(a: Quotient, b: Quotient, budget: Budget): Quotient {
  return addQuotients(a, scale(b, q.rational(-1n), budget), budget);
}

function constant(value: Rational): Quotient {
  return {
    over: value.n === 0n ? new Map() : new Map([['', { coefficient: value, monomial: UNIT }]]),
    under: UNITY,
  };
}

function atom(name: string): Quotient {
  const monomial: Monomial = { atoms: new Map([[name, 1]]), roots: UNIT.roots };
  return { over: new Map([[keyOf(monomial), { coefficient: q.ONE, monomial }]]), under: UNITY };
}

function constantTerm(polynomial: Polynomial): Rational | null {
  if (polynomial.size !== 1) return null;
  return polynomial.get('')?.coefficient ?? null;
}

function keyOf(monomial: Monomial): string {
  const atoms = [...monomial.atoms].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, n]) => `${name}^${n}`);
  const roots = [...monomial.roots].sort(([a], [b]) => a - b).map(([p, e]) => `#${p}^${e.n}/${e.d}`);
  return [...atoms, ...roots].join('*');
}

function multiplyTerms(a: Term, b: Term, budget: Budget): Term {
  let coefficient = q.multiply(a.coefficient, b.coefficient, budget);
  const atoms = new Map(a.monomial.atoms);
  for (const [name, n] of b.monomial.atoms) atoms.set(name, (atoms.get(name) ?? 0) + n);
  const roots = new Map(a.monomial.roots);
  for (const [prime, exponent] of b.monomial.roots) {
    const sum = (roots.get(prime) ?? q.ZERO).add(exponent);
    if (sum.compare(1) < 0) {
      roots.set(prime, sum);
      continue;
    }
    coefficient = q.multiply(coefficient, q.rational(BigInt(prime)), budget);
    if (sum.equals(1)) roots.delete(prime);
    else roots.set(prime, sum.sub(1));
  }
  budget.spend(0.2 * (atoms.size + roots.size));
  return { coefficient, monomial: { atoms, roots } };
}

function multiplyPolynomials(a: Polynomial, b: Polynomial, budget: Budget): Polynomial {
  if (a === UNITY) return b;
  if (b === UNITY) return a;
  const out = new Map<string, Term>();
  for (const x of a.values()) for (const y of b.values()) addTerm(out, multiplyTerms(x, y, budget), budget);
  return out;
}

function addPolynomials(a: Polynomial, b: Polynomial, budget: Budget): Polynomial {
  const out = new Map(a);
  for (const term of b.values()) addTerm(out, term, budget);
  return out;
}

function addTerm(out: Map<string, Term>, term: Term, budget: Budget): void {
  budget.spend(1);
  const key = keyOf(term.monomial);
  const before = out.get(key);
  if (before === undefined) {
    out.set(key, term);
    if (out.size > BOUNDS.terms) throw new Unknown('too many terms');
    return;
  }
  const coefficient = q.add(before.coefficient, term.coefficient, budget);
  if (q.isZero(coefficient)) out.delete(key);
  else out.set(key, { coefficient, monomial: term.monomial });
}

function scalePolynomial(a: Polynomial, by: Rational, budget: Budget): Polynomial {
  if (q.isZero(by)) return new Map();
  return new Map(
    [...a].map(([key, t]) => [key, { ...t, coefficient: q.multiply(t.coefficient, by, budget) }] as const),
  );
}

function negate(a: Polynomial): Polynomial {
  return new Map([...a].map(([key, t]) => [key, { ...t, coefficient: t.coefficient.neg() }] as const));
}

function scale(a: Quotient, by: Rational, budget: Budget): Quotient {
  return { over: scalePolynomial(a.over, by, budget), under: a.under };
}

function addQuotients(a: Quotient, b: Quotient, budget: Budget): Quotient {
  if (a.under === b.under || keyOfPolynomial(a.under) === keyOfPolynomial(b.under)) {
    return { over: addPolynomials(a.over, b.over, budget), under: a.under };
  }
  return simplify(
    addPolynomials(
      multiplyPolynomials(a.over, b.under, budget),
      multiplyPolynomials(b.over, a.under, budget),
      budget,
    ),
    multiplyPolynomials(a.under, b.under, budget),
    budget,
  );
}

function multiplyQuotients(a: Quotient, b: Quotient, budget: Budget): Quotient {
  return simplify(
    multiplyPolynomials(a.over, b.over, budget),
    multiplyPolynomials(a.under, b.under, budget),
    budget,
  );
}

function inverse(a: Quotient): Quotient {
  if (a.over.size === 0) throw new Unknown('division by zero');
  return { over: a.under, under: a.over };
}

/** Clears coefficients and roots from a denominator of one term, so that constants come out as plain numbers. */
function simplify(over: Polynomial, under: Polynomial, budget: Budget): Quotient {
  if (under === UNITY || under.size !== 1) return { over, under };
  const [[key, term]] = under as unknown as [[string, Term]];
  if (key === '' && term.coefficient.equals(1)) return { over, under: UNITY };
  let coefficient = q.divide(q.ONE, term.coefficient, budget);
  const roots = new Map<number, Rational>();
  for (const [prime, exponent] of term.monomial.roots) {
    roots.set(prime, q.ONE.sub(exponent));
    coefficient = q.divide(coefficient, q.rational(BigInt(prime)), budget);
  }
  const factor: Term = { coefficient, monomial: { atoms: UNIT.atoms, roots } };
  const cleared = new Map<string, Term>();
  for (const t of over.values()) addTerm(cleared, multiplyTerms(t, factor, budget), budget);
  if (term.monomial.atoms.size === 0) return { over: cleared, under: UNITY };
  const monomial: Monomial = { atoms: term.monomial.atoms, roots: UNIT.roots };
  return { over: cleared, under: new Map([[keyOf(monomial), { coefficient: q.ONE, monomial }]]) };
}

function powerOf(base: Quotient, exponent: Quotient, budget: Budget): Quotient {
  const by = rationalValue(exponent);
  if (by === null) return opaque('power', [base, exponent], budget);
  if (q.isInteger(by)) {
    if (by.n > BigInt(BOUNDS.exponent)) throw new Unknown('exponent too large');
    return integerPower(base, Number(q.signedNumerator(by)), budget);
  }
  const value = rationalValue(base);
  if (value === null) return opaque('power', [base, exponent], budget);
  if (q.isZero(value)) {
    if (by.s < 0n) throw new Unknown('division by zero');
    return constant(q.ZERO);
  }
  return rootOf(value, by, budget);
}

function integerPower(base: Quotient, exponent: number, budget: Budget): Quotient {
  const value = rationalValue(base);
  if (value !== null) return constant(q.power(value, exponent, budget));
  if (exponent === 0) return constant(q.ONE);
  const simple = base.over.size === 1 && base.under.size === 1;
  if (Math.abs(exponent) > (simple ? BOUNDS.exponent : BOUNDS.sumExponent))
    throw new Unknown('exponent too large');
  let result = constant(q.ONE);
  let square = exponent < 0 ? inverse(base) : base;
  for (let n = Math.abs(exponent); n > 0; n = Math.floor(n / 2)) {
    if (n % 2 === 1) result = multiplyQuotients(result, square, budget);
    if (n > 1) square = multiplyQuotients(square, square, budget);
  }
  return result;
}

/** `value` to a fractional power, exact: its primes with fractional exponents. */
function rootOf(value: Rational, by: Rational, budget: Budget): Quotient {
  let sign = q.ONE;
  if (value.s < 0n) {
    // The real cube root of -8 is -2; an even root is complex, and (-8)^(2/3) is read in two ways.
    if (by.d % 2n === 0n || by.n !== 1n) throw new Unknown('a complex number');
    sign = q.rational(-1n);
  }
  if (by.d > 12n || by.n > 100n) throw new Unknown('exponent too large');
  let coefficient = sign;
  const roots = new Map<number, Rational>();
  for (const [whole, direction] of [
    [value.n, 1n],
    [value.d, -1n],
  ] as const) {
    for (const [prime, times] of factors(whole, budget)) {
      const exponent = by.mul(q.rational(BigInt(times) * direction));
      const floor = exponent.floor();
      const rest = exponent.sub(floor);
      coefficient = q.multiply(
        coefficient,
        q.power(q.rational(BigInt(prime)), Number(q.signedNumerator(floor)), budget),
        budget,
      );
      if (!q.isZero(rest)) roots.set(prime, rest);
    }
  }
  const monomial: Monomial = { atoms: UNIT.atoms, roots };
  return { over: new Map([[keyOf(monomial), { coefficient, monomial }]]), under: UNITY };
}

function factors(n: bigint, budget: Budget): Map<number, number> {
  if (n > BigInt(BOUNDS.radicand)) throw new Unknown('a root of a large number');
  const found = new Map<number, number>();
  let rest = Number(n);
  const take = (p: number): void => {
    while (rest % p === 0) {
      found.set(p, (found.get(p) ?? 0) + 1);
      rest /= p;
    }
  };
  take(2);
  let p = 3;
  for (; p * p <= rest; p += 2) take(p);
  budget.spend(p / 100);
  if (rest > 1) found.set(rest, 1);
  return found;
}

function call(name: string, args: readonly Quotient[], budget: Budget): Quotient {
  const values = args.map(rationalValue);
  if (values.every((v): v is Rational => v !== null)) {
    const exact = exactCall(name, values, budget);
    if (exact !== null) return constant(exact);
  }
  return opaque(name, args, budget);
}

function exactCall(name: string, values: readonly Rational[], budget: Budget): Rational | null {
  const [a, b] = values;
  if (a === undefined) return null;
  switch (name) {
    case 'abs':
      return a.abs();
    case 'floor':
      return a.floor();
    case 'ceil':
      return a.ceil();
    case 'factorial':
      if (!q.isInteger(a) || a.s < 0n || a.n > 170n) throw new Unknown('a factorial that is too large');
      return q.rational(falling(a.n, a.n, budget));
    case 'binom': {
      if (
        b === undefined ||
        !q.isInteger(a) ||
        !q.isInteger(b) ||
        a.s < 0n ||
        b.s < 0n ||
        a.n > 500n ||
        b.n > 170n
      )
        return null;
      return q.rational(falling(a.n, b.n, budget) / falling(b.n, b.n, budget));
    }
    case 'max':
    case 'min':
      return values.reduce((x, y) => (x.compare(y) > 0 === (name === 'max') ? x : y));
    case 'gcd':
    case 'lcm':
      if (values.some((v) => !q.isInteger(v) || v.n > 1_000_000_000_000n)) return null;
      return values.reduce((x, y) => (name === 'gcd' ? x.gcd(y) : x.lcm(y)));
    default:
      return null;
  }
}

/** n (n-1) ... over k factors. */
function falling(n: bigint, k: bigint, budget: Budget): bigint {
  budget.spend(Number(k) / 2);
  let product = 1n;
  for (let i = 0n; i < k; i++) product *= n - i;
  return product;
}

function opaque(name: string, args: readonly Quotient[], budget: Budget): Quotient {
  const spelling = `${OPAQUE}${name}(${args.map((arg) => `${keyOfPolynomial(arg.over)}:${keyOfPolynomial(arg.under)}`).join(';')})`;
  budget.spend(spelling.length / 50);
  if (spelling.length > 4_000) throw new Unknown('too much work to compare');
  return atom(spelling);
}

function keyOfPolynomial(a: Polynomial): string {
  return [...a]
    .map(([key, { coefficient }]) => `${q.signedNumerator(coefficient)}/${coefficient.d}${key}`)
    .sort()
    .join('+');
}
