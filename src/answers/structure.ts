import { BOUNDS, Budget, Unknown } from './bounds.ts';
import { parseExpression, type Expression } from './parse.ts';
import { isInteger, multiply, rational, type Rational } from './rational.ts';
import { tokenize, type Token } from './tokens.ts';
import { ANGLE, isUnitWord, ownUnit, perUnit, unitOf, wordUnit, type Unit } from './units.ts';
import { changesNumber, multiplier, readNumberWords } from './words.ts';

/** What an answer is, before it is compared. */
export type Answer =
  /** An expression, with its unit, and the letter it was said to be equal to ("x = 5"). */
  | {
      readonly kind: 'quantity';
      readonly value: Expression;
      readonly unit: Unit | null;
      readonly label: string | null;
    }
  /** `set` in braces, `either` from plus-minus, `bare` separated by commas; `localised`: the decimal that "3,5" may be. */
  | {
      readonly kind: 'list';
      readonly how: 'set' | 'either' | 'bare';
      readonly items: readonly Answer[];
      readonly label: string | null;
      readonly localised: Rational | null;
    }
  /** A point, vector or interval; brackets as written. */
  | {
      readonly kind: 'tuple';
      readonly open: string;
      readonly close: string;
      readonly items: readonly Answer[];
    }
  | { readonly kind: 'union'; readonly parts: readonly Answer[] }
  | { readonly kind: 'matrix'; readonly rows: readonly (readonly Answer[])[] }
  | {
      readonly kind: 'relation';
      readonly operator: '=' | '<' | '<=' | '!=';
      readonly left: Expression;
      readonly right: Expression;
    }
  /** a:b or a:b:c. `minutes`: the time of day or duration that it may be, `half` am or pm. */
  | {
      readonly kind: 'colon';
      readonly parts: readonly Rational[];
      readonly minutes: number | null;
      readonly half: 'am' | 'pm' | null;
    }
  /** Digits in a base that is written with them: 52_8. */
  | { readonly kind: 'based'; readonly digits: string; readonly base: number }
  /** Words in lower case, without punctuation. */
  | { readonly kind: 'text'; readonly words: string }
  | { readonly kind: 'opaque'; readonly reason: string };

const CURRENCY: Readonly<Record<string, string>> = {
  dollar: 'dollar',
  euro: 'euro',
  poundsterling: 'gbp',
  yen: 'yen',
  rupee: 'rupee',
};
const RELATIONS: Readonly<Record<string, string>> = {
  le: '<=',
  leq: '<=',
  leqslant: '<=',
  ge: '>=',
  geq: '>=',
  geqslant: '>=',
  ne: '!=',
  neq: '!=',
  lt: '<',
  gt: '>',
};
const MATRICES = new Set(['pmatrix', 'bmatrix', 'matrix', 'smallmatrix']);

/** Reads a cleaned answer. Never throws: what is not understood is `opaque`. */
export function readAnswer(cleaned: string): Answer {
  try {
    return read(tokenize(cleaned), 0);
  } catch (error) {
    // Anything but an Unknown would be a bug of ours or an engine limit; "unknown" is the honest verdict all the same.
    return { kind: 'opaque', reason: error instanceof Unknown ? error.message : 'not understood' };
  }
}

function read(tokens: readonly Token[], depth: number): Answer {
  if (tokens.length === 0) throw new Unknown('nothing there');
  if (depth > 8) throw new Unknown('nested too deeply');
  const words = numberInWords(tokens);
  if (words !== null) return words;
  const text = plainText(tokens);
  if (text !== null && !text.includes(' and ') && !text.includes(' or ')) {
    const quantity = attempt(() => readQuantity(tokens));
    return quantity ?? { kind: 'text', words: text };
  }
  const all = splitTop(tokens, isSeparator);
  // ", and" is one separator; a list that begins or ends with one lacks something.
  const parts = all.filter((part) => part.length > 0);
  if (all[0]!.length === 0 || all.at(-1)!.length === 0) throw new Unknown('something is missing');
  if (parts.length > 1) {
    if (parts.length > BOUNDS.items) throw new Unknown('a long list');
    return readList(tokens, parts, depth);
  }
  return readSingle(tokens, depth);
}

