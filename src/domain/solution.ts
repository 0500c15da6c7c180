import type { StepClasses } from './pick.ts';

/** One finished line of a lane. */
export interface Step {
  readonly text: string;
  /** Number of tokens, the newline included. */
  readonly tokens: number;
  /** Sum of the generator's natural-log probabilities of these tokens, before temperature and filters. */
  readonly logprob: number;
  /** P(this step is correct | the earlier ones are), in [0, 1]; `null` until the PRM has read it. */
  readonly reward: number | null;
  /** What the model wrote, where that is more than `text`: its thoughts, or several lines that are one step. */
  readonly raw?: string;
  /** The verdict in three classes where a PRM or a person gave one; then `reward` counts neutral as positive. */
  readonly classes?: StepClasses;
}

/** Why a lane stopped. Only a lane that ended by `answer` is eligible to be picked. */
export type LaneEnd =
  | { readonly kind: 'answer' }
  /** The token budget or the model's context ran out. */
  | { readonly kind: 'length' }
  /** The model stopped without declaring an answer. */
  | { readonly kind: 'no-answer' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'error'; readonly message: string };

/** One lane: a sample of the generator, as far as it has been written. */
export interface Solution {
  /** Index of the lane, from 0; its random stream depends on it and on the seed only. */
  readonly lane: number;
  readonly steps: readonly Step[];
  /** Text of the line that is being written. */
  readonly partial: string;
  /** P(final answer correct), in [0, 1]; `null` until the ORM has read the finished solution. */
  readonly outcomeReward: number | null;
  /** The declared final answer, `null` while there is none. */
  readonly answer: string | null;
  /** `null` while the lane is being written. */
  readonly end: LaneEnd | null;
  /** Where it began, if it continues another lane; `null` if it was sampled from the problem alone. */
  readonly forkedFrom: Fork | null;
}

/** A lane that shares the first steps of another one. */
export interface Fork {
  readonly lane: number;
  /** Number of steps that were taken over. */
  readonly steps: number;
  /** Whether a person wrote what follows: no sample of the generator. */
  readonly edited?: boolean;
}

/** A lane before its first token. */
export function emptySolution(lane: number): Solution {
  return { lane, steps: [], partial: '', outcomeReward: null, answer: null, end: null, forkedFrom: null };
}

/** Whether a pick may choose this lane: it has ended by an answer. */
export function isEligible(
  solution: Solution,
): solution is Solution & { readonly answer: string; readonly end: { readonly kind: 'answer' } } {
  return solution.end?.kind === 'answer' && solution.answer !== null;
}

/** Says why a lane cannot be picked, or `null` if it can (or may still). */
export function ineligibleReason(solution: Solution): string | null {
  if (isEligible(solution) || solution.end === null) return null;
  switch (solution.end.kind) {
    case 'answer':
    case 'no-answer':
      return 'stopped without an answer';
    case 'length':
      return 'ran out of tokens before an answer';
    case 'cancelled':
      return 'cancelled before an answer';
    case 'error':
      return `stopped by an error: ${solution.end.message}`;
  }
}
