/** A step split for display: what the line is about, and its statement with typographic operators. */
export interface TypesetStep {
  readonly label: string | null;
  readonly statement: string;
  /** Whether it is a sentence rather than an equation. */
  readonly isProse: boolean;
}

const LABELLED = /^\s*([^:=]{1,120}):\s+(\S.*)$/s;

/** A label names a quantity. What is longer, or has a comma, is a clause of a sentence. */
const LONGEST_LABEL_WORDS = 8;

/** Words in a row, as only sentences have them. */
const PROSE = /[a-z]{2,}\s+[a-z]{2,}\s+[a-z]+/iu;

/** `4*12=48` becomes `4 × 12 = 48`. Text without an equation stays as it is: its hyphens are hyphens. */
export function typesetArithmetic(text: string): string {
  const equals = text.lastIndexOf('=');
  if (equals < 0) return text;
  // A slash after the last "=" is a fraction, the value; before it, it is a division.
  // Between words it stands for "per" or "or".
  const left = text
    .slice(0, equals)
    .replace(/(?<=[\d)%]|\b[a-z]|\d[a-z])\s*\/\s*(?=[\d(.$]|[a-z]\b)/gi, ' ÷ ');
  return (left + text.slice(equals))
    .replace(/(?<=[\w)%])\s*\*\s*(?=[-\w(.$])/g, ' × ')
    .replace(/(?<=\d)\s*x\s*(?=\$?\d)|(?<=[\d)%]) x (?=[\d(.$])/gi, ' × ')
    .replace(/(?<=[\d)%]|\b[a-z]|\d[a-z])\s*-\s*(?=[\d(.$]|[a-z]\b)/gi, ' − ')
    .replace(/(?<=[\w)%])\s*\+\s*(?=[-\w(.$])/g, ' + ')
    .replace(/\s*=\s*/g, ' = ')
    .replace(/(^|[=(×÷+−]\s?)-(?=[\d.(])/g, '$1−')
    .trim();
}

export function typesetStep(text: string): TypesetStep {
  const match = LABELLED.exec(text);
  const [, label = '', rest = ''] = match ?? [];
  const isLabel = match !== null && !/[,;]/u.test(label) && label.split(/\s+/u).length <= LONGEST_LABEL_WORDS;
  return {
    label: isLabel ? label : null,
    statement: typesetArithmetic(isLabel ? rest : text),
    isProse: !isLabel && PROSE.test(text),
  };
}

/** A step as one line of text with typographic operators, as screen readers say it best. */
export function spokenStep(text: string): string {
  const { label, statement } = typesetStep(text);
  return label === null ? statement : `${label}: ${statement}`;
}

/** A piece of text that is either plain or TeX. */
export interface MathSegment {
  readonly kind: 'text' | 'math';
  readonly value: string;
  readonly display: boolean;
}

const DELIMITED =
  /\$\$([^$]+)\$\$|\\\[(.+?)\\\]|\\\((.+?)\\\)|\$([^$\n]*\\[a-zA-Z][^$\n]*)\$|((?:\\[a-zA-Z]+(?:\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})+)+)/gs;

/** Whether there is any TeX in the text; dollar signs alone are money. */
export function hasMath(text: string): boolean {
  return splitMath(text).some((segment) => segment.kind === 'math');
}

/** Splits text at `$…$` (with a command inside), `$$…$$`, `\(…\)`, `\[…\]` and bare commands with braces. */
export function splitMath(text: string): MathSegment[] {
  if (!text.includes('\\') && !text.includes('$$')) return [{ kind: 'text', value: text, display: false }];
  const segments: MathSegment[] = [];
  let end = 0;
  for (const match of text.matchAll(DELIMITED)) {
    if (match.index > end)
      segments.push({ kind: 'text', value: text.slice(end, match.index), display: false });
    const value = (match.slice(1) as (string | undefined)[]).find((group) => group !== undefined) ?? '';
    segments.push({ kind: 'math', value, display: match[1] !== undefined || match[2] !== undefined });
    end = match.index + match[0].length;
  }
  if (end < text.length) segments.push({ kind: 'text', value: text.slice(end), display: false });
  return segments;
}
