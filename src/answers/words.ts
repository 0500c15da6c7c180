import { rational, type Rational } from './rational.ts';

/** Numbers in English words: "twenty-one", "two thirds", "one and a half", "3.5 million". */

const SMALL: ReadonlyMap<string, number> = new Map(
  (
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
    'seventeen eighteen nineteen'
  )
    .split(' ')
    .map((word, value) => [word, value] as const),
);
const TENS: ReadonlyMap<string, number> = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, i) => [word, (i + 2) * 10] as const),
);
const SCALES: ReadonlyMap<string, bigint> = new Map([
  ['thousand', 1_000n],
  ['million', 1_000_000n],
  ['billion', 1_000_000_000n],
  ['trillion', 1_000_000_000_000n],
]);
/** Words that multiply a number written in digits. */
const MULTIPLIERS: ReadonlyMap<string, bigint> = new Map([...SCALES, ['hundred', 100n], ['dozen', 12n]]);
const PARTS: ReadonlyMap<string, bigint> = new Map([
  ['half', 2n],
  ['third', 3n],
  ['quarter', 4n],
  ['fourth', 4n],
  ['fifth', 5n],
  ['sixth', 6n],
  ['seventh', 7n],
  ['eighth', 8n],
  ['ninth', 9n],
  ['tenth', 10n],
]);

/** Words that change a number; none of them may be taken for a unit. */
const CHANGING = new Set([
  ...SMALL.keys(),
  ...TENS.keys(),
  ...MULTIPLIERS.keys(),
  ...PARTS.keys(),
  ...(
    'halves thirds quarters fourths fifths sixths sevenths eighths ninths tenths dozens hundreds thousands millions billions trillions ' +
    'pair pairs couple score gross double triple twice thrice times squared cubed plus minus over under divided multiplied by ' +
    'choose factorial mod modulo negative positive not no or and nor less fewer least most than about around approximately nearly almost ' +
    'between to point from root power base cannot infinity infinite percent percentage'
  ).split(' '),
]);

export function changesNumber(word: string): boolean {
  return CHANGING.has(word);
}

/** What "million" and the like multiply by, `undefined` for other words. */
export function multiplier(word: string): bigint | undefined {
  return MULTIPLIERS.get(word);
}

/**
 * Reads a whole number, a fraction or a mixed number from lower-case words without hyphens. Returns `null` unless
 * every word belongs to it.
 */
export function readNumberWords(words: readonly string[]): Rational | null {
  if (words.length === 0 || words.length > 30) return null;
  if (words[0] === 'negative' || words[0] === 'minus') {
    const positive = readNumberWords(words.slice(1));
    return positive === null || words[1] === 'negative' || words[1] === 'minus' ? null : positive.neg();
  }
  const fraction = readFraction(words);
  if (fraction !== null) return fraction;
  // "seven and three quarters", "one and a half": the last "and" joins a fraction to a whole.
  const and = words.lastIndexOf('and');
  if (and > 0) {
    const whole = readWhole(words.slice(0, and));
    const part = readFraction(words.slice(and + 1));
    if (whole !== null && part !== null) return part.compare(1) < 0 ? rational(whole).add(part) : null;
  }
  const point = words.indexOf('point');
  if (point > 0) {
    const whole = readWhole(words.slice(0, point));
    const digits = words.slice(point + 1).map((word) => SMALL.get(word));
    if (whole === null || digits.length === 0 || digits.some((d) => d === undefined || d > 9)) return null;
    return rational(BigInt(`${whole}${digits.join('')}`), 10n ** BigInt(digits.length));
  }
  const whole = readWhole(words);
  return whole === null ? null : rational(whole);
}

/** "half", "a half", "one third", "two thirds". */
function readFraction(words: readonly string[]): Rational | null {
  const last = words.at(-1);
  if (last === undefined) return null;
  if (words.length === 1) return last === 'half' ? rational(1n, 2n) : null;
  const singular = PARTS.get(last);
  const plural = last === 'halves' ? 2n : last.endsWith('s') ? PARTS.get(last.slice(0, -1)) : undefined;
  const count = words.slice(0, -1);
  if (singular !== undefined) {
    // "twenty third" is a rank, "a third" and "one third" are parts.
    return count.length === 1 && (count[0] === 'a' || count[0] === 'one') ? rational(1n, singular) : null;
  }
  if (plural === undefined) return null;
  const n = readWhole(count);
  return n === null || n < 2n ? null : rational(n, plural);
}

/** Groups in falling order of scale, each at most "nine hundred and ninety-nine". */
function readWhole(words: readonly string[]): bigint | null {
  let total = 0n;
  let scaleBefore = 10n ** 15n;
  let group: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const scale = SCALES.get(word);
    if (scale === undefined) {
      group.push(word);
      continue;
    }
    // "a million"; "a" alone is a letter.
    const value = group.length === 1 && group[0] === 'a' ? 1 : readGroup(group, total === 0n);
    if (value === null || value === 0 || scale >= scaleBefore) return null;
    total += BigInt(value) * scale;
    scaleBefore = scale;
    group = [];
  }
  if (group.length === 0) return total > 0n ? total : null;
  const rest = readGroup(group, total === 0n);
  if (rest === null || (rest === 0 && words.length > 1)) return null;
  return total + BigInt(rest);
}

function readGroup(words: readonly string[], first: boolean): number | null {
  let rest = words;
  let value = 0;
  // "one thousand and five"
  if (!first && rest[0] === 'and' && rest.length > 1) rest = rest.slice(1);
  if (rest[1] === 'hundred') {
    const n = rest[0] === 'a' ? 1 : SMALL.get(rest[0]!);
    if (n === undefined || n < 1 || n > 9) return null;
    value = n * 100;
    rest = rest.slice(2);
    if (rest.length === 0) return value;
    if (rest[0] === 'and') rest = rest.slice(1);
  } else if (rest.length === 2 && rest[0] === 'a' && rest[1] === 'dozen') {
    return 12;
  }
  const [a, b] = rest;
  if (a === undefined || rest.length > 2) return null;
  const tens = TENS.get(a);
  if (tens !== undefined) {
    if (b === undefined) return value + tens;
    const unit = SMALL.get(b);
    return unit === undefined || unit < 1 || unit > 9 ? null : value + tens + unit;
  }
  const small = SMALL.get(a);
  return small === undefined || b !== undefined || (value > 0 && small === 0) ? null : value + small;
}
