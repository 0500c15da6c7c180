/** How the rewards of a solution's steps become one score. The paper takes the product. */
export type Reduction = 'product' | 'min' | 'last' | 'mean' | 'geometric-mean';

/** All reductions, in the order in which they are shown. */
export const REDUCTIONS: readonly Reduction[] = ['product', 'min', 'last', 'mean', 'geometric-mean'];

/** The ways of choosing an answer from N solutions. */
export type PickMethod = 'prm' | 'orm' | 'majority' | 'prm-weighted' | 'orm-weighted';

/** All methods, in the order in which they are shown. */
export const PICK_METHODS: readonly PickMethod[] = ['prm', 'orm', 'majority', 'prm-weighted', 'orm-weighted'];

/** What a PRM's neutral class counts as. The paper's default is positive. */
export type NeutralRule = 'positive' | 'negative';

/** A three-class PRM's verdict on a step, as probabilities that sum to 1. */
export interface StepClasses {
  readonly positive: number;
  readonly neutral: number;
  readonly negative: number;
}

/**
 * What picking reads of a step. Where `classes` are known they and the neutral rule give the reward, so that the
 * rule can be changed without running a model; else `reward` is used as it is. A `Step` is one.
 */
export interface RewardedStep {
  readonly reward: number | null;
  readonly classes?: StepClasses | null;
}

/** A step is suspected to be wrong when its reward is below this, unless a person sets another threshold. */
export const DEFAULT_THRESHOLD = 0.5;

/** What a person may change about picking without running a model. */
export interface PickOptions {
  readonly reduction: Reduction;
  /** Use only the first n lanes. */
  readonly n: number;
  /** What neutral counts as where a PRM has three classes; positive if not given. */
  readonly neutral?: NeutralRule;
}

/** What a score was computed from: the step rewards by a reduction, or the outcome reward. */
export type Measure = Reduction | 'outcome';

/** Why an answer was picked, as numbers. A sentence is made of it where it is shown. */
export type PickReason =
  /** Best-of-N: the best score and the best score among solutions with another answer. */
  | {
      readonly kind: 'best-score';
      readonly measure: Measure;
      readonly score: number;
      /** Natural log of the score: it tells apart scores that are too small for a number. */
      readonly logScore: number;
      /** Lanes that took part. */
      readonly lanes: number;
      readonly runnerUp: {
        readonly lane: number;
        readonly answer: string;
        readonly score: number;
        readonly logScore: number;
      } | null;
      /** Whether the earliest lane decided between equal scores of different answers. */
      readonly tie: boolean;
    }
  /** A vote: total weight of the picked group and of the next one. Weight is the number of lanes for majority. */
  | {
      readonly kind: 'vote';
      readonly measure: Measure | 'count';
      readonly weight: number;
      readonly logWeight: number;
      /** Weight of all groups. */
      readonly total: number;
      /** Lanes in the picked group. */
      readonly votes: number;
      /** Lanes that voted. */
      readonly lanes: number;
      readonly runnerUp: {
        readonly lane: number;
        readonly answer: string;
        readonly weight: number;
        readonly logWeight: number;
        readonly votes: number;
      } | null;
      /** Whether the earliest lane decided between equal weights. */
      readonly tie: boolean;
    };

/** Why a lane took no part in a pick. */
export type ExclusionReason =
  /** It is still being written. */
  | { readonly kind: 'running' }
  /** It ended without an answer. */
  | { readonly kind: 'no-answer'; readonly message: string }
  /** It has an answer but no step that could be scored. */
  | { readonly kind: 'no-steps' }
  /** The PRM has not read all steps; `missing` are their indices. */
  | { readonly kind: 'missing-rewards'; readonly missing: readonly number[]; readonly steps: number }
  /** A reward from outside is not a number from 0 to 1. */
  | { readonly kind: 'bad-reward'; readonly step: number }
  | { readonly kind: 'missing-outcome' }
  | { readonly kind: 'bad-outcome' };

/** A lane that took no part in a pick, and why. */
export interface Exclusion {
  readonly lane: number;
  readonly reason: ExclusionReason;
}

/** The outcome of one way of picking. Lanes are indices into the run's solutions. */
export type Pick =
  | {
      readonly kind: 'picked';
      readonly method: PickMethod;
      /** The lane whose solution stands for the pick: the best one, or the earliest of the winning group. */
      readonly lane: number;
      readonly answer: string;
      readonly reason: PickReason;
      readonly excluded: readonly Exclusion[];
    }
  /** No lane is eligible (none has an answer, or none has the score that the method needs). */
  | {
      readonly kind: 'none';
      readonly method: PickMethod;
      readonly message: string;
      readonly excluded: readonly Exclusion[];
    };
