import { LIMITS } from './limits.ts';
import type { Problem } from './problem.ts';
import type { RunSettings } from './settings.ts';
import type { StepClasses } from './pick.ts';
import { emptySolution, type LaneEnd, type Solution, type Step } from './solution.ts';

/** The device kind that computed a run. The same seed may give other tokens on another kind. */
export type Backend = 'webgpu' | 'wasm';

/** What the person asks for; `auto` is WebGPU where there is an adapter, else WASM. */
export type BackendChoice = 'auto' | Backend;

/** A model as a run names it. */
export interface RunModel {
  /** Manifest id or hub id. */
  readonly id: string;
  /** First 12 hex digits of a sha256, or of a hub commit. */
  readonly revision: string;
  readonly dtype: string;
  /** Set where scores mean nothing beside those of another problem, as a preference model's. */
  readonly comparable?: 'within-problem';
}

/** Which models made a run. */
export interface RunModels {
  readonly generator: RunModel;
  readonly prm: RunModel | null;
  readonly orm: RunModel | null;
}

/** Measured cost of a run; times in milliseconds of wall clock. */
export interface RunStats {
  readonly wallMs: number;
  /** Time inside the runtime's forward passes. */
  readonly forwardMs: number;
  /** Time from the start to the first sampled token. */
  readonly firstTokenMs: number;
  /** Tokens sampled over all lanes. */
  readonly tokens: number;
}

/**
 * What happens in a run, in order. A run *is* its list of events: live, recorded, shared and imported runs all go
 * through `fold`. Lanes are indices from 0; steps are indices within a lane.
 */
export type RunEvent =
  | {
      readonly type: 'started';
      readonly problem: Problem;
      readonly settings: RunSettings;
      readonly models: RunModels;
      readonly backend: Backend;
    }
  /** Text appended to the line being written. */
  | { readonly type: 'text'; readonly lane: number; readonly text: string }
  /** The line is finished; `text` is the whole line without its newline. */
  | {
      readonly type: 'step';
      readonly lane: number;
      readonly text: string;
      readonly tokens: number;
      readonly logprob: number;
      /** What the model wrote, where that is more than the line. */
      readonly raw?: string;
    }
  | {
      readonly type: 'reward';
      readonly lane: number;
      readonly step: number;
      readonly reward: number;
      /** Where the verdict has three classes. */
      readonly classes?: StepClasses;
    }
  | { readonly type: 'outcome'; readonly lane: number; readonly reward: number }
  | {
      readonly type: 'ended';
      readonly lane: number;
      readonly end: LaneEnd;
      readonly answer: string | null;
    }
  /** The run goes on with more lanes, `n` in all. Those that are there stay as they are. */
  | { readonly type: 'lanes'; readonly n: number }
  /** The run goes on where it was cancelled: every cancelled lane is written further. */
  | { readonly type: 'resumed' }
  /** The run goes on with one more lane, numbered `lane`, that takes over the first `steps` steps of lane `from`. */
  | {
      readonly type: 'forked';
      readonly lane: number;
      readonly from: number;
      readonly steps: number;
      /** Whether a person wrote what follows. */
      readonly edited?: boolean;
    }
  | { readonly type: 'finished'; readonly status: FinishedStatus; readonly stats: RunStats };

export type FinishedStatus =
  | { readonly kind: 'complete' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly message: string };

export type RunStatus = { readonly kind: 'running' } | FinishedStatus;

/** A run as far as its events have told. */
export interface Run {
  readonly problem: Problem;
  readonly settings: RunSettings;
  readonly models: RunModels;
  readonly backend: Backend;
  readonly status: RunStatus;
  readonly solutions: readonly Solution[];
  readonly stats: RunStats | null;
}

/**
 * Folds events into a run: pure, and total over any sequence of well-typed events. Events that do not fit (a lane
 * or a step that is not there, anything before `started`) are ignored, since a recorded file may be damaged.
 * Lanes that no event touched keep their identity, so that a view re-renders only what changed.
 */
