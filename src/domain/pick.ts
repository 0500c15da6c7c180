/** How the rewards of a solution's steps become one score. The paper takes the product. */
export type Reduction = 'product' | 'min' | 'last' | 'mean' | 'geometric-mean';

/** The ways of choosing an answer from N solutions. */
export type PickMethod = 'prm' | 'orm' | 'majority' | 'prm-weighted' | 'orm-weighted';

/** What a person may change about picking without running a model. */
export interface PickOptions {
  readonly reduction: Reduction;
  /** Use only the first n lanes. */
  readonly n: number;
}

/** Why an answer was picked, as numbers. A sentence is made of it where it is shown. */
export type PickReason =
  /** Best-of-N: the best score and the best score among solutions with another answer. */
  | {
      readonly kind: 'best-score';
      readonly score: number;
      readonly runnerUp: { readonly lane: number; readonly score: number } | null;
    }
  /** A vote: total weight of the picked group and of the next one. Weight is the number of lanes for majority. */
  | {
      readonly kind: 'vote';
      readonly weight: number;
      readonly total: number;
      readonly runnerUp: { readonly answer: string; readonly weight: number } | null;
      /** Whether the earliest lane decided between equal weights. */
      readonly tie: boolean;
    };

/** The outcome of one way of picking. */
export type Pick =
  | {
      readonly kind: 'picked';
      readonly method: PickMethod;
      /** The lane whose solution stands for the pick: the best one, or the earliest of the winning group. */
      readonly lane: number;
      readonly answer: string;
      readonly reason: PickReason;
    }
  /** No lane is eligible (none has an answer, or none has the score that the method needs). */
  | { readonly kind: 'none'; readonly method: PickMethod; readonly message: string };