/** Undoes what is not understood: the caller has another reading. */
function attempt<T>(reading: () => T): T | null {
  try {
    return reading();
  } catch (error) {
    if (error instanceof Unknown) return null;
    throw error;
  }
}

/* ---- lists ---- */

function isSeparator(token: Token): boolean {
  if (token.kind === 'sign') return token.text === ',' || token.text === ';';
  return token.kind === 'word' && (token.text === 'and' || token.text === 'or');
}

function readList(tokens: readonly Token[], parts: readonly (readonly Token[])[], depth: number): Answer {
  let items = parts.map((part) => read(part, depth + 1)).flatMap(flattenEither);
  const labels = items.map((item) => (item.kind === 'quantity' ? item.label : null));
  let label: string | null = null;
  if (labels.some((l) => l !== null)) {
    const same = labels.every((l) => l === labels[0]);
    const firstOnly = labels.slice(1).every((l) => l === null);
    if (same || firstOnly) {
      label = labels[0]!;
      items = items.map((item) => (item.kind === 'quantity' ? { ...item, label: null } : item));
    } else if (labels.includes(null) || new Set(labels).size < labels.length) {
      throw new Unknown('not understood');
    }
  }
  return { kind: 'list', how: 'bare', items, label, localised: localisedDecimal(tokens) };
}

function flattenEither(answer: Answer): readonly Answer[] {
  return answer.kind === 'list' && answer.how === 'either' ? answer.items : [answer];
}

/** "3,5" and "-3,50" may be decimals in another locale. */
function localisedDecimal(tokens: readonly Token[]): Rational | null {
  const negative = tokens[0]?.kind === 'sign' && tokens[0].text === '-';
  const [whole, comma, fraction, ...rest] = negative ? tokens.slice(1) : tokens;
  if (whole?.kind !== 'number' || comma?.text !== ',' || fraction?.kind !== 'number' || rest.length > 0)
    return null;
  if (comma.spaced || fraction.spaced || !/^\d+$/.test(whole.text) || !/^\d+$/.test(fraction.text))
    return null;
  const value = rational(BigInt(whole.text + fraction.text), 10n ** BigInt(fraction.text.length));
  return negative ? value.neg() : value;
}

/* ---- one answer ---- */

function readSingle(tokens: readonly Token[], depth: number): Answer {
  const unions = splitTop(
    tokens,
    (token, i) => (token.kind === 'command' && token.text === 'cup') || isUnionLetter(tokens, token, i),
  );
  if (unions.length > 1) {
    return { kind: 'union', parts: unions.map((part) => readSingle(part, depth + 1)) };
  }
  const enclosed = readEnclosed(tokens, depth);
  if (enclosed !== null) return enclosed;
  const matrix = readMatrix(tokens, depth);
  if (matrix !== null) return matrix;
  const relation = readRelation(tokens, depth);
  if (relation !== null) return relation;
  const colon = readColon(tokens);
  if (colon !== null) return colon;
  const based = readBased(tokens);
  if (based !== null) return based;
  return expandEither(readQuantity(tokens));
}

/** A letter U between two intervals. */
function isUnionLetter(tokens: readonly Token[], token: Token, i: number): boolean {
  const before = tokens[i - 1]?.text ?? '';
  const after = tokens[i + 1]?.text ?? '';
  return (
    token.kind === 'word' &&
    token.text === 'U' &&
    [')', ']', '}'].includes(before) &&
    ['(', '[', '{'].includes(after)
  );
}

