import { BOUNDS, Unknown } from './bounds.ts';
import { isInteger, ONE, rational, type Rational } from './rational.ts';
import type { Token } from './tokens.ts';

/** A mathematical expression as a tree. */
export type Expression =
  | { readonly kind: 'number'; readonly value: Rational }
  /** A letter, with its subscript if it has one; `pi`, `infinity`, `i` and `e` are variables of these names. */
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'sum'; readonly terms: readonly Expression[] }
  | { readonly kind: 'negative'; readonly of: Expression }
  /** Plus-minus (`sign` 1) or minus-plus (-1) before a term. */
  | { readonly kind: 'either'; readonly sign: 1 | -1; readonly of: Expression }
  | { readonly kind: 'product'; readonly factors: readonly Expression[] }
  | { readonly kind: 'quotient'; readonly over: Expression; readonly under: Expression }
  | { readonly kind: 'power'; readonly base: Expression; readonly exponent: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] };

const FUNCTIONS = new Set(
  'sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln exp sqrt cbrt abs gcd lcm max min floor ceil'.split(
    ' ',
  ),
);
const GREEK = new Set(
  'alpha beta gamma delta epsilon varepsilon theta lambda mu rho sigma phi varphi omega'.split(' '),
);
/** Letters that usually name functions or probabilities: "f(2)" is no product. */
const FUNCTION_LETTERS = new Set(['f', 'g', 'h', 'F', 'G', 'P']);
const NAMES: Readonly<Record<string, string>> = {
  pi: 'pi',
  infinity: 'infinity',
  infty: 'infinity',
  inf: 'infinity',
};

/**
 * Parses tokens into an expression. Throws `Unknown` on anything that is not one, or that mathematicians write in
 * two meanings (`1/2x`, `\sqrt12`, `f(2)`).
 */
export function parseExpression(tokens: readonly Token[]): Expression {
  const parser = new Parser(splitLetters(tokens));
  return parser.whole();
}

/**
 * Splits runs of letters that are no names into single variables. One run alone is a word rather than a product.
 */
function splitLetters(tokens: readonly Token[]): Token[] {
  const words = tokens.filter((token) => token.kind === 'word');
  if (tokens.length === 1 && words.length === 1 && words[0]!.text.length > 1 && !isName(words[0]!.text)) {
    throw new Unknown('a word');
  }
  const out: Token[] = [];
  for (const token of tokens) {
    if (token.kind !== 'word' || token.text.length === 1 || isName(token.text)) {
      out.push(token);
      continue;
    }
    if (token.inText || token.text.length > 3) throw new Unknown('words');
    [...token.text].forEach((letter, i) =>
      out.push({ ...token, text: letter, spaced: token.spaced && i === 0 }),
    );
  }
  return out;
}

function isName(word: string): boolean {
  return FUNCTIONS.has(word) || Object.hasOwn(NAMES, word) || GREEK.has(word);
}

class Parser {
  private at = 0;
  private depth = 0;
  private readonly tokens: readonly Token[];

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  whole(): Expression {
    const result = this.sum();
    if (this.at < this.tokens.length) throw new Unknown('not understood');
    return result;
  }

  private peek(offset = 0): Token | undefined {
    return this.tokens[this.at + offset];
  }

  private is(text: string, offset = 0): boolean {
    const token = this.peek(offset);
    return token?.kind === 'sign' && token.text === text;
  }

  private isCommand(text: string, offset = 0): boolean {
    const token = this.peek(offset);
    return token?.kind === 'command' && token.text === text;
  }

