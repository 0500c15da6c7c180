import { evaluate, hasOpaque, identical, ratio, rationalValue, subtract, type Quotient } from './algebra.ts';
import { BOUNDS, Budget, Unknown } from './bounds.ts';
import { cleanAnswer } from './clean.ts';
import { NO_HINTS, readHints, singular, type Hints } from './context.ts';
import { tryPoints } from './numeric.ts';
import type { Expression } from './parse.ts';
import { rational, type Rational } from './rational.ts';
import { plainInteger, readAnswer, type Answer } from './structure.ts';
import { ANGLE, mayBeUnit, PERCENT, sizesIn, type Unit } from './units.ts';

export type Verdict = 'equal' | 'different' | 'unknown';

export interface Comparison {
  readonly verdict: Verdict;
  /** Which rule decided, in a few words that may be shown ("same number"). */
  readonly rule: string;
}

/** What may settle an answer that can be read in two ways: the problem that was asked. */
export interface AnswerContext {
  readonly problem: string;
}

/**
 * Compares two final answers. Symmetric; equal for the same text; never throws; bounded work, so that any two
 * strings of 1,000 characters are settled within 5 ms. "unknown" where an answer is not understood, can be read in
 * two ways, or is past a bound: a false "equal" would be worse.
 *
 * The problem's text, where given, settles whether a bare list is a set, whether a percent sign matters, whether
 * `3,5` is a decimal, and which words are units.
 */
export function compareAnswers(a: string, b: string, context?: AnswerContext): Comparison {
  if (a.length > BOUNDS.characters || b.length > BOUNDS.characters) return unknown('too long to compare');
  try {
    // One order for both, so that the verdict cannot depend on it.
    const [first, second] = a <= b ? [a, b] : [b, a];
    const x = analyse(first);
    const y = analyse(second);
    if (x.text === '' || y.text === '') return unknown('nothing there');
    if (x.text === y.text) return equal('same text');
    const setting: Setting = {
      budget: new Budget(BOUNDS.work),
      hints: context === undefined ? NO_HINTS : hintsOf(context.problem),
    };
    const verdict = compare(x.answer, y.answer, setting);
    return verdict.rule === PERCENT_AGAINST_PLAIN ? withoutLatexPercent(first, second, setting) : verdict;
  } catch (error) {
    return unknown(error instanceof Unknown ? error.message : 'not understood');
  }
}

const PERCENT_AGAINST_PLAIN = 'percent against a plain number';

/**
 * The published graders drop `\%` but not `%`: answers in LaTeX are written as `50\%` or `50` for the same thing, while
 * in plain text 50% may as well stand for 0.5. So the LaTeX sign alone is dropped, and only where the numbers agree.
 */
function withoutLatexPercent(a: string, b: string, setting: Setting): Comparison {
  const [x, y] = [a, b].map((raw) => analyse(raw.replaceAll('\\%', '')));
  const verdict = compare(x!.answer, y!.answer, setting);
  return verdict.verdict === 'equal' ? equal('LaTeX percent sign dropped') : unknown(PERCENT_AGAINST_PLAIN);
}

/* ---- reading, remembered ---- */

interface Analysed {
  /** The cleaned text without white space that says nothing. */
  readonly text: string;
  readonly answer: Answer;
}

/** Voting compares the same few spellings again and again. */
const CACHE_SIZE = 256;
const analysed = new Map<string, Analysed>();
const hintsCache = new Map<string, Hints>();

function remember<T>(cache: Map<string, T>, key: string, make: () => T): T {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (cache.size >= CACHE_SIZE) cache.delete(cache.keys().next().value!);
  cache.set(key, made);
  return made;
}

function analyse(raw: string): Analysed {
  return remember(analysed, raw, () => {
    const cleaned = cleanAnswer(raw);
    const text = cleaned.replace(/ ?([-+*/=^(){}[\]<>]) ?/g, '$1');
    return { text, answer: readAnswer(cleaned) };
  });
}

function hintsOf(problem: string): Hints {
  return remember(hintsCache, problem, () => readHints(problem));
}

/* ---- verdicts ---- */

interface Setting {
  readonly budget: Budget;
  readonly hints: Hints;
}

