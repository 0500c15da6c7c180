import type { VerifierHead } from '../domain/verifier.ts';

/** A head with its tokens looked up. */
export type ReadableHead =
  | Exclude<VerifierHead, { readonly kind: 'tokens' }>
  | { readonly kind: 'tokens'; readonly output: string; readonly good: number; readonly bad: number };

/**
 * Looks up the tokens of a head.
 *
 * @throws RangeError if one of its texts is not a single token
 */
export function readableHead(head: VerifierHead, encode: (text: string) => number[]): ReadableHead {
  if (head.kind !== 'tokens') return head;
  const single = (text: string): number => {
    const ids = encode(text);
    if (ids.length !== 1)
      throw new RangeError(
        `The verifier's verdict "${text}" has ${ids.length} tokens in this tokenizer; it must be one.`,
      );
    return ids[0]!;
  };
  return { kind: 'tokens', output: head.output, good: single(head.good), bad: single(head.bad) };
}

/**
 * The score at one position, in [0, 1].
 *
 * @param row outputs at that position
 * @throws RangeError if they give no probability: the device computes wrongly, or the head is another one
 */
export function readHead(head: ReadableHead, row: Float32Array): number {
  switch (head.kind) {
    case 'probability':
      needWidth(row, head.width);
      return probability(row[head.index]);
    case 'labels':
      needWidth(row, head.width);
      return probability(softmaxAt(row, head.positive));
    case 'sigmoid':
      needWidth(row, 1);
      return probability(sigmoid(row[0]!));
    case 'tokens':
      return probability(sigmoid((row[head.good] ?? NaN) - (row[head.bad] ?? NaN)));
  }
}

function needWidth(row: Float32Array, width: number): void {
  if (row.length !== width)
    throw new RangeError(
      `The verifier gives ${row.length} numbers at a position, and its adapter reads ${width}. Choose the adapter that fits the model.`,
    );
}

/** An infinite logit has overflown: it is no certainty. */
function sigmoid(logit: number): number {
  return Number.isFinite(logit) ? 1 / (1 + Math.exp(-logit)) : NaN;
}

function softmaxAt(row: Float32Array, index: number): number {
  let most = -Infinity;
  for (const value of row) most = Math.max(most, value);
  let sum = 0;
  for (const value of row) sum += Number.isFinite(value) ? Math.exp(value - most) : NaN;
  return Math.exp((row[index] ?? NaN) - most) / sum;
}

/** @throws RangeError if a value is no probability */
export function probability(value: number | undefined): number {
  if (value === undefined || !(value >= 0 && value <= 1)) {
    throw new RangeError(`The verifier computed a reward of ${value}, which is no probability.`);
  }
  return value;
}
