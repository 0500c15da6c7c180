import type { Run } from '../../domain/run.ts';
import type { Solution } from '../../domain/solution.ts';
import { METHOD_TEXTS } from '../picks/methods.ts';
import { decidingSteps } from '../picks/deciding.ts';
import type { Facts, LaneFacts } from '../state/facts.ts';

/** A lane on the projector, and why it is there. */
export interface PresentedLane {
  readonly lane: number;
  readonly role: string;
  readonly solution: Solution;
  readonly facts: LaneFacts;
}

/** A run as a sequence of frames: the problem, then step after step of two lanes, their scores, the picks. */
export interface Story {
  readonly lanes: readonly PresentedLane[];
  /** Steps of the longer lane. */
  readonly steps: number;
  readonly frames: number;
}

/**
 * The two lanes that explain a run: where picks differ, the PRM's and that of the first other pick; where all agree,
 * the PRM's and the best one with another answer. One lane, or none, where there are no two.
 */
export function storyOf(run: Run, facts: Facts): Story {
  const chosen = choose(run, facts);
  const lanes = chosen.flatMap(({ lane, role }): PresentedLane[] => {
    const solution = run.solutions[lane];
    const own = facts.lanes[lane];
    return solution === undefined || own === undefined ? [] : [{ lane, role, solution, facts: own }];
  });
  const steps = Math.max(0, ...lanes.map(({ solution }) => solution.steps.length));
  // The problem, each step, the scores, the picks.
  return { lanes, steps, frames: steps === 0 ? 2 : steps + 3 };
}

function choose(run: Run, facts: Facts): { readonly lane: number; readonly role: string }[] {
  const pair = decidingSteps(run, facts);
  if (pair !== null)
    return pair.map(({ lane, method }) => ({ lane, role: `${METHOD_TEXTS[method].short}’s pick` }));
  const prm = facts.picks.find(({ method }) => method === 'prm');
  const best = prm?.kind === 'picked' ? prm.lane : firstWithSteps(run);
  if (best === null) return [];
  const role = prm?.kind === 'picked' ? 'PRM’s pick' : 'A solution';
  const group = facts.lanes[best]?.group ?? null;
  const others = facts.lanes
    .filter((lane) => lane.group !== null && lane.group !== group && lane.prm !== null)
    .sort((a, b) => (b.prm?.log ?? -Infinity) - (a.prm?.log ?? -Infinity));
  const [other] = others;
  return [
    { lane: best, role },
    ...(other === undefined ? [] : [{ lane: other.lane, role: 'Best with another answer' }]),
  ];
}

function firstWithSteps(run: Run): number | null {
  const lane = run.solutions.findIndex(({ steps }) => steps.length > 0);
  return lane < 0 ? null : lane;
}