function equal(rule: string): Comparison {
  return { verdict: 'equal', rule };
}
function different(rule: string): Comparison {
  return { verdict: 'different', rule };
}
function unknown(rule: string): Comparison {
  return { verdict: 'unknown', rule };
}

function compare(a: Answer, b: Answer, setting: Setting): Comparison {
  if (a.kind === 'opaque') return unknown(a.reason);
  if (b.kind === 'opaque') return unknown(b.reason);
  if (a.kind === 'quantity' && b.kind === 'quantity') return compareQuantities(a, b, setting);
  if (a.kind === 'list' && b.kind === 'list') return compareLists(a, b, setting);
  if (a.kind === 'tuple' && b.kind === 'tuple') return compareTuples(a, b, setting);
  if (a.kind === 'union' && b.kind === 'union') return compareUnions(a, b, setting);
  if (a.kind === 'matrix' && b.kind === 'matrix') return compareMatrices(a, b, setting);
  if (a.kind === 'relation' && b.kind === 'relation') return compareRelations(a, b, setting);
  if (a.kind === 'colon' && b.kind === 'colon') return compareColons(a, b, setting.hints);
  if (a.kind === 'based' && b.kind === 'based') return compareBased(a, b);
  if (a.kind === 'text' && b.kind === 'text') return compareTexts(a.words, b.words);
  return compareKinds(a, b, setting) ?? compareKinds(b, a, setting) ?? unknown('two kinds of answer');
}

/** Answers of different kinds, in one order; `null` if the rules say nothing. */
function compareKinds(a: Answer, b: Answer, setting: Setting): Comparison | null {
  if (a.kind === 'list' && b.kind === 'quantity') return compareListWithOne(a, b, setting);
  if (a.kind === 'tuple' && b.kind === 'quantity') {
    // (1,234) may be a number in brackets.
    const digits = a.items.map(plainInteger);
    const grouped = digits.every((n) => n !== null) && a.items.length <= 5;
    return grouped && a.items.length > 1 && mayBeThousands(digits.slice(1))
      ? unknown('a number in brackets or a tuple')
      : different('a tuple against one value');
  }
  if (a.kind === 'text' && b.kind === 'quantity') {
    const word = /^[a-z]{2,}$/.test(a.words) && !AMBIGUOUS_WORDS.has(a.words);
    return word && isNumber(b.value)
      ? different('a word against a number')
      : unknown('words against a value');
  }
  if (a.kind === 'based' && b.kind === 'quantity') {
    const value = exactValue(b.value, setting);
    if (value === null) return null;
    const same = value.equals(rational(inBase(a.digits, a.base))) || value.equals(rational(BigInt(a.digits)));
    return same ? unknown('another base') : different('different numbers');
  }
  return null;
}

function mayBeThousands(groups: readonly bigint[]): boolean {
  return groups.every((n) => n < 1000n) && groups.some((n) => n >= 100n || n === 0n);
}

/* ---- quantities ---- */

type Quantity = Answer & { kind: 'quantity' };

function compareQuantities(a: Quantity, b: Quantity, setting: Setting): Comparison {
  if (a.label !== null && b.label !== null && a.label !== b.label)
    return unknown('values of different letters');
  const { unit: ua } = a;
  const { unit: ub } = b;
  if (ua === null && ub === null) return compareExpressions(a.value, b.value, setting);
  if (ua !== null && ub !== null) return compareUnits(a, ua, b, ub, setting);
  return ua === null ? compareWithUnit(b, ub!, a, setting) : compareWithUnit(a, ua, b, setting);
}

function compareUnits(a: Quantity, ua: Unit, b: Quantity, ub: Unit, setting: Setting): Comparison {
  if (ua.dimension !== ub.dimension) {
    if (ua.words.length === 0 || ub.words.length === 0) return unknown('different units');
    // "18 eggs" and "18 duck eggs": the problem's own words.
    const values = compareExpressions(a.value, b.value, setting);
    const known = knownWords(ua, setting.hints) && knownWords(ub, setting.hints);
    return known && sharesWord(ua, ub)
      ? values
      : values.verdict === 'different'
        ? values
        : unknown('different units');
  }
  if (ua.factor.equals(ub.factor)) return compareExpressions(a.value, b.value, setting);
  const [x, y] = [convert(a.value, ua), convert(b.value, ub)];
  const values = compareExpressions(x, y, setting);
  return values.verdict === 'equal' ? equal('same after converting units') : values;
}

