/** A token with its natural-log probability under the model itself (temperature 1, no filter). */
export interface LikelyToken {
  readonly token: number;
  readonly logprob: number;
}

/**
 * The natural-log probability of one token of a row of logits.
 *
 * @throws RangeError if the row holds no probabilities: the device computes wrongly
 */
export function tokenLogprob(
  logits: Float32Array,
  offset: number,
  vocabulary: number,
  token: number,
): number {
  return logits[offset + token]! - logNorm(logits, offset, vocabulary);
}

/**
 * The most likely tokens of a row of logits, most likely first; ties go to the smaller id.
 *
 * @throws RangeError as {@link tokenLogprob}
 */
export function likeliestTokens(
  logits: Float32Array,
  offset: number,
  vocabulary: number,
  count: number,
): LikelyToken[] {
  const norm = logNorm(logits, offset, vocabulary);
  const best: LikelyToken[] = [];
  for (let token = 0; token < vocabulary; token++) {
    const logprob = logits[offset + token]! - norm;
    if (best.length === count && logprob <= best[count - 1]!.logprob) continue;
    const at = best.findIndex((other) => logprob > other.logprob);
    best.splice(at < 0 ? best.length : at, 0, { token, logprob });
    if (best.length > count) best.pop();
  }
  return best;
}

/** Natural logarithm of the sum of the exponentials of a row. */
function logNorm(logits: Float32Array, offset: number, vocabulary: number): number {
  const end = offset + vocabulary;
  let max = -Infinity;
  for (let i = offset; i < end; i++) {
    const x = logits[i]!;
    if (x > max) max = x;
    else if (x !== x) throw new RangeError('The model computed a logit that is not a number.');
  }
  if (!Number.isFinite(max)) throw new RangeError('The model computed no finite logit.');
  let total = 0;
  for (let i = offset; i < end; i++) total += Math.exp(logits[i]! - max);
  return max + Math.log(total);
}