function expandEither(answer: Answer & { kind: 'quantity' }): Answer {
  if (!containsEither(answer.value)) return answer;
  const items = ([1, -1] as const).map((sign): Answer => ({
    ...answer,
    label: null,
    value: settleEither(answer.value, sign),
  }));
  return { kind: 'list', how: 'either', items, label: answer.label, localised: null };
}

function containsEither(e: Expression): boolean {
  switch (e.kind) {
    case 'number':
    case 'variable':
      return false;
    case 'either':
      return true;
    case 'negative':
      return containsEither(e.of);
    case 'sum':
      return e.terms.some(containsEither);
    case 'product':
      return e.factors.some(containsEither);
    case 'quotient':
      return containsEither(e.over) || containsEither(e.under);
    case 'power':
      return containsEither(e.base) || containsEither(e.exponent);
    case 'call':
      return e.args.some(containsEither);
  }
}

/** All plus-minus signs of one expression go together. */
function settleEither(e: Expression, sign: 1 | -1): Expression {
  const go = (x: Expression): Expression => settleEither(x, sign);
  switch (e.kind) {
    case 'number':
    case 'variable':
      return e;
    case 'either':
      return e.sign * sign === 1 ? go(e.of) : { kind: 'negative', of: go(e.of) };
    case 'negative':
      return { kind: 'negative', of: go(e.of) };
    case 'sum':
      return { kind: 'sum', terms: e.terms.map(go) };
    case 'product':
      return { kind: 'product', factors: e.factors.map(go) };
    case 'quotient':
      return { kind: 'quotient', over: go(e.over), under: go(e.under) };
    case 'power':
      return { kind: 'power', base: go(e.base), exponent: go(e.exponent) };
    case 'call':
      return { kind: 'call', name: e.name, args: e.args.map(go) };
  }
}

/** Sets, tuples and intervals: one pair of brackets around everything. */
function readEnclosed(tokens: readonly Token[], depth: number): Answer | null {
  const first = tokens[0]!;
  const last = tokens.at(-1)!;
  const open = bracket(first);
  const close = bracket(last);
  if (
    first.kind === 'command' &&
    (first.text === 'emptyset' || first.text === 'varnothing') &&
    tokens.length === 1
  ) {
    return { kind: 'list', how: 'set', items: [], label: null, localised: null };
  }
  if (open !== 1 || close !== -1 || closing(tokens, 0) !== tokens.length - 1) return null;
  const inner = tokens.slice(1, -1);
  const set = first.kind === 'command' && first.text === '{' && last.text === '}';
  const braces = first.kind === 'sign' && first.text === '{' && last.text === '}';
  const parts =
    inner.length === 0
      ? []
      : splitTop(inner, (token) => token.kind === 'sign' && (token.text === ',' || token.text === ';'));
  if (parts.length > BOUNDS.items) throw new Unknown('a long list');
  if (set || (braces && parts.length !== 1)) {
    if (inner.some((t) => t.text === '|' || t.text === ':' || t.text === 'mid'))
      throw new Unknown('a set by its property');
    const items = parts.map((part) => read(part, depth + 1)).flatMap(flattenEither);
    return { kind: 'list', how: 'set', items, label: null, localised: null };
  }
  if (braces) return read(inner, depth + 1);
  if (parts.length < 2) {
    // [5] and <5> are no plain numbers; (5) is.
    if (first.text !== '(' || last.text !== ')') throw new Unknown('brackets around one value');
    return null;
  }
  const items = parts.map((part) => read(part, depth + 1));
  if (items.some((item) => item.kind === 'list')) throw new Unknown('not understood');
  return { kind: 'tuple', open: first.text, close: last.text, items };
}

/** 1 for what opens, -1 for what closes, 0 for all else. */
function bracket(token: Token): 1 | -1 | 0 {
  if (token.kind === 'command') {
    if (token.text === '{' || token.text === 'langle') return 1;
    return token.text === '}' || token.text === 'rangle' ? -1 : 0;
  }
  if (token.kind !== 'sign') return 0;
  if ('([{'.includes(token.text)) return 1;
  return ')]}'.includes(token.text) ? -1 : 0;
}