function convert(value: Expression, unit: Unit): Expression {
  return { kind: 'product', factors: [value, { kind: 'number', value: unit.factor }] };
}

/** A value with a unit against one without. */
function compareWithUnit(a: Quantity, unit: Unit, b: Quantity, setting: Setting): Comparison {
  const values = compareExpressions(a.value, b.value, setting);
  if (values.verdict === 'unknown') return values;
  if (unit.dimension === PERCENT) {
    if (values.verdict === 'equal') {
      return setting.hints.asksForPercent ? equal('same number of percent') : unknown(PERCENT_AGAINST_PLAIN);
    }
    const hundredth: Expression = {
      kind: 'quotient',
      over: a.value,
      under: { kind: 'number', value: rational(100n) },
    };
    const asShare = compareExpressions(hundredth, b.value, setting);
    return asShare.verdict === 'different' ? values : unknown(PERCENT_AGAINST_PLAIN);
  }
  if (unit.words.length > 0) {
    if (values.verdict === 'different') return values;
    return knownWords(unit, setting.hints)
      ? equal(`${values.rule}, unit dropped`)
      : unknown('a word that may be a unit');
  }
  if (values.verdict === 'equal') return equal(`${values.rule}, unit dropped`);
  if (unit.dimension === ANGLE && !isNumber(b.value)) return unknown('degrees against another measure');
  return mayConvert(a, unit, b, setting) ? unknown('the other may be in another unit') : values;
}

/** Whether the number without a unit is the other in a unit of the same dimension. */
function mayConvert(a: Quantity, unit: Unit, b: Quantity, setting: Setting): boolean {
  const x = exactValue(a.value, setting);
  const y = exactValue(b.value, setting);
  if (x === null || y === null || x.n === 0n || y.n === 0n) return false;
  const quotient = y.div(x);
  return sizesIn(unit.dimension).some((size) => quotient.equals(unit.factor.div(size)));
}

const FILLERS = new Set(
  'a an the of in per each every more left total altogether for to at on are is one all his her their its'.split(
    ' ',
  ),
);

/** Whether the problem itself speaks of these things. */
function knownWords(unit: Unit, hints: Hints): boolean {
  const content = unit.words.filter((word) => !FILLERS.has(word));
  return (
    content.length > 0 && content.every((word) => hints.words.has(word) || hints.words.has(singular(word)))
  );
}

function sharesWord(a: Unit, b: Unit): boolean {
  const words = new Set(a.words.filter((word) => !FILLERS.has(word)).map(singular));
  return b.words.some((word) => words.has(singular(word)));
}

/* ---- expressions ---- */

function compareExpressions(a: Expression, b: Expression, setting: Setting): Comparison {
  const { budget } = setting;
  const x = evaluate(a, 1, budget);
  const y = evaluate(b, 1, budget);
  const va = rationalValue(x);
  const vb = rationalValue(y);
  const namesA = variables(a);
  const namesB = variables(b);
  if (va !== null && vb !== null && namesA.size === 0 && namesB.size === 0) {
    return va.equals(vb) ? equal('same number') : different('different numbers');
  }
  if (namesA.has('infinity') || namesB.has('infinity')) return compareInfinities(a, b);
  const sameNames = [...namesA].every((name) => namesB.has(name)) && namesA.size === namesB.size;
  if (identical(x, y, budget)) {
    if (!sameNames) return unknown('same value, other letters');
    if ((hasOpaque(x) || hasOpaque(y)) && tryPoints(a, b, [...namesA], 1) !== 'agree') {
      return unknown('same form, but undefined where it was tried');
    }
    return equal(namesA.size === 0 ? 'same value' : 'same expression');
  }
  if (!sameNames) return compareOtherNames(a, namesA, b, namesB, hasOpaque(x) || hasOpaque(y));
  if (hasOpaque(x) || hasOpaque(y)) {
    return tryPoints(a, b, [...namesA].sort(), 1) === 'differ'
      ? different('different values')
      : unknown('cannot tell these expressions apart');
  }
  // i may be the imaginary unit, and e Euler's number: then other identities hold.
  if (namesA.has('i')) return compareComplex(x, y);
  return different(namesA.size === 0 ? 'different values' : 'different expressions');
}

