import { groupAnswers } from '../answers/group.ts';
import {
  PICK_METHODS,
  type Exclusion,
  type ExclusionReason,
  type Measure,
  type Pick,
  type PickMethod,
  type PickOptions,
} from '../domain/pick.ts';
import type { Run } from '../domain/run.ts';
import { ineligibleReason, isEligible, type Solution } from '../domain/solution.ts';
import {
  compareScores,
  isProbability,
  reduceRewards,
  rewardsInUse,
  scoreOf,
  sum,
  type Score,
} from './reduce.ts';

/** Sorts answers into groups of equal ones; `members` are indices into the list. `null` is in no group. */
export type GroupAnswers = (
  answers: readonly (string | null)[],
) => readonly { readonly answer: string; readonly members: readonly number[] }[];

/** Groups a run's answers by the rules alone, in the light of its problem. */
export function grouperOf(run: Run): GroupAnswers {
  return (answers) => groupAnswers(answers, [], { problem: run.problem.text });
}

/** A lane that may be picked, with its group of equal answers. */
interface Candidate {
  readonly lane: number;
  readonly solution: Solution;
  readonly answer: string;
  readonly group: number;
}

/** What all methods share: who may be picked, and who may not. */
interface Field {
  readonly run: Run;
  readonly options: PickOptions;
  readonly lanes: number;
  readonly candidates: readonly Candidate[];
  readonly groupAnswer: readonly string[];
  readonly excluded: readonly Exclusion[];
}

interface Scored extends Candidate {
  readonly score: Score;
}

/**
 * Picks by every method, in the order of `PICK_METHODS`. Pure and total: rewards that are not numbers from 0 to 1
 * exclude their lane, with a reason. A person's overrides of answer equality come in through `group`:
 * `(answers) => groupAnswers(answers, overrides, { problem: run.problem.text })`.
 */
export function pickAll(run: Run, options: PickOptions, group: GroupAnswers = grouperOf(run)): Pick[] {
  const field = prepare(run, options, group);
  return PICK_METHODS.map((method) => PICKERS[method](field));
}

/** PRM best-of-N: the lane with the best solution score; between equal scores the earliest lane. */
export function pickByPrm(run: Run, options: PickOptions, group: GroupAnswers = grouperOf(run)): Pick {
  return PICKERS.prm(prepare(run, options, group));
}

/** ORM best-of-N: the lane with the best outcome reward; between equal ones the earliest lane. */
export function pickByOrm(run: Run, options: PickOptions, group: GroupAnswers = grouperOf(run)): Pick {
  return PICKERS.orm(prepare(run, options, group));
}

/** Majority vote (self-consistency): the group with the most lanes; between equal ones that with the earliest lane. */
export function pickByMajority(run: Run, options: PickOptions, group: GroupAnswers = grouperOf(run)): Pick {
  return PICKERS.majority(prepare(run, options, group));
}

/**
 * Weighted vote: each lane votes with its solution score (`prm`) or its outcome reward (`orm`); the group with the
 * greatest sum wins, between equal sums that with the earliest lane.
 */
export function pickByWeightedVote(
  run: Run,
  options: PickOptions,
  by: 'prm' | 'orm' = 'prm',
  group: GroupAnswers = grouperOf(run),
): Pick {
  return PICKERS[`${by}-weighted`](prepare(run, options, group));
}

const PICKERS: Record<PickMethod, (field: Field) => Pick> = {
  prm: (field) => bestScore('prm', field.options.reduction, field, prmScore),
  orm: (field) => bestScore('orm', 'outcome', field, ormScore),
  majority: (field) => vote('majority', 'count', field, () => ({ value: 1, log: 0 })),
  'prm-weighted': (field) => vote('prm-weighted', field.options.reduction, field, prmScore),
  'orm-weighted': (field) => vote('orm-weighted', 'outcome', field, ormScore),
};

function prepare(run: Run, options: PickOptions, group: GroupAnswers): Field {
  const solutions = run.solutions.filter((_, lane) => lane < options.n);
  const answers = solutions.map((solution) => (isEligible(solution) ? solution.answer : null));
  const groups = group(answers);
  const groupOf = new Map<number, number>();
  const groupAnswer = groups.map(({ answer, members }, index) => {
    for (const lane of members) groupOf.set(lane, index);
    return answer;
  });
  const candidates: Candidate[] = [];
  const excluded: Exclusion[] = [];
  for (const [lane, solution] of solutions.entries()) {
    const answer = answers[lane] ?? null;
    if (answer === null) {
      const message = ineligibleReason(solution);
      excluded.push({
        lane,
        reason: message === null ? { kind: 'running' } : { kind: 'no-answer', message },
      });
      continue;
    }
    let index = groupOf.get(lane);
    if (index === undefined) index = groupAnswer.push(answer) - 1;
    candidates.push({ lane, solution, answer, group: index });
  }
  return { run, options, lanes: solutions.length, candidates, groupAnswer, excluded };
}

/** A score, or (it has a `kind`) why there is none. */
export type ScoreOrWhyNot = Score | ExclusionReason;

/** PRM score of a solution by the options, or why it has none. */
export function prmScore(solution: Solution, options: PickOptions): ScoreOrWhyNot {
  if (solution.steps.length === 0) return { kind: 'no-steps' };
  const rewards: number[] = [];
  const missing: number[] = [];
  for (const [step, reward] of rewardsInUse(solution.steps, options.neutral).entries()) {
    if (reward === null) missing.push(step);
    else if (Number.isNaN(reward)) return { kind: 'bad-reward', step };
    else rewards.push(reward);
  }
  if (missing.length > 0) return { kind: 'missing-rewards', missing, steps: solution.steps.length };
  return reduceRewards(rewards, options.reduction);
}