function closing(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let i = from; i < tokens.length; i++) {
    depth += bracket(tokens[i]!);
    if (depth === 0) return i;
  }
  return -1;
}

function splitTop(tokens: readonly Token[], at: (token: Token, index: number) => boolean): Token[][] {
  const parts: Token[][] = [[]];
  let depth = 0;
  tokens.forEach((token, i) => {
    depth += bracket(token);
    if (token.kind === 'command' && (token.text === 'begin' || token.text === 'end'))
      depth += token.text === 'begin' ? 1 : -1;
    if (depth === 0 && at(token, i)) parts.push([]);
    else parts.at(-1)!.push(token);
  });
  return parts;
}

function readMatrix(tokens: readonly Token[], depth: number): Answer | null {
  const [begin, , name] = tokens;
  if (begin?.kind !== 'command' || begin.text !== 'begin') return null;
  if (name === undefined || !MATRICES.has(name.text)) throw new Unknown('not understood');
  const body = tokens.slice(4, -4);
  const end = tokens.slice(-4);
  if (
    end[0]?.text !== 'end' ||
    end[2]?.text !== name.text ||
    body.some((t) => t.kind === 'command' && t.text === 'begin')
  ) {
    throw new Unknown('not understood');
  }
  const rows = splitTop(body, (t) => t.kind === 'command' && t.text === '\\')
    .filter((row) => row.length > 0)
    .map((row) =>
      splitTop(row, (t) => t.kind === 'sign' && t.text === '&').map((cell) => read(cell, depth + 1)),
    );
  if (rows.reduce((n, row) => n + row.length, 0) > BOUNDS.items) throw new Unknown('a large matrix');
  return { kind: 'matrix', rows };
}

function relationOf(token: Token): string | null {
  if (token.kind === 'sign' && ['=', '<', '>', '<=', '>=', '!='].includes(token.text)) return token.text;
  return token.kind === 'command' && Object.hasOwn(RELATIONS, token.text) ? RELATIONS[token.text]! : null;
}

function readRelation(tokens: readonly Token[], depth: number): Answer | null {
  const isIn = (token: Token): boolean => token.kind === 'command' && token.text === 'in';
  const parts = splitTop(tokens, (token) => relationOf(token) !== null || isIn(token));
  if (parts.length === 1) return null;
  const [left, right] = parts;
  if (parts.length > 2 || left === undefined || right === undefined)
    throw new Unknown('a chain of relations');
  const sign = tokens[left.length]!;
  const label = labelOf(left);
  if (isIn(sign)) {
    if (label === null) throw new Unknown('not understood');
    return read(right, depth + 1);
  }
  const operator = relationOf(sign)!;
  if (operator === '=' && label !== null) {
    const value = readSingle(right, depth + 1);
    if (value.kind === 'quantity' || (value.kind === 'list' && value.how !== 'bare'))
      return { ...value, label };
    return value;
  }
  const [a, b] = [parseExpression(left), parseExpression(right)];
  if (containsEither(a) || containsEither(b)) throw new Unknown('not understood');
  switch (operator) {
    case '>':
      return { kind: 'relation', operator: '<', left: b, right: a };
    case '>=':
      return { kind: 'relation', operator: '<=', left: b, right: a };
    default:
      return { kind: 'relation', operator: operator as '=' | '<' | '<=' | '!=', left: a, right: b };
  }
}

