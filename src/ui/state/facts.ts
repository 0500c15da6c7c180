import { compareAnswers } from '../../answers/compare.ts';
import { groupAnswers, type AnswerGroup } from '../../answers/group.ts';
import type { Pick, PickMethod, PickOptions } from '../../domain/pick.ts';
import type { Run } from '../../domain/run.ts';
import { ineligibleReason, isEligible, type Solution } from '../../domain/solution.ts';
import { firstMistake } from '../../picks/mistake.ts';
import { ormScore, pickAll, prmScore } from '../../picks/pick.ts';
import { rewardsInUse, type Score } from '../../picks/reduce.ts';

/** An answer against the one that is known to be correct. */
export type Truth = 'right' | 'wrong' | 'unknown';

/** What the page says about one lane, apart from its text. */
export interface LaneFacts {
  readonly lane: number;
  /** Score by the PRM under the chosen reduction, of the steps that are there; `null` if one has no reward. */
  readonly prm: Score | null;
  readonly orm: Score | null;
  /** Index of the first step below the threshold. */
  readonly suspect: number | null;
  /** `null` without an answer, or where no correct answer is known. */
  readonly truth: Truth | null;
  /** Index into the answer groups; `null` if the lane takes no part. */
  readonly group: number | null;
  /** Whether it is among the first n lanes. */
  readonly inPool: boolean;
  /** Why the lane cannot be picked; `null` if it can, or still may. */
  readonly ineligible: string | null;
  readonly pickedBy: readonly PickMethod[];
}

/** Lanes with the same answer. */
export interface Ballot {
  readonly answer: string;
  readonly truth: Truth | null;
  readonly lanes: readonly number[];
  /** Sum of the lanes' PRM scores: their weight in the weighted vote. */
  readonly weight: number;
  readonly merged: AnswerGroup['merged'];
}

/** Everything that follows from a run and the options, with no model. */
export interface Facts {
  readonly picks: readonly Pick[];
  readonly ballots: readonly Ballot[];
  readonly lanes: readonly LaneFacts[];
}

/** The four ways of picking that stand side by side. */
export const SHOWN_METHODS = [
  'prm',
  'orm',
  'majority',
  'prm-weighted',
] as const satisfies readonly PickMethod[];

const scoreOrNull = (score: ReturnType<typeof prmScore>): Score | null => ('kind' in score ? null : score);

export function factsOf(run: Run, options: PickOptions, threshold: number): Facts {
  const context = { problem: run.problem.text };
  const correct = run.problem.answer?.trim() ?? '';
  const known = new Map<string, Truth>();
  const truthOf = (answer: string | null): Truth | null => {
    if (correct === '' || answer === null) return null;
    let truth = known.get(answer);
    if (truth === undefined) {
      const { verdict } = compareAnswers(answer, correct, context);
      truth = verdict === 'equal' ? 'right' : verdict === 'different' ? 'wrong' : 'unknown';
      known.set(answer, truth);
    }
    return truth;
  };

  const answers = run.solutions.map((s, lane) => (lane < options.n && isEligible(s) ? s.answer : null));
  const groups = groupAnswers(answers, [], context);
  const groupOf = new Map<number, number>();
  groups.forEach((group, index) => group.members.forEach((lane) => groupOf.set(lane, index)));

  const shown: readonly PickMethod[] = SHOWN_METHODS;
  const picks = pickAll(run, options, () => groups).filter((pick) => shown.includes(pick.method));

  const lanes = run.solutions.map((solution, lane): LaneFacts => ({
    lane,
    prm: scoreOrNull(prmScore(solution, options)),
    orm: scoreOrNull(ormScore(solution)),
    suspect: firstMistake(rewardsInUse(solution.steps, options.neutral), threshold),
    truth: truthOf(isEligible(solution) ? solution.answer : null),
    group: groupOf.get(lane) ?? null,
    inPool: lane < options.n,
    ineligible: ineligibleReason(solution),
    pickedBy: picks.flatMap((pick) => (pick.kind === 'picked' && pick.lane === lane ? [pick.method] : [])),
  }));

  const ballots = groups.map(({ answer, members, merged }): Ballot => ({
    answer,
    truth: truthOf(answer),
    lanes: members,
    weight: members.reduce((total, lane) => total + (lanes[lane]?.prm?.value ?? 0), 0),
    merged,
  }));
  return { picks, ballots, lanes };
}

/**
 * Whether two runs differ in nothing but the lines being written: then picks and scores are the same.
 * Lanes keep their identity in the fold, and their parts keep theirs.
 */
export function sameFacts(a: Run, b: Run): boolean {
  return (
    a.status.kind === b.status.kind &&
    a.problem === b.problem &&
    a.solutions.length === b.solutions.length &&
    a.solutions.every((solution, lane) => sameSolution(solution, b.solutions[lane]!))
  );
}

function sameSolution(a: Solution, b: Solution): boolean {
  return (
    a === b ||
    (a.steps === b.steps && a.end === b.end && a.answer === b.answer && a.outcomeReward === b.outcomeReward)
  );
}
