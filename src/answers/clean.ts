/**
 * Brings the spellings of characters and of LaTeX to one form, without changing what is said: units, currency and
 * percent signs stay (they are weighed where answers are compared), and white space stays where it separates.
 */

/** Characters that become LaTeX commands or ASCII. */
const CHARACTERS: Readonly<Record<string, string>> = {
  '\u2212': '-',
  '\ufe63': '-',
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '-',
  '\u00d7': '\\times ',
  '\u2715': '\\times ',
  '\u22c5': '\\cdot ',
  '\u2219': '\\cdot ',
  '\u2217': '*',
  '\u00f7': '\\div ',
  '\u2215': '/',
  '\u2044': '/',
  '\u221a': '\\sqrt ',
  '\u221e': '\\infty ',
  '\u00b1': '\\pm ',
  '\u2213': '\\mp ',
  '\u2264': '\\le ',
  '\u2265': '\\ge ',
  '\u2a7d': '\\le ',
  '\u2a7e': '\\ge ',
  '\u2260': '\\ne ',
  '\u2248': '\\approx ',
  '\u222a': '\\cup ',
  '\u2229': '\\cap ',
  '\u2205': '\\emptyset ',
  '\u2208': '\\in ',
  '\u27e8': '\\langle ',
  '\u27e9': '\\rangle ',
  '\u00b0': '\\degree ',
  '\u00ba': '\\degree ',
  '\u2103': '\\degree C',
  '\u2109': '\\degree F',
  '\u20ac': '\\euro ',
  '\u00a3': '\\poundsterling ',
  '\u00a5': '\\yen ',
  '\u20b9': '\\rupee ',
  '\u00a2': '\\text{ cents}',
  '\u3002': '.',
  '\u3001': ',',
  '\u2026': '...',
  '\u066b': '.',
  '\u2236': ':',
  '\u201c': '"',
  '\u201d': '"',
  '\u2018': "'",
  '\u2019': "'",
  '\u2009': '\\,',
  '\u202f': '\\,',
  '\u00a0': '\\,',
  '\u03b1': '\\alpha ',
  '\u03b2': '\\beta ',
  '\u03b3': '\\gamma ',
  '\u03b4': '\\delta ',
  '\u03b5': '\\epsilon ',
  '\u03b8': '\\theta ',
  '\u03bb': '\\lambda ',
  '\u03bc': '\\mu ',
  '\u03c0': '\\pi ',
  '\u03c1': '\\rho ',
  '\u03c3': '\\sigma ',
  '\u03c6': '\\phi ',
  '\u03c9': '\\omega ',
};

/** Vulgar fractions: numerator, denominator. */
const VULGAR: Readonly<Record<string, string>> = {
  '½': '1 2',
  '⅓': '1 3',
  '⅔': '2 3',
  '¼': '1 4',
  '¾': '3 4',
  '⅕': '1 5',
  '⅖': '2 5',
  '⅗': '3 5',
  '⅘': '4 5',
  '⅙': '1 6',
  '⅚': '5 6',
  '⅐': '1 7',
  '⅛': '1 8',
  '⅜': '3 8',
  '⅝': '5 8',
  '⅞': '7 8',
  '⅑': '1 9',
  '⅒': '1 10',
  '↉': '0 3',
};

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻';
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉₊₋';
const SCRIPT_VALUES = '0123456789+-';
/** First digits of other decimal scripts: Arabic-Indic, Persian, Devanagari, and the mathematical alphanumerics. */
const DIGIT_ZEROS = [0x0660, 0x06f0, 0x0966, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6];

/** Returns the cleaned answer; it may be empty. Linear in the length. */
export function cleanAnswer(raw: string): string {
  let s = mapCharacters(raw.trim()).replace(/\s+/g, ' ');
  // A thousands separator first: `\!` and `\,` are dropped or become white space below.
  s = s.replace(/(\d),\\!\s*(?=\d{3}(?!\d))/g, '$1,').replace(/(\d)\{,\}(?=\d{3}(?!\d))/g, '$1,');
  s = s.replace(/(?<![\d.,])\d{1,3}(?:\\[,;:]\s?\d{3})+(?![\d])/g, (m) => m.replace(/\\[,;:]\s?/g, ''));
  s = s.replace(/\\[dtc]frac(?![a-zA-Z])/g, '\\frac').replace(/\\!/g, '');
  s = s.replace(/\\(?:left|right)(?![a-zA-Z])\s*\.?/g, '').replace(/\\[bB]igg?[lrm]?(?![a-zA-Z])/g, '');
  s = s.replace(/\\(?:displaystyle|textstyle|limits|mathstrut|nobreak)(?![a-zA-Z])/g, ' ');
  s = s
    .replace(/(?<!\\)\\(?:[,;: >\n]|q?quad(?![a-zA-Z])|enspace(?![a-zA-Z])|thinspace(?![a-zA-Z]))|~/g, ' ')
    .replace(/ +/g, ' ');
  s = s.replace(/ ?\^ ?(?:\{\s*\\(?:circ|degree)\s*\}|\\(?:circ|degree)(?![a-zA-Z]))/g, '\\degree ');
  s = s.replace(/\\%/g, '%').replace(/\\\$/g, '\\dollar ');
  s = s.replace(/\b([ap])\.\s?m\.?(?![a-zA-Z])/gi, '$1m').replace(/ +/g, ' ');
  return unwrap(s);
}