/** A name of at most two letters, or a letter with a subscript, that an answer may be said to equal. */
function labelOf(tokens: readonly Token[]): string | null {
  const text = tokens.map((token) => token.text).join('');
  if (tokens.length === 1) {
    const token = tokens[0]!;
    if (token.kind === 'command')
      return /^[a-z]+$/.test(text) && !Object.hasOwn(RELATIONS, text) ? text : null;
    return token.kind === 'word' && text.length <= 2 ? text : null;
  }
  const [name, underscore] = tokens;
  const subscripted =
    name?.kind === 'word' && name.text.length === 1 && underscore?.text === '_' && text.length <= 5;
  return subscripted ? text.replace(/[{}]/g, '') : null;
}

function readColon(tokens: readonly Token[]): Answer | null {
  let rest = tokens;
  let half: 'am' | 'pm' | null = null;
  const suffix = tokens.at(-1)!;
  if (suffix.kind === 'word' && /^[ap]m$/i.test(suffix.text) && tokens.length > 1) {
    half = suffix.text.toLowerCase() as 'am' | 'pm';
    rest = tokens.slice(0, -1);
  }
  const parts = splitTop(rest, (token) => token.kind === 'sign' && token.text === ':');
  if (parts.length === 1 && half === null) return null;
  if (parts.length > 3) throw new Unknown('not understood');
  const texts = parts.map((part) => {
    if (part.length !== 1 || part[0]!.kind !== 'number') throw new Unknown('not understood');
    return part[0]!;
  });
  const values = texts.map((token) => token.value!);
  const minutes = clock(
    texts.map((token) => token.text),
    half,
  );
  if (half !== null && minutes === null) throw new Unknown('not a time');
  return { kind: 'colon', parts: values, minutes, half };
}

/** Minutes after midnight, or of a duration; `null` if the parts cannot be hours and minutes. */
function clock(texts: readonly string[], half: 'am' | 'pm' | null): number | null {
  const [hours = '', minutes = '00', seconds] = texts;
  if (!/^\d{1,2}$/.test(hours) || !/^[0-5]\d$/.test(minutes) || seconds !== undefined) return null;
  const h = Number(hours);
  if (half === null) return h * 60 + Number(minutes);
  if (h < 1 || h > 12) return null;
  return ((h % 12) + (half === 'pm' ? 12 : 0)) * 60 + Number(minutes);
}

function readBased(tokens: readonly Token[]): Answer | null {
  const [digits, underscore, ...rest] = tokens;
  if (digits?.kind !== 'number' || underscore?.text !== '_') return null;
  const base =
    rest.length === 3 && rest[0]!.text === '{' && rest[2]!.text === '}'
      ? rest[1]!
      : rest.length === 1
        ? rest[0]!
        : null;
  if (base?.kind !== 'number' || !/^\d{1,2}$/.test(base.text) || !/^\d{1,100}$/.test(digits.text)) {
    throw new Unknown('a number in another base');
  }
  const n = Number(base.text);
  if (n < 2 || n > 10 || [...digits.text].some((d) => Number(d) >= n))
    throw new Unknown('a number in another base');
  return { kind: 'based', digits: digits.text.replace(/^0+(?=\d)/, ''), base: n };
}

/* ---- quantities ---- */

/** Tokens of the longest unit: "square centimeters per ..." or some words that may be a unit. */
const UNIT_TOKENS = 10;

function readQuantity(tokens: readonly Token[]): Answer & { kind: 'quantity' } {
  const { rest, unit: before } = currencySign(tokens);
  let depth = 0;
  // The longest unit first, so that the shortest value is tried first.
  for (let cut = 1; cut < rest.length; cut++) {
    depth += bracket(rest[cut - 1]!);
    if (depth !== 0 || rest.length - cut > UNIT_TOKENS || !mayBeginUnit(rest[cut]!)) continue;
    const unit = readUnit(rest.slice(cut));
    if (unit === null) continue;
    const head = rest.slice(0, cut);
    const value = attempt(() => readScaled(head));
    if (value === null) continue;
    if (before !== null && unit.dimension !== before.dimension) {
      if (unit.words.length === 0) throw new Unknown('two units');
      continue;
    }
    return { kind: 'quantity', value, unit: before ?? unit, label: null };
  }
  return { kind: 'quantity', value: readScaled(rest), unit: before, label: null };
}

