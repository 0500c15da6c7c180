import { compareAnswers } from '../answers/compare.ts';
import { groupAnswers } from '../answers/group.ts';
import type { PickOptions } from '../domain/pick.ts';
import type { Run } from '../domain/run.ts';
import { isEligible } from '../domain/solution.ts';
import { grouperOf, ormScore, prmScore, type GroupAnswers } from './pick.ts';
import type { Score } from './reduce.ts';

/** One of the N samples of a problem whose correct answer is known, as far as curves need it. */
export interface PoolSample {
  /** Which group of equal answers it belongs to; `null` if it has no answer and can never win. */
  readonly group: number | null;
  readonly correct: boolean;
  /** `null` if the sample cannot be picked by this score. */
  readonly prm: Score | null;
  readonly orm: Score | null;
}

/** A scored sample as a file holds it. */
export interface ScoredAnswer {
  readonly answer: string | null;
  readonly correct: boolean;
  readonly prm: Score | null;
  readonly orm: Score | null;
}

/** Puts the samples of one problem into a pool. Samples without an answer lose their scores: they never win. */
export function poolOf(samples: readonly ScoredAnswer[], group: GroupAnswers = groupAnswers): PoolSample[] {
  const groupOf = new Map<number, number>();
  const groups = group(samples.map((sample) => sample.answer));
  for (const [index, { members }] of groups.entries()) {
    for (const member of members) groupOf.set(member, index);
  }
  let alone = groups.length;
  return samples.map(({ answer, correct, prm, orm }, i) =>
    answer === null
      ? { group: null, correct: false, prm: null, orm: null }
      : { group: groupOf.get(i) ?? alone++, correct, prm, orm },
  );
}

/**
 * The first n lanes of a run as a pool, or `null` where the problem's correct answer is not known. A lane counts as
 * correct where its answer is found equal to it; a person's overrides come in through `equal` and `group`.
 */
export function poolOfRun(
  run: Run,
  options: PickOptions,
  group: GroupAnswers = grouperOf(run),
  equal: (a: string, b: string) => boolean = (a, b) =>
    compareAnswers(a, b, { problem: run.problem.text }).verdict === 'equal',
): PoolSample[] | null {
  const truth = run.problem.answer;
  if (truth === null) return null;
  const samples = run.solutions
    .filter((_, lane) => lane < options.n)
    .map((solution): ScoredAnswer => {
      if (!isEligible(solution)) return { answer: null, correct: false, prm: null, orm: null };
      const prm = prmScore(solution, options);
      const orm = ormScore(solution);
      return {
        answer: solution.answer,
        correct: equal(solution.answer, truth),
        prm: 'kind' in prm ? null : prm,
        orm: 'kind' in orm ? null : orm,
      };
    });
  return poolOf(samples, group);
}
