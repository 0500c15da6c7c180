import { fillPiece, type LayoutTokenizer } from '../domain/text-layout.ts';
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

/** Token ids of a prompt that an adapter lays out: all pieces as one text. */
export function encodeLayout(
  tokenizer: LayoutTokenizer,
  pieces: readonly string[],
  problem: string,
): number[] {
  return tokenizer.encode(pieces.map((piece) => fillPiece(piece, tokenizer, { problem })).join(''));
}