  private expect(text: string): void {
    if (!this.is(text)) throw new Unknown('brackets that do not match');
    this.at++;
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > BOUNDS.nesting) throw new Unknown('nested too deeply');
    const result = read();
    this.depth--;
    return result;
  }

  private sum(): Expression {
    return this.nested(() => {
      const terms: Expression[] = [];
      for (;;) {
        const token = this.peek();
        let wrap = (term: Expression): Expression => term;
        if (token?.kind === 'sign' && (token.text === '+' || token.text === '-')) {
          this.at++;
          if (token.text === '-') wrap = (of) => ({ kind: 'negative', of });
        } else if (token?.kind === 'command' && (token.text === 'pm' || token.text === 'mp')) {
          this.at++;
          const sign = token.text === 'pm' ? 1 : -1;
          wrap = (of) => ({ kind: 'either', sign, of });
        } else if (terms.length > 0) {
          break;
        }
        terms.push(wrap(this.product()));
      }
      return terms.length === 1 ? terms[0]! : { kind: 'sum', terms };
    });
  }

  private product(): Expression {
    let left = this.power();
    let slashed = false;
    for (;;) {
      const operator = this.operator();
      if (operator !== null) {
        const right = this.signed();
        if (operator === '*') {
          left = { kind: 'product', factors: [left, right] };
        } else {
          left = { kind: 'quotient', over: left, under: right };
        }
        slashed = operator === '/';
      } else if (this.startsFactor()) {
        // 1/2x is a half of x or one over 2x.
        if (slashed) throw new Unknown('a division that can be read in two ways');
        left = { kind: 'product', factors: [left, this.power()] };
      } else {
        return left;
      }
    }
  }

  private operator(): '*' | '/' | null {
    const token = this.peek();
    if (token === undefined) return null;
    if (token.kind === 'sign' && (token.text === '*' || token.text === '/')) {
      this.at++;
      return token.text;
    }
    if (token.kind === 'command' && ['times', 'cdot', 'ast', 'div'].includes(token.text)) {
      this.at++;
      return token.text === 'div' ? '/' : '*';
    }
    // "3 x 4" and "1.5x10^3": the letter stands for a multiplication sign.
    if (token.kind === 'word' && (token.text === 'x' || token.text === 'X')) {
      const before = this.peek(-1);
      const after = this.peek(1);
      const numbers = before?.kind === 'number' && after?.kind === 'number';
      const spaced = token.spaced && after?.spaced === true;
      if (numbers && (spaced || (after.text === '10' && this.is('^', 2)))) {
        this.at++;
        return '*';
      }
    }
    return null;
  }

  /** Whether the next token begins a factor that multiplies without a sign. A number never does. */
  private startsFactor(): boolean {
    const token = this.peek();
    if (token === undefined) return false;
    if (token.kind === 'word') return true;
    if (token.kind === 'sign') return token.text === '(' || token.text === '[' || token.text === '{';
    if (token.kind === 'number') return false;
    return ['frac', 'sqrt', 'binom', 'lfloor', 'lceil'].includes(token.text) || isName(token.text);
  }

  private signed(): Expression {
    if (this.is('-')) {
      this.at++;
      return { kind: 'negative', of: this.power() };
    }
    return this.power();
  }

  private power(): Expression {
    let base = this.primary();
    while (this.is('!')) {
      this.at++;
      // At the end it may be an exclamation mark.
      if (this.at === this.tokens.length || this.is('!'))
        throw new Unknown('a factorial or an exclamation mark');
      base = { kind: 'call', name: 'factorial', args: [base] };
    }
    if (!this.is('^')) return base;
    this.at++;
    return { kind: 'power', base, exponent: this.nested(() => this.exponent()) };
  }

  /** What stands after `^`: braces, brackets, or one number or letter with its sign; a second `^` goes first. */
  private exponent(): Expression {
    let value: Expression;
    if (this.is('-')) {
      this.at++;
      value = { kind: 'negative', of: this.atom() };
    } else {
      value = this.atom();
    }
    if (!this.is('^')) return value;
    this.at++;
    return { kind: 'power', base: value, exponent: this.nested(() => this.exponent()) };
  }

  private atom(): Expression {
    const token = this.peek();
    if (token?.kind === 'number') {
      this.at++;
      return number(token.value!);
    }
    if (token?.kind === 'word' && token.text.length === 1) return this.variable();
    if (token?.kind === 'command' && token.text !== 'frac' && token.text !== 'pi' && !GREEK.has(token.text)) {
      throw new Unknown('an exponent that is not understood');
    }
    return this.primary();
  }

  private primary(): Expression {
    const token = this.peek();
    if (token === undefined) throw new Unknown('something is missing');
    switch (token.kind) {
      case 'number':
        this.at++;
        return this.mixed(token);
      case 'word':
        if (FUNCTIONS.has(token.text)) return this.call(token.text);
        return this.variable();
      case 'command':
        return this.command(token.text);
      case 'sign':
        return this.bracketed(token.text);
    }
  }

  private bracketed(sign: string): Expression {
    const close = sign === '(' ? ')' : sign === '[' ? ']' : sign === '{' ? '}' : sign === '|' ? '|' : null;
    if (close === null) throw new Unknown('not understood');
    this.at++;
    const inner = this.sum();
    this.expect(close);
    return sign === '|' ? { kind: 'call', name: 'abs', args: [inner] } : inner;
  }

  private variable(): Expression {
    const token = this.peek()!;
    this.at++;
    const name = NAMES[token.text] ?? token.text;
    if (token.inText && !Object.hasOwn(NAMES, token.text)) throw new Unknown('words');
    if (this.is('_')) {
      this.at++;
      return { kind: 'variable', name: `${name}_${this.subscript()}` };
    }
    if (FUNCTION_LETTERS.has(name) && this.is('(')) throw new Unknown('a product or a function');
    if (this.is("'")) throw new Unknown('not understood');
    return { kind: 'variable', name };
  }

  private subscript(): string {
    const one = (): string => {
      const token = this.peek();
      if (token === undefined || (token.kind !== 'number' && token.kind !== 'word'))
        throw new Unknown('a subscript');
      this.at++;
      return token.text;
    };
    if (!this.is('{')) return one();
    this.at++;
    const text = one();
    this.expect('}');
    return text;
  }

  /** A number, or a mixed number: `7\frac34`, `7 3/4`. */
  private mixed(token: Token): Expression {
    const whole = token.value!;
    const plain = /^[\d,]+$/.test(token.text);
    if (plain && this.isCommand('frac')) {
      const start = this.at;
      this.at++;
      const over = this.argument();
      const under = this.argument();
      if (over.kind !== 'number' || under.kind !== 'number') {
        this.at = start;
        return number(whole);
      }
      return this.mixedValue(whole, over.value, under.value);
    }
    const over = this.peek();
    const under = this.peek(2);
    if (plain && over?.kind === 'number' && over.spaced && this.is('/', 1) && under?.kind === 'number') {
      this.at += 3;
      return this.mixedValue(whole, over.value!, under.value!);
    }
    if (this.is('_')) throw new Unknown('a number in another base');
    return number(whole);
  }

  private mixedValue(whole: Rational, over: Rational, under: Rational): Expression {
    const proper = isInteger(over) && isInteger(under) && over.n > 0n && over.n < under.n;
    // 2\frac53 is a product to some; 1 1/2 x and 1 1/2^3 can be read in two ways.
    if (!proper || this.startsFactor() || this.is('^') || this.is('/') || this.is('!')) {
      throw new Unknown('a mixed number or a product');
    }
    return number(rational(whole.n * under.n + over.n, under.n));
  }

  private command(name: string): Expression {
    if (Object.hasOwn(NAMES, name) || GREEK.has(name)) return this.variable();
    if (FUNCTIONS.has(name) && name !== 'sqrt') return this.call(name);
    this.at++;
    switch (name) {
      case 'frac': {
        const over = this.argument();
        const under = this.argument();
        return { kind: 'quotient', over, under };
      }
      case 'sqrt': {
        let index: Expression = number(rational(2n));
        if (this.is('[')) {
          this.at++;
          index = this.sum();
          this.expect(']');
        }
        const radicand = this.argument(true);
        return {
          kind: 'power',
          base: radicand,
          exponent: { kind: 'quotient', over: number(ONE), under: index },
        };
      }
      case 'binom': {
        const n = this.argument();
        return { kind: 'call', name: 'binom', args: [n, this.argument()] };
      }
      case 'lfloor':
      case 'lceil': {
        const inner = this.sum();
        if (!this.isCommand(name === 'lfloor' ? 'rfloor' : 'rceil'))
          throw new Unknown('brackets that do not match');
        this.at++;
        return { kind: 'call', name: name === 'lfloor' ? 'floor' : 'ceil', args: [inner] };
      }
      default:
        throw new Unknown('not understood');
    }
  }

  /**
   * An argument of `\frac` or `\sqrt`: braces, or one token. TeX takes one digit of `\frac12`, so the token is split;
   * more digits after it (`\frac123`, `\sqrt12`) mean one thing to TeX and another to people.
   */
  private argument(last = false): Expression {
    const token = this.peek();
    if (token === undefined) throw new Unknown('something is missing');
    if (token.kind === 'sign' && token.text === '{') return this.nested(() => this.bracketed('{'));
    if (token.kind === 'sign' && token.text === '(' && last) return this.nested(() => this.bracketed('('));
    if (token.kind === 'word') return this.nested(() => this.variable());
    if (token.kind === 'command') return this.nested(() => this.command(token.text));
    if (token.kind !== 'number') throw new Unknown('not understood');
    if (token.text.length === 1) {
      this.at++;
      return number(token.value!);
    }
    // `\frac12`: the tokens are \frac and 12.
    if (!last && token.text.length === 2 && /^\d\d$/.test(token.text) && this.isCommand('frac', -1)) {
      const [over, under] = [...token.text].map((digit) => ({
        ...token,
        text: digit,
        value: rational(BigInt(digit)),
      }));
      (this.tokens as Token[]).splice(this.at, 1, over!, under!);
      this.at++;
      return number(over!.value);
    }
    throw new Unknown('digits that can be read in two ways');
  }

  private call(name: string): Expression {
    this.at++;
    let exponent: Expression | null = null;
    let base: Expression | null = null;
    if (this.is('_') && name === 'log') {
      this.at++;
      base = this.nested(() => this.atom());
    }
    if (this.is('^')) {
      this.at++;
      exponent = this.nested(() => this.exponent());
      // \sin^{-1} is the inverse function to most, a reciprocal to some.
      if (exponent.kind !== 'number') throw new Unknown('an inverse or a reciprocal');
    }
    const args = this.nested(() => this.callArguments(name));
    const of: Expression = {
      kind: 'call',
      name: base === null ? name : 'logbase',
      args: base === null ? args : [base, ...args],
    };
    const made = simplifyCall(of);
    return exponent === null ? made : { kind: 'power', base: made, exponent };
  }

  private callArguments(name: string): Expression[] {
    if (this.is('(')) {
      this.at++;
      const args = [this.sum()];
      while (this.is(',')) {
        this.at++;
        args.push(this.sum());
        if (args.length > 10) throw new Unknown('too many arguments');
      }
      this.expect(')');
      return args;
    }
    if (name === 'gcd' || name === 'lcm' || name === 'max' || name === 'min')
      throw new Unknown('not understood');
    // "\sin 2x": people take all factors, so that only a single one is plain.
    const argument = this.power();
    if (this.startsFactor()) throw new Unknown('a function of an unclear argument');
    return [argument];
  }
}

function number(value: Rational): Expression {
  return { kind: 'number', value };
}

function simplifyCall(call: Expression & { kind: 'call' }): Expression {
  const [first] = call.args;
  if (call.args.length !== 1 || first === undefined) return call;
  const root = (n: bigint): Expression => ({ kind: 'power', base: first, exponent: number(rational(1n, n)) });
  if (call.name === 'sqrt') return root(2n);
  if (call.name === 'cbrt') return root(3n);
  if (call.name === 'exp') return { kind: 'power', base: { kind: 'variable', name: 'e' }, exponent: first };
  return call;
}
