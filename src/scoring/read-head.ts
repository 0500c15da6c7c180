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
      return probability(row.length === head.width ? row[head.index] : undefined);
    case 'labels':
      return probability(row.length === head.width ? softmaxAt(row, head.positive) : undefined);
    case 'sigmoid':
      return probability(row.length === 1 ? 1 / (1 + Math.exp(-row[0]!)) : undefined);
    case 'tokens': {
      const good = row[head.good];
      const bad = row[head.bad];
      return probability(
        good === undefined || bad === undefined ? undefined : 1 / (1 + Math.exp(bad - good)),
      );
    }
  }
}

function softmaxAt(row: Float32Array, index: number): number {
  let most = -Infinity;
  for (const value of row) most = Math.max(most, value);
  let sum = 0;
  for (const value of row) sum += Math.exp(value - most);
  return Math.exp((row[index] ?? NaN) - most) / sum;
}

/** @throws RangeError if a value is no probability */
export function probability(value: number | undefined): number {
  if (value === undefined || !(value >= 0 && value <= 1)) {
    throw new RangeError(`The verifier computed a reward of ${value}, which is no probability.`);
  }
  return value;
}
