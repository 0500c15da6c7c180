import type { PickMethod } from '../../domain/pick.ts';
import type { Run } from '../../domain/run.ts';
import type { Step } from '../../domain/solution.ts';
import type { Facts } from '../state/facts.ts';

/** The step of a picked lane that weighs most on its score. */
export interface DecidingStep {
  readonly method: PickMethod;
  readonly lane: number;
  readonly index: number;
  readonly step: Step;
  readonly answer: string;
  readonly suspect: boolean;
}

/**
 * Where picks differ, the two steps that explain it: for the PRM's lane and for the lane of the first other method
 * with another answer, the first suspected mistake, else the step with the lowest reward. `null` where they agree.
 */
export function decidingSteps(run: Run, facts: Facts): readonly [DecidingStep, DecidingStep] | null {
  const prm = facts.picks.find(({ method }) => method === 'prm');
  if (prm?.kind !== 'picked') return null;
  const groupOf = (lane: number): number | null => facts.lanes[lane]?.group ?? null;
  const other = (['majority', 'orm', 'prm-weighted'] as const)
    .map((method) => facts.picks.find((pick) => pick.method === method))
    .find((pick) => pick?.kind === 'picked' && groupOf(pick.lane) !== groupOf(prm.lane));
  if (other?.kind !== 'picked') return null;
  const a = decidingStep(run, facts, 'prm', prm.lane);
  const b = decidingStep(run, facts, other.method, other.lane);
  return a === null || b === null ? null : [a, b];
}

function decidingStep(run: Run, facts: Facts, method: PickMethod, lane: number): DecidingStep | null {
  const solution = run.solutions[lane];
  if (solution === undefined) return null;
  const suspect = facts.lanes[lane]?.suspect ?? null;
  const index = suspect ?? lowestReward(solution.steps);
  const step = index === null ? undefined : solution.steps[index];
  if (index === null || step === undefined) return null;
  return { method, lane, index, step, answer: solution.answer ?? '', suspect: suspect !== null };
}

function lowestReward(steps: readonly Step[]): number | null {
  let lowest: number | null = null;
  steps.forEach(({ reward }, i) => {
    if (reward !== null && (lowest === null || reward < (steps[lowest]?.reward ?? Infinity))) lowest = i;
  });
  return lowest;
}