function mayBeginUnit(token: Token): boolean {
  if (token.kind === 'sign') return token.text === '%';
  return token.kind === 'word' || (token.kind === 'command' && token.text === 'degree');
}

/** A currency sign before the number (behind a minus too) or behind it. */
function currencySign(tokens: readonly Token[]): { rest: readonly Token[]; unit: Unit | null } {
  const isSign = (token: Token | undefined): token is Token =>
    token?.kind === 'command' && Object.hasOwn(CURRENCY, token.text);
  const minus = tokens[0]?.kind === 'sign' && tokens[0].text === '-' ? 1 : 0;
  const first = tokens[minus];
  if (isSign(first)) {
    return {
      rest: [...tokens.slice(0, minus), ...tokens.slice(minus + 1)],
      unit: unitOf(CURRENCY[first.text]!, 1),
    };
  }
  const last = tokens.at(-1);
  if (isSign(last) && tokens.length > 1)
    return { rest: tokens.slice(0, -1), unit: unitOf(CURRENCY[last.text]!, 1) };
  return { rest: tokens, unit: null };
}

/** An expression, or a number times "million" and the like, or a number in words. */
function readScaled(tokens: readonly Token[]): Expression {
  const words = wordsOf(tokens);
  const inWords = words === null ? null : readNumberWords(words);
  if (inWords !== null) return { kind: 'number', value: inWords };
  const last = tokens.at(-1);
  const by = last?.kind === 'word' ? multiplier(last.text.toLowerCase()) : undefined;
  if (by !== undefined && tokens.length > 1) {
    const scaled = readScaled(tokens.slice(0, -1));
    // "a + 2 million" is read in two ways.
    const plain = scaled.kind === 'negative' ? scaled.of : scaled;
    if (plain.kind !== 'number') throw new Unknown('not understood');
    const product = multiply(plain.value, rational(by), new Budget(BOUNDS.work));
    return { kind: 'number', value: scaled.kind === 'negative' ? product.neg() : product };
  }
  return parseExpression(tokens);
}

function numberInWords(tokens: readonly Token[]): Answer | null {
  const words = wordsOf(tokens);
  const value = words === null ? null : readNumberWords(words);
  return value === null
    ? null
    : { kind: 'quantity', value: { kind: 'number', value }, unit: null, label: null };
}

/** Lower-case words where hyphens join, or `null` if there is anything else. */
function wordsOf(tokens: readonly Token[]): string[] | null {
  const words: string[] = [];
  for (const [i, token] of tokens.entries()) {
    if (token.kind === 'word') words.push(token.text.toLowerCase());
    else if (!joinsWords(tokens, i)) return null;
  }
  return words.length === 0 ? null : words;
}

const SHORT_WORDS = new Set(['of', 'in', 'a', 'an', 'to', 'at', 'on']);

/** A hyphen between two words: a closing one ("A-") says something else. */
function joinsWords(tokens: readonly Token[], i: number): boolean {
  const [before, hyphen, after] = [tokens[i - 1], tokens[i], tokens[i + 1]];
  if (hyphen?.kind !== 'sign' || hyphen.text !== '-' || hyphen.spaced) return false;
  return before?.kind === 'word' && after?.kind === 'word' && !after.spaced;
}

/** Reads all the tokens as a unit; `null` if they are none. */
function readUnit(tokens: readonly Token[]): Unit | null {
  const first = tokens[0]!;
  if (first.kind === 'sign') return tokens.length === 1 && first.text === '%' ? unitOf('percent', 1) : null;
  if (first.kind === 'command') {
    const scale = tokens[1];
    if (scale === undefined) return unitOf('degree', 1);
    if (tokens.length > 2 || scale.kind !== 'word' || !/^(?:C|F|K|Celsius|Fahrenheit)$/i.test(scale.text))
      return null;
    return ownUnit(`temperature-${scale.text[0]!.toUpperCase()}`);
  }
  return knownUnit(tokens) ?? unknownUnit(tokens);
}

