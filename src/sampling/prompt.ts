import type { LaneTokenizer } from './tokenizer.ts';

/**
 * The token ids of a problem, ready for the first line of a solution: `bos` (if the model has one), the problem on
 * one line, a newline. Line breaks and runs of spaces in the problem become single spaces, because a newline is
 * what ends a step.
 */
export function encodePrompt(tokenizer: LaneTokenizer, problem: string): number[] {
  const line = problem.replace(/\s+/gu, ' ').trim();
  const ids = tokenizer.encode(`${line}\n`);
  return tokenizer.bos === null ? ids : [tokenizer.bos, ...ids];
}
