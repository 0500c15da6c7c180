import type { PickOptions, StepClasses } from '../../../src/domain/pick.ts';
import { fold, type Run, type RunEvent } from '../../../src/domain/run.ts';
import { DEFAULT_SETTINGS } from '../../../src/domain/settings.ts';
import type { LaneEnd } from '../../../src/domain/solution.ts';

/** A lane in short: its answer, step rewards, outcome reward, and how it ended if not by its answer. */
export interface Lane {
  answer: string | null;
  rewards?: (number | null)[];
  outcome?: number | null;
  /** `null`: still being written. */
  end?: LaneEnd | null;
  classes?: (StepClasses | null)[];
}

export const product: PickOptions = { reduction: 'product', n: 64 };

/** Builds a run the way every run is built: by folding events. */
export function runOf(lanes: readonly Lane[], truth: string | null = null, finished = true): Run {
  const events: RunEvent[] = [
    {
      type: 'started',
      problem: { text: 'What is 6 times 7?', answer: truth },
      settings: { ...DEFAULT_SETTINGS, n: lanes.length },
      models: { generator: { id: 'test', revision: '0', dtype: 'fp32' }, prm: null, orm: null },
      backend: 'wasm',
    },
  ];
  for (const [lane, { answer, rewards = [], outcome, end }] of lanes.entries()) {
    for (const [step, reward] of rewards.entries()) {
      events.push({ type: 'step', lane, text: `line ${step}`, tokens: 3, logprob: -1 });
      if (reward !== null) events.push({ type: 'reward', lane, step, reward });
    }
    if (outcome !== undefined && outcome !== null) events.push({ type: 'outcome', lane, reward: outcome });
    const how: LaneEnd | null =
      end !== undefined ? end : answer === null ? { kind: 'no-answer' } : { kind: 'answer' };
    if (how !== null) events.push({ type: 'ended', lane, end: how, answer });
  }
  if (finished) {
    const stats = { wallMs: 1, forwardMs: 1, firstTokenMs: 1, tokens: 1 };
    events.push({ type: 'finished', status: { kind: 'complete' }, stats });
  }
  const run = fold(null, events)!;
  return {
    ...run,
    solutions: run.solutions.map((solution, lane) => {
      const classes = lanes[lane]!.classes;
      if (classes === undefined) return solution;
      return {
        ...solution,
        steps: solution.steps.map((step, i) => {
          const own = classes[i] ?? null;
          return own === null ? step : { ...step, classes: own };
        }),
      };
    }),
  };
}

/** Groups by spelling alone. */
export function bySpelling(answers: readonly (string | null)[]): { answer: string; members: number[] }[] {
  const groups = new Map<string, number[]>();
  for (const [i, answer] of answers.entries()) {
    if (answer === null) continue;
    const members = groups.get(answer);
    if (members === undefined) groups.set(answer, [i]);
    else members.push(i);
  }
  return [...groups].map(([answer, members]) => ({ answer, members }));
}

/** All subsets of size n of 0 ... size - 1. */
export function subsets(size: number, n: number): number[][] {
  const found: number[][] = [];
  for (let mask = 0; mask < 1 << size; mask++) {
    const subset = Array.from({ length: size }, (_, i) => i).filter((i) => mask & (1 << i));
    if (subset.length === n) found.push(subset);
  }
  return found;
}

/** All orders of the items. */
export function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) =>
    permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]),
  );
}

export const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
