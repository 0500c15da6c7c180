import type { StepRule } from '../domain/model-choice.ts';

/** Where a step ends in what was written since the last one. */
export interface StepEnd {
  /** Text of the step on one line; empty if nothing was written that counts. */
  readonly text: string;
  /** Length of what the step takes, its end included. */
  readonly length: number;
}

/** A line that announces what follows: a Markdown heading, bold text alone, or "Step 3:". */
const HEADING = /^(?:#{1,6}\s.*|\*\*[^*]+\*\*:?|(?:step|schritt)\s*\d+\s*[:.)-]?)$/iu;

const THOUGHTS = /<think>[\s\S]*?<\/think>/gu;

/** Begin and end of display maths. A line break with a distance, as in "\\[2pt]", is neither. */
const BRACKETS = /(?<!\\)\\[[\]]/gu;

/**
 * Finds the end of the first step in a text, by a rule (see `StepRule`). `null` while the step is unfinished.
 *
 * @param closed whether nothing can follow: then what is there is a step
 * @param seen length of the beginning in which no end was found before; it is not searched again
 */
export function findStepEnd(text: string, rule: StepRule, closed = false, seen = 0): StepEnd | null {
  if (rule === 'line') {
    const newline = text.indexOf('\n', seen);
    if (newline >= 0) return { text: text.slice(0, newline), length: newline + 1 };
    return closed ? { text, length: text.length } : null;
  }
  for (let from = seen; ;) {
    const newline = text.indexOf('\n', from);
    if (newline < 0) return closed ? { text: shown(text), length: text.length } : null;
    from = newline + 1;
    if (isOpen(text.slice(0, newline))) continue;
    const written = shown(text.slice(0, newline));
    // Blank lines and thoughts before a step belong to none.
    if (written === '') return { text: '', length: from };
    if (isHeading(text.slice(0, newline))) continue;
    if (rule === 'block' || lineBefore(text, newline).trim() === '') return { text: written, length: from };
  }
}

/** What is shown of a step's text: without thoughts, on one line. */
export function shown(text: string): string {
  const spoken = text.replace(/<think>[\s\S]*?(?:<\/think>|$)/gu, '');
  return spoken.replace(/\s*\n\s*/gu, ' ').trim();
}

/** Whether a text stops within thoughts or display maths. */
function isOpen(text: string): boolean {
  if (text.lastIndexOf('<think>') > text.lastIndexOf('</think>')) return true;
  // What was thought need not be balanced.
  const spoken = text.replace(THOUGHTS, '');
  return spoken.match(BRACKETS)?.at(-1) === '\\[' || spoken.split('$$').length % 2 === 0;
}

/** Whether a text is nothing but headings so far. */
function isHeading(text: string): boolean {
  const lines = text.replace(THOUGHTS, '').split('\n');
  return lines.every((line) => line.trim() === '' || HEADING.test(line.trim()));
}

function lineBefore(text: string, newline: number): string {
  return text.slice(text.lastIndexOf('\n', newline - 1) + 1, newline);
}
