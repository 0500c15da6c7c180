/** Bounds on everything a person, a link or a file may ask for. Nothing outside them reaches a model. */
export const LIMITS = {
  /** Lanes of one run. */
  maxLanes: 64,
  /** Characters of a problem. */
  maxProblemCharacters: 2_000,
  /** Characters of a correct answer that a person gives. */
  maxAnswerCharacters: 1_000,
  /** Characters of a solution that a person edited. */
  maxSolutionCharacters: 20_000,
  /** Tokens that one lane may write. */
  maxTokens: 4_096,
  /** Sampling temperature; 0 means greedy. */
  maxTemperature: 2,
  /** Seeds are unsigned 32-bit integers. */
  maxSeed: 0xffff_ffff,
} as const;
