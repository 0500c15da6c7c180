import { BOUNDS, Budget, Unknown } from './bounds.ts';
import { add, divide, multiply, rational, type Rational } from './rational.ts';

/**
 * Splits a cleaned answer into tokens.
 *
 * - `number`: an unsigned literal with its exact value; `text` is what was written.
 * - `word`: a run of letters; `inText` if it stood inside `\text{}`.
 * - `command`: a LaTeX command, `text` without its backslash; `\{` and `\}` have the names `{` and `}`.
 * - `sign`: any other single character, and `<=`, `>=`, `!=`.
 */
export interface Token {
  readonly kind: 'number' | 'word' | 'command' | 'sign';
  readonly text: string;
  readonly value: Rational | null;
  readonly inText: boolean;
  /** Whether white space stood before it. */
  readonly spaced: boolean;
}

const TEXT_COMMANDS = new Set([
  'text',
  'textbf',
  'textit',
  'textrm',
  'textnormal',
  'mathrm',
  'mathbf',
  'mathit',
  'mbox',
  'operatorname',
  'mathsf',
  'rm',
]);
const LETTER = /\p{L}/u;
const NUMBER = /(\d+(?:\.\d+)?|\.\d+)(?:[eE]([+-]?\d{1,5})(?![a-zA-Z\d]))?/y;
const THOUSANDS = /[1-9]\d{0,2}(?:,\d{3})+(?!\d)/y;
const COMMA_DIGIT = /,\d/y;
const REPEATING_BAR = /(\d*)\.(\d*)\\(?:overline|bar|dot)\s*(?:\{\s*(\d+)\s*\}|(\d))/y;
const REPEATING_PAREN = /(\d*)\.(\d*)\((\d+)\)/y;
const ELLIPSIS = /\.\.\.|\\[lc]?dots(?![a-zA-Z])/y;

/** Throws `Unknown` on a number that could be read in two ways or is too long. Linear in the length. */
export function tokenize(source: string): Token[] {
  if (source.length > BOUNDS.cleanedCharacters) throw new Unknown('too long to compare');
  const tokens: Token[] = [];
  // Commas inside brackets separate; outside they may group thousands.
  let brackets = 0;
  let braces = 0;
  // The brace depth at which a \text{} began, -1 outside of one.
  let textDepth = -1;
  let spaced = false;
  let i = 0;
  const push = (kind: Token['kind'], text: string, value: Rational | null = null): void => {
    tokens.push({ kind, text, value, inText: textDepth >= 0, spaced });
    if (tokens.length > BOUNDS.tokens) throw new Unknown('too long to compare');
    spaced = false;
  };
  while (i < source.length) {
    const c = source[i]!;
    if (/\s/.test(c)) {
      spaced = true;
      i++;
      continue;
    }
    if (isDigit(c) || (c === '.' && isDigit(source[i + 1])) || (c === '.' && source[i + 1] === '\\')) {
      const read = readNumber(source, i, brackets === 0);
      if (read !== null) {
        push('number', source.slice(i, read.end), read.value);
        i = read.end;
        continue;
      }
    }
    if (c === '\\') {
      const name = /[a-zA-Z]+|[^]/y;
      name.lastIndex = i + 1;
      const text = name.exec(source)?.[0] ?? '';
      i += 1 + text.length;
      if (TEXT_COMMANDS.has(text)) {
        while (source[i] === ' ') i++;
        if (source[i] === '{' && textDepth < 0) {
          i++;
          textDepth = braces;
          braces++;
          spaced = true;
        } else if (text !== 'rm') {
          push('command', text);
        }
        continue;
      }
      if (text === '{' || text === 'langle') brackets++;
      if (text === '}' || text === 'rangle') brackets--;
      push('command', text);
      continue;
    }
    if (LETTER.test(c)) {
      let end = i + 1;
      while (end < source.length && LETTER.test(source[end]!)) end++;
      push('word', source.slice(i, end));
      i = end;
      continue;
    }
    i++;
    if (c === '{') braces++;
    if (c === '}') {
      braces--;
      if (textDepth >= 0 && braces === textDepth) {
        textDepth = -1;
        spaced = true;
        continue;
      }
    }
    if (c === '(' || c === '[') brackets++;
    if (c === ')' || c === ']') brackets--;
    if ((c === '<' || c === '>' || c === '!') && source[i] === '=') {
      i++;
      push('sign', `${c}=`);
    } else {
      push('sign', c);
    }
  }
  return tokens;
}

