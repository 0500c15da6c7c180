import { logprobIn, takeLogits } from './choose-token.ts';

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
  return logprobIn(takeLogits(logits, offset, vocabulary), token);
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
  const weighed = takeLogits(logits, offset, vocabulary);
  const best: LikelyToken[] = [];
  for (let token = 0; token < vocabulary; token++) {
    const logprob = logprobIn(weighed, token);
    if (best.length === count && logprob <= best[count - 1]!.logprob) continue;
    const at = best.findIndex((other) => logprob > other.logprob);
    best.splice(at < 0 ? best.length : at, 0, { token, logprob });
    if (best.length > count) best.pop();
  }
  return best;
}