function compareInfinities(a: Expression, b: Expression): Comparison {
  const sign = (e: Expression): number =>
    e.kind === 'negative' && e.of.kind === 'variable' && e.of.name === 'infinity'
      ? -1
      : e.kind === 'variable'
        ? 1
        : 0;
  const [x, y] = [infinite(a), infinite(b)];
  if (x && y)
    return sign(a) === 0 || sign(b) === 0
      ? unknown('infinite')
      : sign(a) === sign(b)
        ? equal('both infinite')
        : different('opposite infinities');
  const finite = x ? b : a;
  const plain = x ? sign(a) !== 0 : sign(b) !== 0;
  return plain && isNumber(finite) ? different('infinite against finite') : unknown('infinite');
}

function infinite(e: Expression): boolean {
  return variables(e).has('infinity');
}

/** Without powers of i above the first and without i below, real and imaginary parts are told apart by form. */
function compareComplex(x: Quotient, y: Quotient): Comparison {
  const linear = (q: Quotient): boolean =>
    [...q.over.values()].every((t) => (t.monomial.atoms.get('i') ?? 0) <= 1) &&
    [...q.under.values()].every((t) => !t.monomial.atoms.has('i'));
  return linear(x) && linear(y) ? different('different expressions') : unknown('complex numbers');
}

function compareOtherNames(
  a: Expression,
  namesA: ReadonlySet<string>,
  b: Expression,
  namesB: ReadonlySet<string>,
  opaque: boolean,
): Comparison {
  // Multiple-choice letters, and no other letters, are names in themselves.
  const choice = /^[A-H]$/;
  if (a.kind === 'variable' && b.kind === 'variable' && choice.test(a.name) && choice.test(b.name)) {
    return different('different choices');
  }
  const constant = namesA.size === 0 || namesB.size === 0;
  const names = [...namesA, ...namesB];
  if (!constant) return unknown('other letters');
  if (names.some(mayBeUnit)) return unknown('a letter that may be a unit');
  if (names.length === 1 && (names[0] === 'i' || names[0] === 'e')) return unknown('complex numbers');
  // sin^2 x + cos^2 x is 1: a letter in a form that is not decided may cancel.
  if (opaque && tryPoints(a, b, names.sort(), 1) !== 'differ')
    return unknown('cannot tell these expressions apart');
  return different('a number against an expression');
}

function variables(e: Expression, found = new Set<string>()): Set<string> {
  switch (e.kind) {
    case 'number':
      break;
    case 'variable':
      if (e.name !== 'pi') found.add(e.name);
      break;
    case 'negative':
    case 'either':
      variables(e.of, found);
      break;
    case 'sum':
      for (const term of e.terms) variables(term, found);
      break;
    case 'product':
      for (const factor of e.factors) variables(factor, found);
      break;
    case 'quotient':
      variables(e.over, found);
      variables(e.under, found);
      break;
    case 'power':
      variables(e.base, found);
      variables(e.exponent, found);
      break;
    case 'call':
      for (const arg of e.args) variables(arg, found);
      break;
  }
  return found;
}

function exactValue(e: Expression, setting: Setting): Rational | null {
  return variables(e).size > 0 ? null : rationalValue(evaluate(e, 1, setting.budget));
}

function isNumber(e: Expression): boolean {
  return (
    e.kind === 'number' ||
    (e.kind === 'negative' && isNumber(e.of)) ||
    (e.kind === 'quotient' && isNumber(e.over) && isNumber(e.under))
  );
}

/* ---- several values ---- */

type List = Answer & { kind: 'list' };