function mapCharacters(raw: string): string {
  let out = '';
  let script: '' | '^' | '_' = '';
  const characters = [...raw];
  for (let i = 0; i < characters.length; i++) {
    const c = characters[i]!;
    const superscript = SUPERSCRIPTS.indexOf(c);
    const subscript = SUBSCRIPTS.indexOf(c);
    const kind = superscript >= 0 ? '^' : subscript >= 0 ? '_' : '';
    if (kind !== script) {
      if (script !== '') out += '}';
      if (kind !== '') out += `${kind}{`;
      script = kind;
    }
    if (kind !== '') {
      out += SCRIPT_VALUES[superscript >= 0 ? superscript : subscript]!;
      continue;
    }
    out += mapCharacter(c, out, characters[i + 1]);
  }
  return script === '' ? out : `${out}}`;
}

function mapCharacter(c: string, before: string, next: string | undefined): string {
  const code = c.codePointAt(0)!;
  if (code < 0x80) return c;
  const mapped = CHARACTERS[c];
  if (mapped !== undefined) return mapped;
  const vulgar = VULGAR[c];
  if (vulgar !== undefined) {
    const [n, d] = vulgar.split(' ');
    return `\\frac{${n}}{${d}}`;
  }
  // Fullwidth forms are ASCII, shifted.
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  if (code === 0x3000) return ' ';
  // A long dash before a number is a minus; between two things it may be a range, and stays.
  if (code >= 0x2013 && code <= 0x2015) return /[\w)\]}]\s*$/.test(before.slice(-8)) ? c : '-';
  // A middle dot between digits may be a decimal point: it stays, and is not understood.
  if (code === 0x00b7) return /\d$/.test(before) && next !== undefined && /\d/.test(next) ? c : '\\cdot ';
  if (/\p{Cf}/u.test(c)) return '';
  for (const zero of DIGIT_ZEROS) if (code >= zero && code <= zero + 9) return String(code - zero);
  return c;
}

/** Takes off what surrounds a whole answer: math delimiters, boxes, text commands, emphasis, quotes, final punctuation. */
function unwrap(s: string): string {
  let current = s.trim();
  for (let round = 0; round < 12; round++) {
    const before = current;
    current = withoutFinalPunctuation(current);
    current =
      withoutPair(current, '$$', '$$') ??
      withoutPair(current, '\\(', '\\)') ??
      withoutPair(current, '\\[', '\\]') ??
      current;
    current =
      withoutPair(current, '**', '**') ??
      withoutPair(current, '"', '"') ??
      withoutPair(current, "'", "'") ??
      withoutPair(current, '`', '`') ??
      current;
    if (!current.startsWith('$$')) current = withoutPair(current, '$', '$') ?? current;
    current = withoutCommand(current) ?? current;
    if (current === before) break;
  }
  return dollars(current).replace(/\s+/g, ' ').trim();
}

/** Drops a closing ".", ",", ";" or ":", but no ellipsis and no LaTeX spacing. */
function withoutFinalPunctuation(s: string): string {
  if (s.endsWith('...')) return s;
  let end = s.length;
  while (end > 0 && '.,;: '.includes(s[end - 1]!)) end--;
  if (s[end - 1] === '\\') end++;
  return s.slice(0, end);
}

function withoutPair(s: string, open: string, close: string): string | null {
  if (s.length <= open.length + close.length || !s.startsWith(open) || !s.endsWith(close)) return null;
  const inner = s.slice(open.length, -close.length);
  return inner.includes(open) || inner.includes(close) ? null : inner.trim();
}

/** `\boxed{X}`, `\text{X}` and the like around a whole answer give X. */
function withoutCommand(s: string): string | null {
  const command =
    /^\\(?:boxed|fbox|text|textbf|textit|textrm|textnormal|mathrm|mathbf|mathit|mbox|displaylines)\s*\{/.exec(
      s,
    );
  if (command === null || !s.endsWith('}')) return null;
  let depth = 0;
  for (let i = command[0].length - 1; i < s.length; i++) {
    const c = s[i];
    if (c === '\\') i++;
    else if (c === '{') depth++;
    else if (c === '}' && --depth === 0)
      return i === s.length - 1 ? s.slice(command[0].length, -1).trim() : null;
  }
  return null;
}

/**
 * What is left of `$`: a pair without white space inside its ends, and without a digit behind, delimits mathematics;
 * any other is money.
 */
function dollars(s: string): string {
  if (!s.includes('$')) return s;
  const pairs = s.replace(/\$(?=\S)([^$]*[^$\s])\$(?!\d)/g, ' $1 ');
  return pairs.replace(/\$/g, '\\dollar ');
}
