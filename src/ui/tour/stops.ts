import type { PickMethod } from '../../domain/pick.ts';
import type { Run } from '../../domain/run.ts';
import { formatScore } from '../../picks/sentence.ts';
import { methodList } from '../picks/headline.ts';
import type { Facts, LaneFacts, Truth } from '../state/facts.ts';
import { formatReward, plural } from '../text/numbers.ts';

/** A run with what follows from it: what a stop is chosen by and talks about. */
export interface TourView {
  readonly run: Run;
  readonly facts: Facts;
}

/** Something on the page that a stop points at. */
export type TourTarget =
  | { readonly kind: 'lane'; readonly lane: number }
  | { readonly kind: 'step'; readonly lane: number; readonly step: number }
  | { readonly kind: 'pick'; readonly method: PickMethod };

/** One stop of the tour, as data: which run shows it best, what it points at, what it says about that run. */
export interface TourStop {
  readonly id: string;
  readonly title: string;
  /** How well a run shows it; 0 where it can only be told. */
  readonly fit: (view: TourView) => number;
  readonly target: (view: TourView) => TourTarget;
  /** Two or three sentences, with numbers of the run. */
  readonly text: (view: TourView) => string;
}

const picked = ({ facts }: TourView, method: PickMethod): LaneFacts | null => {
  const pick = facts.picks.find((candidate) => candidate.method === method);
  return pick?.kind === 'picked' ? (facts.lanes[pick.lane] ?? null) : null;
};
const truthOf = (view: TourView, method: PickMethod): Truth | null => picked(view, method)?.truth ?? null;
const answerOf = ({ run }: TourView, lane: number): string => run.solutions[lane]?.answer ?? '–';
const name = (lane: number): string => `lane ${lane + 1}`;
const score = (facts: LaneFacts): string =>
  facts.prm === null ? 'unknown' : formatScore(facts.prm.value, facts.prm.log);
const verdict = (truth: Truth | null): string =>
  truth === 'right' ? ', which is right' : truth === 'wrong' ? ', which is wrong' : '';

/** The lane that a vote is explained by, whose steps explain why it should not have won. */
function suspectLane(view: TourView): LaneFacts | null {
  const elected = picked(view, 'majority');
  if (elected?.suspect !== null && elected?.suspect !== undefined) return elected;
  return view.facts.lanes.find(({ suspect }) => suspect !== null) ?? null;
}

const falsePositive = ({ facts }: TourView): LaneFacts | null =>
  facts.lanes.find(({ truth, suspect, ineligible }) => {
    return truth === 'right' && suspect !== null && ineligible === null;
  }) ?? null;

/** The lane with the most telling product: long enough to be one, and the worst. */
function worstLane({ facts }: TourView): LaneFacts | null {
  return facts.lanes.reduce<LaneFacts | null>((worst, lane) => {
    if (lane.prm === null || lane.ineligible !== null) return worst;
    return worst?.prm === null || worst === null || lane.prm.log < worst.prm.log ? lane : worst;
  }, null);
}

function productOf({ run }: TourView, lane: number): string {
  const rewards = run.solutions[lane]?.steps.map(({ reward }) => reward) ?? [];
  return rewards.map((reward) => (reward === null ? '?' : formatReward(reward))).join(' × ');
}