/** ORM score of a solution, or why it has none. */
export function ormScore(solution: Solution): ScoreOrWhyNot {
  if (solution.outcomeReward === null) return { kind: 'missing-outcome' };
  if (!isProbability(solution.outcomeReward)) return { kind: 'bad-outcome' };
  return scoreOf(solution.outcomeReward);
}

type Scorer = (solution: Solution, options: PickOptions) => ScoreOrWhyNot;

function scoreAll(field: Field, scorer: Scorer): { scored: Scored[]; excluded: Exclusion[] } {
  const scored: Scored[] = [];
  const excluded = [...field.excluded];
  for (const candidate of field.candidates) {
    const score = scorer(candidate.solution, field.options);
    if ('kind' in score) excluded.push({ lane: candidate.lane, reason: score });
    else scored.push({ ...candidate, score });
  }
  excluded.sort((a, b) => a.lane - b.lane);
  return { scored, excluded };
}

function bestScore(method: PickMethod, measure: Measure, field: Field, scorer: Scorer): Pick {
  const { scored, excluded } = scoreAll(field, scorer);
  const best = first(scored, (a, b) => compareScores(a.score, b.score));
  if (best === undefined) return none(method, field, excluded);
  const others = scored.filter((lane) => lane.group !== best.group);
  const next = first(others, (a, b) => compareScores(a.score, b.score));
  return {
    kind: 'picked',
    method,
    lane: best.lane,
    answer: best.answer,
    reason: {
      kind: 'best-score',
      measure,
      score: best.score.value,
      logScore: best.score.log,
      lanes: scored.length,
      runnerUp:
        next === undefined
          ? null
          : { lane: next.lane, answer: next.answer, score: next.score.value, logScore: next.score.log },
      tie: next !== undefined && compareScores(best.score, next.score) === 0,
    },
    excluded,
  };
}

interface Ballot {
  readonly lane: number;
  readonly answer: string;
  readonly votes: number;
  readonly weight: Score;
}

function vote(method: PickMethod, measure: Measure | 'count', field: Field, scorer: Scorer): Pick {
  const { scored, excluded } = scoreAll(field, scorer);
  const members = new Map<number, Scored[]>();
  for (const lane of scored) {
    const group = members.get(lane.group);
    if (group === undefined) members.set(lane.group, [lane]);
    else group.push(lane);
  }
  // In the order of their earliest lanes, since `scored` is in the order of lanes.
  const ballots = [...members].map(([group, lanes]): Ballot => ({
    lane: lanes[0]!.lane,
    answer: field.groupAnswer[group]!,
    votes: lanes.length,
    weight: addScores(lanes.map((lane) => lane.score)),
  }));
  const best = first(ballots, (a, b) => compareWeights(a.weight, b.weight));
  if (best === undefined) return none(method, field, excluded);
  const next = first(
    ballots.filter((ballot) => ballot !== best),
    (a, b) => compareWeights(a.weight, b.weight),
  );
  return {
    kind: 'picked',
    method,
    lane: best.lane,
    answer: best.answer,
    reason: {
      kind: 'vote',
      measure,
      weight: best.weight.value,
      logWeight: best.weight.log,
      total: sum(scored.map((lane) => lane.score.value)),
      votes: best.votes,
      lanes: scored.length,
      runnerUp:
        next === undefined
          ? null
          : {
              lane: next.lane,
              answer: next.answer,
              weight: next.weight.value,
              logWeight: next.weight.log,
              votes: next.votes,
            },
      tie: next !== undefined && compareWeights(best.weight, next.weight) === 0,
    },
    excluded,
  };
}

/** The first of the greatest items. */
function first<T>(items: readonly T[], compare: (a: T, b: T) => number): T | undefined {
  return items.reduce<T | undefined>(
    (best, item) => (best === undefined || compare(item, best) > 0 ? item : best),
    undefined,
  );
}

/** Sum of scores: its value, and its log by log-sum-exp, so that sums of tiny scores can be told apart. */
function addScores(scores: readonly Score[]): Score {
  const sorted = [...scores].sort(compareScores).reverse();
  const top = sorted[0]?.log ?? -Infinity;
  const log =
    top === -Infinity ? -Infinity : top + Math.log(sum(sorted.map((score) => Math.exp(score.log - top))));
  return { value: sum(sorted.map((score) => score.value)), log };
}

/** Below this a sum has begun to lose digits, and the logs decide. */
const PRECISE = 1e-290;

/** By value, which keeps exact ties (0.3 + 0.3 against 0.6), and by log where the values are too small to compare. */
function compareWeights(a: Score, b: Score): number {
  if (a.value >= PRECISE || b.value >= PRECISE) return Math.sign(a.value - b.value);
  return a.log === b.log ? 0 : a.log > b.log ? 1 : -1;
}

function none(method: PickMethod, field: Field, excluded: readonly Exclusion[]): Pick {
  return { kind: 'none', method, message: whyNone(method, field), excluded };
}

function whyNone(method: PickMethod, field: Field): string {
  const running = field.run.status.kind === 'running';
  if (field.lanes === 0) return 'There is no lane to pick from.';
  if (field.candidates.length === 0) {
    return running ? 'No lane has reached an answer yet.' : 'No lane reached an answer.';
  }
  const still = running ? ' yet' : '';
  return method === 'orm' || method === 'orm-weighted'
    ? `No lane with an answer has an outcome reward${still}.`
    : `No lane with an answer has a reward for each of its steps${still}.`;
}
