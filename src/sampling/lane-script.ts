import type { LaneTokenizer } from './tokenizer.ts';

/** What a lane has written, in the tokens that the model reads after the prompt. */
export interface LaneScript {
  readonly tokens: readonly number[];
  /** For each step the number of tokens up to its newline, and with it. */
  readonly stepEnds: readonly number[];
  /** Number of tokens before the line that is being written; blank lines may lie between it and the last step. */
  readonly lineStart: number;
  /** Text of each step. */
  readonly lines: readonly string[];
  /** Text of the line that is being written, as far as it is shown. */
  readonly partial: string;
}

/** A lane before its first token. */
export const EMPTY_SCRIPT: LaneScript = { tokens: [], stepEnds: [], lineStart: 0, lines: [], partial: '' };

/**
 * The script of a text, for a lane whose tokens are not known. They may differ from those that were sampled: a text
 * can be cut into tokens in more than one way, and this is the tokenizer's.
 */
export function encodeScript(
  tokenizer: LaneTokenizer,
  lines: readonly string[],
  partial: string,
): LaneScript {
  const tokens: number[] = [];
  const stepEnds: number[] = [];
  for (const line of lines) {
    tokens.push(...tokenizer.encode(oneLine(line)), tokenizer.newline);
    stepEnds.push(tokens.length);
  }
  const lineStart = tokens.length;
  if (partial !== '') tokens.push(...tokenizer.encode(oneLine(partial)));
  return { tokens, stepEnds, lineStart, lines, partial };
}

/** The first `steps` steps of a script. */
export function firstSteps(script: LaneScript, steps: number): LaneScript {
  const length = steps === 0 ? 0 : script.stepEnds[steps - 1]!;
  return {
    tokens: script.tokens.slice(0, length),
    stepEnds: script.stepEnds.slice(0, steps),
    lineStart: length,
    lines: script.lines.slice(0, steps),
    partial: '',
  };
}

/** Whether a script begins with these lines, which must all be finished ones. */
export function beginsWith(script: LaneScript, lines: readonly string[]): boolean {
  return lines.length <= script.lines.length && lines.every((line, i) => line === script.lines[i]);
}

/** A newline is what ends a step: those within one, which other programs write, are spaces to the model. */
function oneLine(text: string): string {
  return text.replace(/\s*[\n\r]\s*/gu, ' ');
}
