import type { Solution } from '../../domain/solution.ts';
import { compareScores, type Score } from '../../picks/reduce.ts';
import type { LaneFacts } from '../state/facts.ts';

export type LaneOrder = 'lane' | 'prm' | 'orm' | 'answer';
export type LaneFilter = 'all' | 'right' | 'wrong' | 'false-positive' | 'incomplete';

export const LANE_ORDERS: readonly { readonly order: LaneOrder; readonly title: string }[] = [
  { order: 'lane', title: 'lane number' },
  { order: 'prm', title: 'PRM score' },
  { order: 'orm', title: 'ORM score' },
  { order: 'answer', title: 'answer, most votes first' },
];

const FILTERS: readonly { readonly filter: LaneFilter; readonly title: string }[] = [
  { filter: 'all', title: 'All' },
  { filter: 'right', title: 'Right' },
  { filter: 'wrong', title: 'Wrong' },
  { filter: 'false-positive', title: 'Right, but a step is suspect' },
  { filter: 'incomplete', title: 'No answer' },
];

function passes(filter: LaneFilter, facts: LaneFacts, solution: Solution): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'right':
      return facts.truth === 'right';
    case 'wrong':
      return facts.truth === 'wrong';
    case 'false-positive':
      return facts.truth === 'right' && facts.suspect !== null;
    case 'incomplete':
      return solution.end !== null && facts.ineligible !== null;
  }
}

/** Filters that let some lane pass, with how many; "all" always. */
export function availableFilters(
  facts: readonly LaneFacts[],
  solutions: readonly Solution[],
): { readonly filter: LaneFilter; readonly title: string; readonly count: number }[] {
  return FILTERS.map(({ filter, title }) => ({
    filter,
    title,
    count: facts.filter((lane) => passes(filter, lane, solutions[lane.lane]!)).length,
  })).filter(({ filter, count }) => filter === 'all' || count > 0);
}

/** Lanes that pass the filter, in the chosen order; between equals the earlier lane comes first. */
export function orderLanes(
  facts: readonly LaneFacts[],
  solutions: readonly Solution[],
  order: LaneOrder,
  filter: LaneFilter,
): number[] {
  const shown = facts.filter((lane) => passes(filter, lane, solutions[lane.lane]!));
  const votes = new Map<number, number>();
  for (const { group } of facts) if (group !== null) votes.set(group, (votes.get(group) ?? 0) + 1);
  const byOrder: Record<LaneOrder, (a: LaneFacts, b: LaneFacts) => number> = {
    lane: () => 0,
    prm: (a, b) => bestFirst(a, b, a.prm, b.prm),
    orm: (a, b) => bestFirst(a, b, a.orm, b.orm),
    answer: (a, b) =>
      votesOf(votes, b) - votesOf(votes, a) ||
      (a.group ?? Infinity) - (b.group ?? Infinity) ||
      bestFirst(a, b, a.prm, b.prm),
  };
  return [...shown].sort((a, b) => byOrder[order](a, b) || a.lane - b.lane).map(({ lane }) => lane);
}

const votesOf = (votes: ReadonlyMap<number, number>, lane: LaneFacts): number =>
  lane.group === null ? 0 : (votes.get(lane.group) ?? 0);

/** Lanes that cannot be picked come last, however high their steps were rated. */
function bestFirst(a: LaneFacts, b: LaneFacts, scoreA: Score | null, scoreB: Score | null): number {
  const rank = (facts: LaneFacts, score: Score | null): number =>
    facts.ineligible !== null ? 2 : score === null ? 1 : 0;
  const difference = rank(a, scoreA) - rank(b, scoreB);
  if (difference !== 0) return difference;
  return scoreA === null || scoreB === null ? 0 : compareScores(scoreB, scoreA);
}
