import type { NeutralRule } from '../../domain/pick.ts';
import type { Run } from '../../domain/run.ts';
import type { Step } from '../../domain/solution.ts';
import { rewardsInUse } from '../../picks/reduce.ts';

const hasClass = ({ classes }: Step): boolean => classes !== undefined;

/** Whether some verdict of a run has three classes. */
export function hasClasses(run: Run | null): boolean {
  return run?.solutions.some(({ steps }) => steps.some(hasClass)) ?? false;
}

/** The run with its rewards by the neutral rule; the same object where no verdict has three classes. */
export function byNeutralRule(run: Run | null, rule: NeutralRule): Run | null {
  if (run === null || !hasClasses(run)) return run;
  return {
    ...run,
    solutions: run.solutions.map((solution) => {
      const rewards = rewardsInUse(solution.steps, rule);
      return {
        ...solution,
        steps: solution.steps.map((step, i) => ({ ...step, reward: rewards[i] ?? null })),
      };
    }),
  };
}
