/** A maths problem in plain text, with the correct answer where somebody gave it. */
export interface Problem {
  readonly text: string;
  /** The correct answer as a person wrote it; `null` where it is not known. */
  readonly answer: string | null;
}
