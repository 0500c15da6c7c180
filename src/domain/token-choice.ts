/** What the filters and the temperature need; a part of the run's settings. */
export interface TokenFilter {
  /** Softmax temperature; 0 takes the most likely token. */
  readonly temperature: number;
  /** Keep the k most likely tokens; 0 keeps all. */
  readonly topK: number;
  /** Keep the smallest set of most likely tokens whose probability reaches this; 1 keeps all. */
  readonly topP: number;
  /** Drop tokens less likely than this share of the most likely one; 0 drops none. */
  readonly minP: number;
}

/** A token of a row of logits, with its natural-log probability under the model itself (temperature 1, no filter). */
export interface ChosenToken {
  readonly token: number;
  readonly logprob: number;
}

/**
 * What is asked of one row of logits: to draw a token by a number in (0, 1), or the log-probability of a token that is
 * known. Several may ask the same row.
 */
export type RowRequest =
  | { readonly kind: 'draw'; readonly row: number; readonly u: number }
  | { readonly kind: 'read'; readonly row: number; readonly token: number };

/** Logits that stay on the device which computed them. */
export interface DeviceLogits {
  /**
   * Answers all requests in one go, in their order.
   *
   * @throws RangeError if a row that is asked has a NaN, or no finite number
   */
  choose(requests: readonly RowRequest[], filter: TokenFilter): Promise<readonly ChosenToken[]>;
}

/** What is wrong with logits of which no token can be chosen. */
export const LOGITS_FAULT = {
  tooFew: 'The model computed too few logits.',
  notANumber: 'The model computed a logit that is not a number.',
  notFinite: 'The model computed no finite logit.',
} as const;