function compareLists(a: List, b: List, setting: Setting): Comparison {
  if (a.label !== null && b.label !== null && a.label !== b.label)
    return unknown('values of different letters');
  const ordered = a.items.length === b.items.length ? every(a.items, b.items, setting) : null;
  const unordered = contained(a.items, b.items, setting);
  const back = contained(b.items, a.items, setting);
  const sets = unordered === 'equal' && back === 'equal';
  // "x=3, y=4": the letters say which value is which, so that the order says nothing, and "3, 4" lacks something.
  const [lettered, otherLettered] = [hasLetters(a), hasLetters(b)];
  if (lettered !== otherLettered) return unknown('values with letters against values without');
  if (lettered && sets) return equal('same values of the same letters');
  if (a.how !== 'bare' && b.how !== 'bare') {
    if (sets) return equal('same set');
  } else if (a.how === 'bare' && b.how === 'bare') {
    if (ordered === 'equal') return equal('same list');
    if (sets && setting.hints.asksForSet && a.items.length === b.items.length)
      return equal('same set, as the problem asks');
    if (sets) return unknown('same values in another order');
    if (a.items.length !== b.items.length && (a.localised !== null || b.localised !== null))
      return unknown('a list or a decimal');
  } else {
    if (sets && (a.how === 'either' || b.how === 'either' || setting.hints.asksForSet))
      return equal('same set');
    if (sets) return unknown('a set against a list');
  }
  return unordered === 'different' || back === 'different'
    ? different('different values')
    : unknown('lists that may be equal');
}

function hasLetters(list: List): boolean {
  return list.items.some((item) => item.kind === 'quantity' && item.label !== null);
}

/** Item by item. */
function every(a: readonly Answer[], b: readonly Answer[], setting: Setting): Verdict {
  let verdict: Verdict = 'equal';
  for (const [i, item] of a.entries()) {
    const one = guarded(item, b[i]!, setting);
    if (one === 'different') return 'different';
    if (one === 'unknown') verdict = 'unknown';
  }
  return verdict;
}

/** `equal` if each of `a` is among `b`, `different` if one is surely not. */
function contained(a: readonly Answer[], b: readonly Answer[], setting: Setting): Verdict {
  let verdict: Verdict = 'equal';
  for (const item of a) {
    let best: Verdict = 'different';
    for (const other of b) {
      const one = guarded(item, other, setting);
      if (one === 'equal') {
        best = 'equal';
        break;
      }
      if (one === 'unknown') best = 'unknown';
    }
    if (best === 'different') return 'different';
    if (best === 'unknown') verdict = 'unknown';
  }
  return verdict;
}

function guarded(a: Answer, b: Answer, setting: Setting): Verdict {
  setting.budget.spend(1);
  return compare(a, b, setting).verdict;
}

function compareListWithOne(a: List, b: Quantity, setting: Setting): Comparison {
  if (a.localised !== null) {
    const value = exactValue(b.value, setting);
    if (value !== null && value.equals(a.localised)) {
      return setting.hints.decimalComma
        ? equal('same number, decimal comma')
        : unknown('a list or a decimal comma');
    }
  }
  const whole = contained([b], a.items, setting);
  const digits = a.items.map(plainInteger);
  if (a.how === 'bare' && digits.every((n) => n !== null) && mayBeThousands(digits.slice(1))) {
    return unknown('a list or a number with its thousands apart');
  }
  if (a.items.length > 1) {
    // Both signs of zero, or a list of one value said twice.
    return contained(a.items, [b], setting) === 'different'
      ? different('several values against one')
      : unknown('several values against one');
  }
  return whole === 'different' ? different('different values') : unknown('a set against its one value');
}

function compareTuples(
  a: Answer & { kind: 'tuple' },
  b: Answer & { kind: 'tuple' },
  setting: Setting,
): Comparison {
  if (a.items.length !== b.items.length) return different('different lengths');
  const verdict = every(a.items, b.items, setting);
  if (verdict === 'different') return different('different values');
  if (a.open !== b.open || a.close !== b.close) {
    // Vectors are written with several brackets; of ( and [ each means something else.
    const plain = [a.open, b.open].every((c) => c === '(' || c === '[');
    return plain ? different('different brackets') : unknown('different brackets');
  }
  return verdict === 'equal' ? equal('same values in order') : unknown('values that may be equal');
}

function compareUnions(
  a: Answer & { kind: 'union' },
  b: Answer & { kind: 'union' },
  setting: Setting,
): Comparison {
  const same =
    a.parts.length === b.parts.length &&
    contained(a.parts, b.parts, setting) === 'equal' &&
    contained(b.parts, a.parts, setting) === 'equal';
  // [0,1] with [1,2] is [0,2]: other parts prove nothing.
  return same ? equal('same union') : unknown('unions of other parts');
}

