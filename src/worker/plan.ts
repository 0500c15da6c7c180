import { wasCut, type RunChange } from '../domain/change.ts';
import type { FinishedStatus, Run, RunEvent, RunStats } from '../domain/run.ts';
import type { Solution, Step } from '../domain/solution.ts';
import type { LaneScript } from '../sampling/lane-script.ts';
import { freshLane, type LaneStart } from '../sampling/sample-lanes.ts';

/** Where the tokens of a lane come from: known exactly, or read from its text. */
export interface ScriptSource {
  whole(solution: Solution): LaneScript;
  /** The first steps of a lane. */
  steps(solution: Solution, count: number): LaneScript;
}

/** What a run that goes on needs of the sampler. */
export interface Plan {
  /** Events that come before anything is sampled. */
  readonly opening: readonly RunEvent[];
  readonly starts: readonly LaneStart[];
  /** The lane that was asked for; `null` if it was not one. */
  readonly lane: number | null;
}

/** Changes that the sampler carries out. */
export type SampledChange = Exclude<RunChange, { readonly kind: 'rescore' }>;

/** Says how a change is carried out that was found to fit the run. */
export function planChange(run: Run, change: SampledChange, source: ScriptSource): Plan {
  const have = run.solutions.length;
  switch (change.kind) {
    case 'lanes':
      return {
        opening: [...cutOpenLanes(run), { type: 'lanes', n: change.n }],
        starts: Array.from({ length: change.n - have }, (_, i) => freshLane(have + i)),
        lane: null,
      };
    case 'resample': {
      const solution = run.solutions[change.lane]!;
      const start: LaneStart = {
        lane: have,
        script: source.steps(solution, change.steps),
        unjudged: unjudged(solution.steps.slice(0, change.steps)),
        ending: null,
      };
      return {
        opening: [
          ...cutOpenLanes(run),
          { type: 'forked', lane: have, from: change.lane, steps: change.steps },
        ],
        starts: [start],
        lane: have,
      };
    }
    case 'resume':
      return {
        opening: [{ type: 'resumed' }],
        starts: run.solutions.flatMap((solution): LaneStart[] => {
          const { lane, steps, end, answer, outcomeReward } = solution;
          const missing = unjudged(steps);
          if (wasCut(solution))
            return [{ lane, script: source.whole(solution), unjudged: missing, ending: null }];
          // A cancel can come between the last lines of a lane and their rewards.
          const awaited =
            run.models.prm !== null && missing.length > 0 && missing[0] === steps.length - missing.length;
          const unread = run.models.orm !== null && answer !== null && outcomeReward === null;
          if (end === null || !(awaited || unread)) return [];
          return [{ lane, script: source.whole(solution), unjudged: missing, ending: { end, answer } }];
        }),
        lane: null,
      };
  }
}

/** Lanes that no longer grow, but were never said to have ended, end before the run goes on without them. */
export function cutOpenLanes(run: Run): RunEvent[] {
  return run.solutions
    .filter(({ end }) => end === null)
    .map(({ lane }) => ({ type: 'ended', lane, end: { kind: 'cancelled' }, answer: null }));
}

/** How a run stands after lanes were added to it: it can still be resumed if others were cut before. */
export function statusBeside(run: Run, change: RunChange, status: FinishedStatus): FinishedStatus {
  const cut = change.kind !== 'resume' && run.solutions.some(wasCut);
  return cut && status.kind === 'complete' ? { kind: 'cancelled' } : status;
}

/** Cost of a run that went on: the sum of its legs, with the time to its first token. */
export function sumStats(before: RunStats | null, leg: RunStats): RunStats {
  // Data that was opened states no cost.
  if (before === null || before.wallMs === 0) return leg;
  return {
    wallMs: before.wallMs + leg.wallMs,
    forwardMs: before.forwardMs + leg.forwardMs,
    firstTokenMs: before.firstTokenMs,
    tokens: before.tokens + leg.tokens,
  };
}

function unjudged(steps: readonly Step[]): number[] {
  return steps.flatMap(({ reward }, index) => (reward === null ? [index] : []));
}
