/** How a verifier's input is laid out. Every string is a piece of text that `fillPiece` fills in. */
export interface VerifierLayout {
  /** Whether all text is tokenised as one; otherwise each piece is tokenised apart, as models trained by TRL need it. */
  readonly joined: boolean;
  /** Read once, before the steps. */
  readonly prompt: readonly string[];
  /** Read for the first step in place of `step`, if it differs. */
  readonly first?: readonly string[] | undefined;
  /** Read for each step. The score stands at its last token, unless there is a probe. */
  readonly step: readonly string[];
  /** Read between two steps. */
  readonly between: readonly string[];
  /** Read after the step that is judged and forgotten before the next one: the score stands at its last token. */
  readonly probe: readonly string[];
}

/** Where in a graph's outputs the score is, and what makes it a probability. */
export type VerifierHead =
  /** One of `width` outputs that are probabilities already. */
  | { readonly kind: 'probability'; readonly output: string; readonly index: number; readonly width: number }
  /** Softmax over `width` labels, at the positive one (token classification). */
  | { readonly kind: 'labels'; readonly output: string; readonly positive: number; readonly width: number }
  /** Sigmoid of one number: a value head, or a preference model's logit (Bradley-Terry). */
  | { readonly kind: 'sigmoid'; readonly output: string }
  /** Softmax over the logits of two tokens of the vocabulary, each given as text. */
  | { readonly kind: 'tokens'; readonly output: string; readonly good: string; readonly bad: string };

/** A verifier's way of reading, as data: the manifest and the registry of models hold it. */
export interface VerifierAdapter {
  /** `steps`: a process reward model; `solution`: an outcome reward model, which reads finished solutions. */
  readonly reads: 'steps' | 'solution';
  readonly layout: VerifierLayout;
  readonly head: VerifierHead;
  /** What its scores may be compared with. A preference model's mean nothing beside those of another problem. */
  readonly comparable: 'everywhere' | 'within-problem';
}
