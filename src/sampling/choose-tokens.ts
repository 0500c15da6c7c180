import type { ChosenToken, DeviceLogits, RowRequest, TokenFilter } from '../domain/token-choice.ts';
import { chooseToken } from './choose-token.ts';
import { tokenLogprob } from './token-probabilities.ts';

/**
 * Answers requests to rows of logits: here, or where the logits are.
 *
 * @param logits rows of `vocabulary` logits
 * @throws RangeError as {@link chooseToken}
 */
export async function chooseTokens(
  logits: Float32Array | DeviceLogits,
  vocabulary: number,
  requests: readonly RowRequest[],
  filter: TokenFilter,
): Promise<readonly ChosenToken[]> {
  if (!(logits instanceof Float32Array)) return logits.choose(requests, filter);
  return requests.map((request) => {
    const offset = request.row * vocabulary;
    if (request.kind === 'draw') return chooseToken(logits, offset, vocabulary, filter, request.u);
    const { token } = request;
    return { token, logprob: tokenLogprob(logits, offset, vocabulary, token) };
  });
}