function compareMatrices(
  a: Answer & { kind: 'matrix' },
  b: Answer & { kind: 'matrix' },
  setting: Setting,
): Comparison {
  const shape = (rows: readonly (readonly Answer[])[]): string => rows.map((row) => row.length).join(',');
  if (shape(a.rows) !== shape(b.rows)) return different('different sizes');
  const verdict = every(a.rows.flat(), b.rows.flat(), setting);
  if (verdict === 'unknown') return unknown('values that may be equal');
  return verdict === 'equal' ? equal('same matrix') : different('different values');
}

/* ---- relations, times, bases, words ---- */

type Relation = Answer & { kind: 'relation' };

/** Two equations or inequalities are the same if one is the other times a number that is not zero (for "<": positive). */
function compareRelations(a: Relation, b: Relation, setting: Setting): Comparison {
  const { budget } = setting;
  const side = (r: Relation): Quotient =>
    subtract(evaluate(r.left, 1, budget), evaluate(r.right, 1, budget), budget);
  const [x, y] = [side(a), side(b)];
  const names = (r: Relation): string => [...variables(r.left), ...variables(r.right)].sort().join(' ');
  if (new Set(names(a).split(' ')).size !== new Set(names(b).split(' ')).size)
    return unknown('other letters');
  const factor = ratio(x, y, budget);
  if (factor === null) return unknown('relations that may be equal');
  const directed = a.operator === '<' || a.operator === '<=';
  if (a.operator !== b.operator) return unknown('different relations');
  if (directed && factor.s < 0n) return different('opposite relations');
  return equal('same relation');
}

type Colon = Answer & { kind: 'colon' };

function compareColons(a: Colon, b: Colon, hints: Hints): Comparison {
  if (a.half !== null || b.half !== null) {
    if (a.minutes === null || b.minutes === null) return unknown('a time of day against a ratio');
    if (a.half !== null && b.half !== null)
      return a.minutes === b.minutes ? equal('same time') : different('different times');
    // 15:30 is 3:30 pm; 3:30 may be either half of the day.
    const [open, fixed] = a.half === null ? [a, b] : [b, a];
    if (open.minutes! >= 13 * 60)
      return open.minutes === fixed.minutes ? equal('same time') : different('different times');
    return (open.minutes! - fixed.minutes!) % (12 * 60) === 0
      ? unknown('a time without am or pm')
      : different('different times');
  }
  if (a.parts.length !== b.parts.length) return unknown('a ratio or a time');
  if (a.parts.every((part, i) => part.equals(b.parts[i]!))) return equal('same parts');
  const [x, y] = [a.parts, b.parts];
  const proportional =
    x.every((part, i) => part.mul(y[0]!).equals(y[i]!.mul(x[0]!))) && x[0]!.n !== 0n && y[0]!.n !== 0n;
  if (!proportional) return different('different parts');
  const mayBeTimes = (a.minutes !== null && b.minutes !== null) || a.parts.length === 3;
  if (!mayBeTimes || (hints.asksForRatio && !hints.asksForTime)) return equal('same ratio');
  return hints.asksForTime && !hints.asksForRatio ? different('different times') : unknown('ratios or times');
}

type Based = Answer & { kind: 'based' };

function compareBased(a: Based, b: Based): Comparison {
  if (a.base === b.base)
    return a.digits === b.digits ? equal('same digits and base') : different('different numbers');
  return inBase(a.digits, a.base) === inBase(b.digits, b.base)
    ? unknown('same number in another base')
    : different('different numbers');
}

function inBase(digits: string, base: number): bigint {
  let value = 0n;
  for (const digit of digits) value = value * BigInt(base) + BigInt(digit);
  return value;
}

/** Words that may stand for one another, or for a value. */
const AMBIGUOUS_WORDS = new Set(
  'yes no true false none nothing never always undefined infinity infinite zero impossible all any empty noon midnight'.split(
    ' ',
  ),
);

function compareTexts(a: string, b: string): Comparison {
  if (a === b) return equal('same words');
  const single = [a, b].every((word) => /^\p{L}{2,}$/u.test(word) && !AMBIGUOUS_WORDS.has(word));
  // "Mon" and "Monday", "triangle" and "triangles" may be one.
  const related = a.startsWith(b) || b.startsWith(a) || [...a].sort().join('') === [...b].sort().join('');
  return single && !related ? different('different words') : unknown('words that may mean the same');
}
