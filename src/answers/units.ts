import { rational, type Rational } from './rational.ts';

/** Units of measure and currency that may follow (or, as a sign, precede) a number. */

/** A unit, or several multiplied. Two units with the same `dimension` convert into one another by `factor`. */
export interface Unit {
  /** For example `length^2` or `length/time`; units of no known dimension have one of their own. */
  readonly dimension: string;
  /** Size in the dimension's base unit, an exact rational. */
  readonly factor: Rational;
  /** Words that are no unit that we know ("eggs"); empty for known units. Only the problem's text can settle them. */
  readonly words: readonly string[];
}

export const PERCENT = 'percent';
export const ANGLE = 'angle';

const f = (n: number, d = 1): Rational => rational(BigInt(n), BigInt(d));

/** dimension, size in its base unit, spellings. Kilograms and pounds, say, stay apart: mixing systems is never exact. */
const TABLE: readonly (readonly [string, Rational, string])[] = [
  ['length', f(1, 1000), 'mm millimeter millimeters millimetre millimetres'],
  ['length', f(1, 100), 'cm centimeter centimeters centimetre centimetres'],
  ['length', f(1, 10), 'dm decimeter decimeters decimetre decimetres'],
  ['length', f(1), 'm meter meters metre metres'],
  ['length', f(1000), 'km kilometer kilometers kilometre kilometres'],
  ['us-length', f(1), 'inch inches'],
  ['us-length', f(12), 'foot feet ft'],
  ['us-length', f(36), 'yard yards yd yds'],
  ['us-length', f(63360), 'mile miles mi'],
  ['time', f(1), 'second seconds sec secs s'],
  ['time', f(60), 'minute minutes min mins'],
  ['time', f(3600), 'hour hours hr hrs h'],
  ['time', f(86400), 'day days'],
  ['time', f(604800), 'week weeks'],
  ['months', f(1), 'month months'],
  ['months', f(12), 'year years yr yrs'],
  ['mass', f(1, 1000), 'mg milligram milligrams'],
  ['mass', f(1), 'g gram grams'],
  ['mass', f(1000), 'kg kilogram kilograms kilo kilos'],
  ['us-mass', f(1), 'ounce ounces oz'],
  ['us-mass', f(16), 'pound pounds lb lbs'],
  ['ton', f(1), 'ton tons tonne tonnes'],
  ['volume', f(1, 1000), 'ml milliliter milliliters millilitre millilitres'],
  ['volume', f(1), 'L l liter liters litre litres'],
  ['us-volume', f(1), 'cup cups'],
  ['us-volume', f(2), 'pint pints'],
  ['us-volume', f(4), 'quart quarts'],
  ['us-volume', f(16), 'gallon gallons'],
  ['dollar', f(1), 'dollar dollars usd'],
  ['dollar', f(1, 100), 'cent cents'],
  ['euro', f(1), 'euro euros eur'],
  ['pound-sterling', f(1), 'gbp'],
  ['yen', f(1), 'yen jpy'],
  ['rupee', f(1), 'rupee rupees inr'],
  [ANGLE, f(1), 'degree degrees deg'],
  ['radian', f(1), 'radian radians rad'],
  ['speed-mph', f(1), 'mph'],
  ['speed-kmh', f(1), 'kph kmh'],
  [PERCENT, f(1), 'percent pct'],
  ['unit', f(1), 'unit units'],
];

const UNITS: ReadonlyMap<string, readonly [string, Rational]> = new Map(
  TABLE.flatMap(([dimension, factor, words]) =>
    words.split(' ').map((word) => [word, [dimension, factor]] as const),
  ),
);

/** Single letters are units only inside `\text{}`; bare, they are variables. */
export function isUnitWord(word: string, inText: boolean): boolean {
  return (word.length > 1 || inText) && lookUp(word) !== undefined;
}

/** Bare letters that may have been meant as a unit: "5m". */
export function mayBeUnit(letter: string): boolean {
  return letter.length === 1 && UNITS.has(letter);
}

function lookUp(word: string): readonly [string, Rational] | undefined {
  return UNITS.get(word) ?? UNITS.get(word.toLowerCase());
}

/** A known unit to an integer power of 1 to 3, `null` if the word is none. */
export function unitOf(word: string, exponent: number): Unit | null {
  const found = lookUp(word);
  if (found === undefined) return null;
  const [dimension, factor] = found;
  if (exponent === 1) return { dimension, factor, words: [] };
  return { dimension: `${dimension}^${exponent}`, factor: factor.pow(exponent), words: [] };
}

export function perUnit(a: Unit, b: Unit): Unit {
  return { dimension: `${a.dimension}/${b.dimension}`, factor: a.factor.div(b.factor), words: [] };
}

/** A unit with a dimension of its own, such as degrees Celsius. */
export function ownUnit(name: string): Unit {
  return { dimension: name, factor: rational(1n), words: [] };
}

export function wordUnit(words: readonly string[]): Unit {
  return { dimension: `words:${words.join(' ')}`, factor: rational(1n), words };
}

/** Sizes of all known units of a dimension, to tell a forgotten conversion from a wrong number. */
export function sizesIn(dimension: string): readonly Rational[] {
  return TABLE.filter(([d]) => d === dimension).map(([, factor]) => factor);
}
