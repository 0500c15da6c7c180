/** A token with its probability under the generator, at temperature 1 and with no filter. */
export interface TokenProbability {
  /** What it writes; a part of a character shows as U+FFFD, and a token that ends the solution as nothing. */
  readonly text: string;
  readonly probability: number;
}

/** One token of a step, and what the generator could have written in its place. */
export interface StepToken extends TokenProbability {
  /** The five most likely tokens there, most likely first; the written one may be among them. */
  readonly alternatives: readonly TokenProbability[];
}
