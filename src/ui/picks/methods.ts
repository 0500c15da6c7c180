import type { PickMethod, Reduction } from '../../domain/pick.ts';

/** How a way of picking is called and, for somebody who has never heard of it, what it does. */
export interface MethodText {
  readonly title: string;
  readonly short: string;
  readonly how: string;
}

export const METHOD_TEXTS: Record<PickMethod, MethodText> = {
  prm: {
    title: 'PRM best-of-N',
    short: 'PRM',
    how: 'Judges every step. Takes the solution whose steps hold up best.',
  },
  orm: {
    title: 'ORM best-of-N',
    short: 'ORM',
    how: 'Judges the finished solution once. Takes the best one.',
  },
  majority: {
    title: 'Majority vote',
    short: 'Majority',
    how: 'Judges nothing. Takes the answer most solutions end in.',
  },
  'prm-weighted': {
    title: 'PRM-weighted vote',
    short: 'Weighted',
    how: 'A vote in which each solution counts by its PRM score.',
  },
  'orm-weighted': {
    title: 'ORM-weighted vote',
    short: 'ORM-weighted',
    how: 'A vote in which each solution counts by its ORM score.',
  },
};

export const REDUCTION_TEXTS: Record<Reduction, string> = {
  product: 'product of the rewards',
  min: 'smallest reward',
  last: 'reward of the last step',
  mean: 'mean of the rewards',
  'geometric-mean': 'geometric mean',
};