export const TOUR_STOPS: readonly TourStop[] = [
  {
    id: 'steps',
    title: 'One problem, many solutions',
    fit: (view) => {
      const right = view.facts.lanes.filter(({ truth }) => truth === 'right').length;
      return (right > 0 ? 1 : 0) + (right < view.facts.lanes.length / 2 ? 1 : 0);
    },
    target: (view) => ({ kind: 'lane', lane: picked(view, 'prm')?.lane ?? 0 }),
    text: (view) => {
      const { run, facts } = view;
      const lane = picked(view, 'prm')?.lane ?? 0;
      const right = facts.lanes.filter(({ truth }) => truth === 'right').length;
      const known =
        run.problem.answer === null
          ? ''
          : ` ${right} of the ${facts.lanes.length} end in the correct answer, ${run.problem.answer}.`;
      return (
        `A small model wrote ${plural(facts.lanes.length, 'solution')} to this problem, each with other random choices, side by side in lanes. ` +
        `Every line is a step; ${name(lane)} has ${run.solutions[lane]?.steps.length ?? 0}.${known} Which one would you believe?`
      );
    },
  },
  {
    id: 'rewards',
    title: 'Every step is judged',
    fit: (view) => {
      const lane = suspectLane(view);
      return (lane === null ? 0 : 1) + ((lane?.suspect ?? 0) > 0 ? 1 : 0);
    },
    target: (view) => {
      const lane = suspectLane(view);
      return { kind: 'step', lane: lane?.lane ?? 0, step: lane?.suspect ?? 0 };
    },
    text: (view) => {
      const lane = suspectLane(view);
      const intro =
        'A process reward model (PRM) reads along and gives each step the probability that it is correct: blue is likely, orange is not. ';
      if (lane === null || lane.suspect === null) return `${intro}In this run it doubts no step.`;
      const steps = view.run.solutions[lane.lane]?.steps ?? [];
      const here = steps[lane.suspect]?.reward ?? null;
      const before = steps[lane.suspect - 1]?.reward ?? null;
      const contrast = before === null ? '' : `, after ${formatReward(before)} for the step before`;
      return `${intro}This one got ${here === null ? 'none' : formatReward(here)}${contrast}: the first suspected mistake of ${name(lane.lane)}, which ends in ${answerOf(view, lane.lane)}${verdict(lane.truth)}.`;
    },
  },
  {
    id: 'product',
    title: 'The product is the score',
    fit: (view) => (truthOf(view, 'prm') === 'right' ? 2 : picked(view, 'prm') === null ? 0 : 1),
    target: () => ({ kind: 'pick', method: 'prm' }),
    text: (view) => {
      const best = picked(view, 'prm');
      if (best === null) return 'In this run no solution could be picked by its steps.';
      const worst = worstLane(view);
      const contrast =
        worst === null || worst.lane === best.lane
          ? ''
          : ` One bad step is enough: ${name(worst.lane)} comes to ${score(worst)}.`;
      return `A solution is right if every step is, so its rewards are multiplied: for ${name(best.lane)}, ${productOf(view, best.lane)} = ${score(best)}.${contrast} PRM best-of-N takes the highest product: ${answerOf(view, best.lane)}${verdict(best.truth)}.`;
    },
  },
  {
    id: 'orm',
    title: 'Judging only the outcome',
    fit: (view) => {
      const orm = picked(view, 'orm');
      if (orm === null) return 0;
      // A confident mistake tells more than one by a hair.
      const confidence = orm.orm?.value ?? 0;
      if (orm.truth !== 'wrong') return 1;
      return (truthOf(view, 'prm') === 'right' ? 3 : 2) + confidence / 2;
    },
    target: () => ({ kind: 'pick', method: 'orm' }),
    text: (view) => {
      const orm = picked(view, 'orm');
      if (orm === null)
        return 'An outcome reward model (ORM) reads a finished solution once. This run has none.';
      const value = orm.orm === null ? 'its best score' : formatScore(orm.orm.value, orm.orm.log);
      const prm = picked(view, 'prm');
      const doubt =
        orm.suspect === null
          ? 'The PRM doubts none of its steps either.'
          : `The PRM points at its step ${orm.suspect + 1}${prm !== null && prm.suspect !== null && prm.truth === 'right' ? ', though it doubts a right one as well, only less' : ''}.`;
      return `An outcome reward model (ORM) reads the finished solution and gives one number, with no word on where it goes wrong. Here it likes ${name(orm.lane)} best, ${value}, with the answer ${answerOf(view, orm.lane)}${verdict(orm.truth)}. ${doubt}`;
    },
  },
  {
    id: 'voting',
    title: 'Counting votes',
    fit: (view) => {
      const wrong = truthOf(view, 'majority') === 'wrong';
      return (wrong ? 2 : 0) + (wrong && truthOf(view, 'prm') === 'right' ? 1 : 0);
    },
    target: () => ({ kind: 'pick', method: 'majority' }),
    text: (view) => {
      const elected = picked(view, 'majority');
      if (elected === null) return 'The majority vote counts answers. In this run no solution has one.';
      const votes = view.facts.ballots[elected.group ?? -1]?.lanes.length ?? 1;
      const weighted = picked(view, 'prm-weighted');
      const other =
        weighted === null
          ? ''
          : weighted.group === elected.group
            ? ' Weighing each vote by its product changes nothing here.'
            : ` Weighing each vote by its product elects ${answerOf(view, weighted.lane)} instead${verdict(weighted.truth)}.`;
      return `The majority vote reads nothing; it counts. ${votes} of ${plural(view.facts.lanes.length, 'solution')} say ${answerOf(view, elected.lane)}${verdict(elected.truth)}. A slip that comes easily wins a vote.${other}`;
    },
  },
  {
    id: 'failing',
    title: 'Where it fails',
    fit: (view) => {
      const prm = truthOf(view, 'prm');
      const reachable = view.facts.lanes.some(({ truth }) => truth === 'right');
      if (prm === 'wrong' && reachable) return 3 + (picked(view, 'prm')?.prm?.value ?? 0);
      if (falsePositive(view) !== null) return 2;
      return prm === 'wrong' ? 1 : 0;
    },
    target: (view) => {
      const prm = picked(view, 'prm');
      if (prm?.truth === 'wrong') return { kind: 'lane', lane: prm.lane };
      const lane = falsePositive(view);
      return lane === null || lane.suspect === null
        ? { kind: 'pick', method: 'prm' }
        : { kind: 'step', lane: lane.lane, step: lane.suspect };
    },
    text: (view) => {
      const parts: string[] = [];
      const prm = picked(view, 'prm');
      if (prm?.truth === 'wrong') {
        const right = view.facts.lanes.filter(({ truth }) => truth === 'right').length;
        const others = view.facts.picks.flatMap(({ method }) =>
          truthOf(view, method) === 'right' ? [method] : [],
        );
        const better = others.length === 0 ? '' : `; ${methodList(others)} found it`;
        parts.push(
          `The PRM is an estimate, too. Here it trusts ${name(prm.lane)}, product ${score(prm)}, and ${answerOf(view, prm.lane)} is wrong: the answer is ${view.run.problem.answer ?? 'another'}, as ${right === 0 ? 'no solution says' : right === 1 ? 'one solution says' : `${right} solutions say`}${better}.`,
        );
      }
      const lucky = falsePositive(view);
      if (lucky !== null && lucky.suspect !== null) {
        const reward = view.run.solutions[lucky.lane]?.steps[lucky.suspect]?.reward ?? null;
        parts.push(
          `In ${name(lucky.lane)} the answer is right although step ${lucky.suspect + 1} got ${reward === null ? 'no reward' : formatReward(reward)}: either a false positive, a right answer by wrong steps, or a step that the PRM misjudged. Read it and decide.`,
        );
      }
      if (parts.length === 0)
        parts.push('In this run the PRM was right. It is not always: a reward is an estimate, no proof.');
      return parts.join(' ');
    },
  },
];

/** Where the target is on the page. */
export function selectorOf(target: TourTarget): string {
  switch (target.kind) {
    case 'lane':
      return `[aria-labelledby="lane-${target.lane}"]`;
    case 'step':
      return `[data-lane="${target.lane}"][data-step="${target.step}"]`;
    case 'pick':
      return `[data-method="${target.method}"]`;
  }
}

/**
 * The index of the view that shows a stop best; `current` is preferred among equals, so that the run on the screen
 * changes no more often than it must. `null` where there is no view.
 */
export function bestView(stop: TourStop, views: readonly TourView[], current: number | null): number | null {
  let best: number | null = null;
  let fit = -1;
  for (const [index, view] of views.entries()) {
    const own = stop.fit(view);
    if (own > fit || (own === fit && index === current)) {
      best = index;
      fit = own;
    }
  }
  return best;
}