function unknownUnit(tokens: readonly Token[]): Unit | null {
  if (tokens.length > 8) return null;
  const words: string[] = [];
  for (const token of tokens) {
    const word = token.text.toLowerCase();
    if (token.kind !== 'word' || (word.length < 3 && !SHORT_WORDS.has(word)) || changesNumber(word))
      return null;
    words.push(word);
  }
  return wordUnit(words);
}

/** "cm", "square feet", "cm^2", "miles per hour", "km/h", "degrees Celsius". */
function knownUnit(tokens: readonly Token[]): Unit | null {
  const first = unitFactor(tokens, 0);
  if (first === null) return null;
  let { unit, end } = first;
  const word = (): string => (tokens[end]?.kind === 'word' ? tokens[end]!.text.toLowerCase() : '');
  if (unit.dimension === ANGLE && /^(?:celsius|fahrenheit|c|f)$/.test(word()) && end === tokens.length - 1) {
    return ownUnit(`temperature-${word()[0]!.toUpperCase()}`);
  }
  if (end < tokens.length) {
    if (word() !== 'per' && word() !== 'a' && word() !== 'an' && tokens[end]!.text !== '/') return null;
    const second = unitFactor(tokens, end + 1);
    if (second === null) return null;
    unit = perUnit(unit, second.unit);
    end = second.end;
  }
  return end === tokens.length ? unit : null;
}

/** One unit with its power. */
function unitFactor(tokens: readonly Token[], from: number): { unit: Unit; end: number } | null {
  const wordAt = (i: number): string => (tokens[i]?.kind === 'word' ? tokens[i].text.toLowerCase() : '');
  let at = from;
  let exponent = 1;
  if (['square', 'sq', 'cubic', 'cu'].includes(wordAt(at))) {
    exponent = wordAt(at).startsWith('s') ? 2 : 3;
    at++;
  }
  const name = tokens[at];
  if (name?.kind !== 'word' || !isUnitWord(name.text, name.inText)) return null;
  at++;
  const powerWord = wordAt(at);
  let written: number | null = null;
  if (powerWord === 'squared' || powerWord === 'cubed') {
    written = powerWord === 'squared' ? 2 : 3;
    at++;
  } else if (tokens[at]?.text === '^') {
    const braced = tokens[at + 1]?.text === '{' && tokens[at + 3]?.text === '}';
    const n = tokens[at + (braced ? 2 : 1)]?.text ?? '';
    if (!/^[123]$/.test(n)) return null;
    written = Number(n);
    at += braced ? 4 : 2;
  }
  if (written !== null && exponent !== 1) return null;
  return { unit: unitOf(name.text, written ?? exponent)!, end: at };
}

/* ---- text ---- */

/** The words of an answer that is nothing but words of two letters and more, `null` for any other. */
function plainText(tokens: readonly Token[]): string | null {
  const words: string[] = [];
  for (const [i, token] of tokens.entries()) {
    if (joinsWords(tokens, i)) continue;
    if (token.kind === 'sign' && /^['"!?]$/.test(token.text) && words.length > 0) continue;
    if (token.kind !== 'word') return null;
    words.push(token.text.toLowerCase());
  }
  const longest = Math.max(0, ...words.map((word) => word.length));
  return longest < 2 ? null : words.join(' ');
}

/** Whether a value is a plain non-negative integer, for readings that depend on digits. */
export function plainInteger(answer: Answer): bigint | null {
  if (answer.kind !== 'quantity' || answer.value.kind !== 'number' || !isInteger(answer.value.value))
    return null;
  return answer.value.value.n;
}
