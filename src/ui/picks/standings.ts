import type { PickMethod, Reduction } from '../../domain/pick.ts';
import { compareScores, type Score } from '../../picks/reduce.ts';
import { formatScore, measureName } from '../../picks/sentence.ts';
import type { Ballot, Facts, LaneFacts, Truth } from '../state/facts.ts';

/** How one answer stands with one way of picking. */
export interface Standing {
  readonly answer: string;
  readonly truth: Truth | null;
  /** Its number as shown; `null` where no lane with this answer has one. */
  readonly number: string | null;
  /** Length of its bar: 1 for the best answer. */
  readonly share: number;
  readonly won: boolean;
}

/** At least this many answers are shown where there are as many; all picked ones are. */
const ROWS = 4;

/** The answers to show, most votes first: the same for each way of picking, so that the rows can be compared. */
function ballotsToShow({ ballots, picks, lanes }: Facts): Ballot[] {
  const byVotes = ballots
    .map((ballot, index) => ({ ballot, index }))
    .sort((a, b) => b.ballot.lanes.length - a.ballot.lanes.length || a.index - b.index);
  const picked = new Set(picks.flatMap((pick) => (pick.kind === 'picked' ? [lanes[pick.lane]?.group] : [])));
  let free = ROWS - picked.size;
  return byVotes.filter(({ index }) => picked.has(index) || free-- > 0).map(({ ballot }) => ballot);
}

/** How the answers stand with a way of picking. */
export function standingsOf(facts: Facts, method: PickMethod): Standing[] {
  const pick = facts.picks.find((candidate) => candidate.method === method);
  const won = pick?.kind === 'picked' ? (facts.lanes[pick.lane]?.group ?? null) : null;
  const rows = ballotsToShow(facts).map((ballot) => ({
    ballot,
    figure: figureOf(
      method,
      ballot.lanes.flatMap((lane) => facts.lanes[lane] ?? []),
    ),
  }));
  const top = Math.max(...rows.map(({ figure }) => figure?.log ?? -Infinity));
  return rows.map(({ ballot, figure }) => ({
    answer: ballot.answer,
    truth: ballot.truth,
    number: figure?.text ?? null,
    // By logs, so that products too small for a number still have bars.
    share: figure === null || figure.log === -Infinity ? 0 : Math.exp(figure.log - top),
    won: facts.ballots[won ?? -1] === ballot,
  }));
}

interface Figure {
  readonly text: string;
  readonly log: number;
}

function figureOf(method: PickMethod, lanes: readonly LaneFacts[]): Figure | null {
  switch (method) {
    case 'majority':
      return { text: String(lanes.length), log: Math.log(lanes.length) };
    case 'prm':
      return best(lanes.map(({ prm }) => prm));
    case 'orm':
      return best(lanes.map(({ orm }) => orm));
    case 'prm-weighted':
      return total(lanes.map(({ prm }) => prm));
    case 'orm-weighted':
      return total(lanes.map(({ orm }) => orm));
  }
}

function best(scores: readonly (Score | null)[]): Figure | null {
  const [top] = scores.filter((score) => score !== null).sort((a, b) => compareScores(b, a));
  return top === undefined ? null : { text: formatScore(top.value, top.log), log: top.log };
}

function total(scores: readonly (Score | null)[]): Figure | null {
  const known = scores.filter((score) => score !== null);
  if (known.length === 0) return null;
  const value = known.reduce((sum, score) => sum + score.value, 0);
  return { text: formatScore(value), log: Math.log(value) };
}

/** What the numbers of `standingsOf` are. */
export function standingUnit(method: PickMethod, reduction: Reduction): string {
  switch (method) {
    case 'majority':
      return 'votes';
    case 'prm':
      return `best ${measureName(reduction)}`;
    case 'orm':
      return 'best ORM score';
    case 'prm-weighted':
      return 'total weight';
    case 'orm-weighted':
      return 'sum of ORM scores';
  }
}
