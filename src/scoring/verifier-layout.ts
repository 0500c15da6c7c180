import { fillPiece, type LayoutTokenizer } from '../domain/text-layout.ts';
import type { VerifierLayout } from '../domain/verifier.ts';

/** Tokens that a verifier reads to judge a step or a solution; the score stands at the last one. */
export interface VerifierReading {
  /** Up to the end of the step. What it is for one step begins what it is for the next. */
  readonly stem: readonly number[];
  /** Read after the stem and then forgotten. */
  readonly probe: readonly number[];
}

/**
 * The tokens for judging the last of some steps, after those before it; or, by a verifier that reads solutions, all.
 *
 * @param steps texts of the steps, one at least; blanks around them and line breaks within are the model's own affair
 * @throws RangeError if the layout needs a chat template that the tokenizer has not
 */
export function layOut(
  layout: VerifierLayout,
  tokenizer: LayoutTokenizer,
  problem: string,
  steps: readonly string[],
): VerifierReading {
  const pieces: string[] = [];
  const add = (templates: readonly string[], number: number): void => {
    const texts = { problem, step: steps[number - 1] ?? '', number };
    for (const template of templates) pieces.push(fillPiece(template, tokenizer, texts));
  };

  add(layout.prompt, 0);
  for (let number = 1; number <= steps.length; number++) {
    if (number > 1) add(layout.between, number);
    add(number === 1 ? (layout.first ?? layout.step) : layout.step, number);
  }
  const stem = encode(pieces, layout.joined, tokenizer);
  if (layout.probe.length === 0) return { stem, probe: [] };
  const stems = pieces.length;
  add(layout.probe, steps.length);
  if (!layout.joined) return { stem, probe: encode(pieces.slice(stems), false, tokenizer) };
  const whole = encode(pieces, true, tokenizer);
  // A probe whose beginning melts into the step is read from the place where the two part.
  let shared = 0;
  while (shared < stem.length && stem[shared] === whole[shared]) shared++;
  return { stem: stem.slice(0, shared), probe: whole.slice(shared) };
}

function encode(pieces: readonly string[], joined: boolean, tokenizer: LayoutTokenizer): number[] {
  return joined
    ? tokenizer.encode(pieces.join(''))
    : pieces.flatMap((piece) => (piece === '' ? [] : tokenizer.encode(piece)));
}