export function fold(run: Run | null, events: readonly RunEvent[]): Run | null {
  let solutions: Solution[] | null = null;
  let current = run;
  const update = (lane: number, change: (solution: Solution) => Solution): void => {
    if (current === null || !Number.isInteger(lane) || lane < 0 || lane >= current.solutions.length) return;
    solutions ??= [...current.solutions];
    solutions[lane] = change(solutions[lane]!);
  };
  const settle = (): void => {
    if (current !== null && solutions !== null) current = { ...current, solutions };
    solutions = null;
  };

  for (const event of events) {
    switch (event.type) {
      case 'started':
        solutions = null;
        current = {
          problem: event.problem,
          settings: event.settings,
          models: event.models,
          backend: event.backend,
          status: { kind: 'running' },
          solutions: Array.from({ length: event.settings.n }, (_, lane) => emptySolution(lane)),
          stats: null,
        };
        break;
      case 'text':
        update(event.lane, (s) => ({ ...s, partial: s.partial + event.text }));
        break;
      case 'step':
        update(event.lane, (s) => ({
          ...s,
          partial: '',
          steps: [
            ...s.steps,
            {
              text: event.text,
              tokens: event.tokens,
              logprob: event.logprob,
              reward: null,
              ...rawOf(event),
            },
          ],
        }));
        break;
      case 'reward':
        update(event.lane, (s) => ({
          ...s,
          steps: s.steps.map((step, i) => (i === event.step ? rewarded(step, event) : step)),
        }));
        break;
      case 'outcome':
        update(event.lane, (s) => ({ ...s, outcomeReward: event.reward }));
        break;
      case 'ended':
        update(event.lane, (s) => ({ ...s, end: event.end, answer: event.answer }));
        break;
      case 'lanes': {
        settle();
        if (current === null) break;
        const have = current.solutions.length;
        if (!Number.isInteger(event.n) || event.n <= have || event.n > LIMITS.maxLanes) break;
        current = reopened(current, [
          ...current.solutions,
          ...Array.from({ length: event.n - have }, (_, i) => emptySolution(have + i)),
        ]);
        break;
      }
      case 'resumed':
        settle();
        if (current === null) break;
        current = reopened(
          current,
          current.solutions.map((s) => (s.end?.kind === 'cancelled' ? { ...s, end: null } : s)),
        );
        break;
      case 'forked': {
        settle();
        const source: Solution | undefined = current?.solutions[event.from];
        if (current === null || source === undefined) break;
        const have = current.solutions.length;
        if (event.lane !== have || have >= LIMITS.maxLanes) break;
        if (!Number.isInteger(event.steps) || event.steps < 0 || event.steps > source.steps.length) break;
        current = reopened(current, [
          ...current.solutions,
          {
            ...emptySolution(have),
            steps: source.steps.slice(0, event.steps),
            forkedFrom: {
              lane: event.from,
              steps: event.steps,
              ...(event.edited === true ? { edited: true } : {}),
            },
          },
        ]);
        break;
      }
      case 'finished':
        settle();
        if (current !== null) current = { ...current, status: event.status, stats: event.stats };
        break;
    }
  }
  settle();
  return current;
}

/** A step with a verdict; an earlier one's classes do not outlive it. */
function rewarded(
  step: Step,
  { reward, classes }: { readonly reward: number; readonly classes?: StepClasses },
): Step {
  const { text, tokens, logprob } = step;
  return { text, tokens, logprob, reward, ...rawOf(step), ...(classes === undefined ? {} : { classes }) };
}

function rawOf({ raw }: { readonly raw?: string }): { readonly raw?: string } {
  return raw === undefined ? {} : { raw };
}

/** A run that goes on with these lanes. */
function reopened(run: Run, solutions: readonly Solution[]): Run {
  return {
    ...run,
    settings: { ...run.settings, n: solutions.length },
    status: { kind: 'running' },
    solutions,
  };
}

/**
 * The shortest events that fold into a run: whole steps, lane after lane, without how their text grew. A run that is
 * under way gives events without `finished`.
 */
export function eventsOf(run: Run): RunEvent[] {
  const { problem, settings, models, backend, solutions, status, stats } = run;
  const firstFork = solutions.findIndex((solution) => solution.forkedFrom !== null);
  const sampled = firstFork < 0 ? solutions.length : firstFork;
  const events: RunEvent[] = [
    { type: 'started', problem, settings: { ...settings, n: sampled }, models, backend },
  ];
  for (const [lane, solution] of solutions.entries()) {
    const { forkedFrom, steps, partial, outcomeReward, end, answer } = solution;
    if (forkedFrom !== null)
      events.push({
        type: 'forked',
        lane,
        from: forkedFrom.lane,
        steps: forkedFrom.steps,
        ...(forkedFrom.edited === true ? { edited: true } : {}),
      });
    else if (lane >= sampled) events.push({ type: 'lanes', n: lane + 1 });
    for (const [index, step] of steps.entries()) {
      const { text, tokens, logprob, reward, classes } = step;
      const shared = forkedFrom !== null && index < forkedFrom.steps;
      if (!shared) events.push({ type: 'step', lane, text, tokens, logprob, ...rawOf(step) });
      // A shared step brings its reward along; the source may have had none when it was read again here.
      if (reward === null || (shared && reward === solutions[forkedFrom.lane]?.steps[index]?.reward))
        continue;
      events.push({
        type: 'reward',
        lane,
        step: index,
        reward,
        ...(classes === undefined ? {} : { classes }),
      });
    }
    if (partial !== '') events.push({ type: 'text', lane, text: partial });
    if (outcomeReward !== null) events.push({ type: 'outcome', lane, reward: outcomeReward });
    if (end !== null) events.push({ type: 'ended', lane, end, answer });
  }
  if (status.kind !== 'running' && stats !== null) events.push({ type: 'finished', status, stats });
  return events;
}