function isDigit(c: string | undefined): boolean {
  return c !== undefined && c >= '0' && c <= '9';
}

function match(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

function readNumber(source: string, at: number, thousands: boolean): { value: Rational; end: number } | null {
  const repeating = match(REPEATING_BAR, source, at) ?? match(REPEATING_PAREN, source, at);
  if (repeating !== null) {
    const block = repeating[3] ?? repeating[4]!;
    // 0.(3) repeats; 0.1(6) may be a product.
    if (repeating[0].endsWith(')') && repeating[2] !== '')
      throw new Unknown('a product or a repeating decimal');
    return { value: repeatingDecimal(repeating[1]!, repeating[2]!, block), end: at + repeating[0].length };
  }
  let start = at;
  let whole = '';
  if (thousands) {
    const grouped = match(THOUSANDS, source, at);
    if (grouped !== null && match(COMMA_DIGIT, source, at + grouped[0].length) === null) {
      whole = grouped[0].replaceAll(',', '');
      start = at + grouped[0].length;
      if (source[start] !== '.' || !isDigit(source[start + 1]))
        return { value: decimal(whole, '', 0), end: start };
    } else if (grouped !== null) {
      // 1,234,5 is neither a number nor plainly a list.
      throw new Unknown('commas that may group or separate digits');
    }
  }
  const plain = match(NUMBER, source, start);
  if (plain === null) return null;
  const end = start + plain[0].length;
  const [integer = '', fraction = ''] = plain[1]!.split('.');
  const exponent = plain[2] === undefined ? 0 : Number(plain[2]);
  const dots = match(ELLIPSIS, source, end);
  if (dots !== null) {
    const block = repeatedBlock(fraction);
    if (block === null || exponent !== 0) throw new Unknown('a decimal that goes on');
    return {
      value: repeatingDecimal(whole + integer, fraction.slice(0, -block.length), block),
      end: dots.index + dots[0].length,
    };
  }
  return { value: decimal(whole + integer, fraction, exponent), end };
}

function decimal(integer: string, fraction: string, exponent: number): Rational {
  if (integer.length + fraction.length > BOUNDS.digits) throw new Unknown('too many digits');
  const shift = exponent - fraction.length;
  if (Math.abs(shift) > BOUNDS.digits * 2) throw new Unknown('exponent too large');
  const digits = BigInt(integer + fraction || '0');
  return shift >= 0 ? rational(digits * 10n ** BigInt(shift)) : rational(digits, 10n ** BigInt(-shift));
}

/** The value of integer.fraction with `block` repeated for ever. */
function repeatingDecimal(integer: string, fraction: string, block: string): Rational {
  if (block.length > 20) throw new Unknown('too many digits');
  const budget = new Budget(BOUNDS.work);
  const head = decimal(integer, fraction, 0);
  const tail = divide(rational(BigInt(block)), rational(10n ** BigInt(block.length) - 1n), budget);
  return add(head, multiply(tail, rational(1n, 10n ** BigInt(fraction.length)), budget), budget);
}

/** The shortest block that stands at least three times at the end: "3" in 0.1333. */
function repeatedBlock(fraction: string): string | null {
  for (let length = 1; length <= 6; length++) {
    const block = fraction.slice(-length);
    if (fraction.length >= 3 * length && fraction.endsWith(block.repeat(3))) return block;
  }
  return null;
}
