import { isObject, type JsonObject } from './json.ts';

/** A person's word on a step: wrong, neutral, right; `null` where there is none. */
export type Rating = -1 | 0 | 1 | null;

/** One way of writing a step. */
export interface Completion {
  readonly text: string;
  readonly rating: Rating;
  readonly flagged: boolean | null;
  /** Fields that we do not know, kept for writing back. */
  readonly rest: JsonObject;
}

/** A step with its alternatives. */
export interface LabelledStep {
  /** `null` where the source has null instead of a list. */
  readonly completions: readonly Completion[] | null;
  /** Index of the completion that the solution went on from; `null` for none. */
  readonly chosen: number | null;
  /** What a person wrote instead of the completions. */
  readonly human: Completion | null;
  readonly rest: JsonObject;
}

/**
 * A solution with labels on its steps: what all formats for process supervision are read into and written from.
 * `rest` is for the format that it came from; other formats list what they leave out as losses.
 */
export interface LabelledSolution {
  readonly problem: string;
  /** The correct answer. */
  readonly truth: string | null;
  readonly steps: readonly LabelledStep[];
  /** Whether the solution's own final answer is right; `null` where nobody said. */
  readonly correct: boolean | null;
  /** The format that `rest` and the steps' `rest` belong to. */
  readonly source: SourceFormat;
  readonly rest: JsonObject;
}

export type SourceFormat = 'prm800k' | 'trl' | 'math-shepherd' | 'processbench' | 'rlhflow' | 'steplight';

/**
 * How ratings become yes or no. Both are choices that change results, so that neither has a default: the paper
 * counts neutral as positive, TRL's own converter as negative.
 */
export interface BinaryOptions {
  readonly neutral: 'positive' | 'negative';
  /** A step that nobody rated; `stop` ends the solution before it. */
  readonly unrated: 'positive' | 'negative' | 'stop';
}

/** A step of the path that a solution took. */
export interface PathStep {
  readonly text: string;
  readonly rating: Rating;
}

/** The solution as one line of steps with yes-or-no labels, and what was left out on the way. */
export interface BinaryPath {
  readonly steps: readonly { readonly text: string; readonly good: boolean }[];
  readonly losses: readonly string[];
}

/** A step with one completion, as formats without alternatives have it. */
export function plainStep(text: string, rating: Rating): LabelledStep {
  return { completions: [{ text, rating, flagged: null, rest: {} }], chosen: 0, human: null, rest: {} };
}

/**
 * The step as the solution goes on: the chosen completion, else the person's own words, else the first completion
 * rated wrong (a solution that stops at its first mistake chooses none), else the first one. `null` if there is no text.
 */
export function pathStep(step: LabelledStep): PathStep | null {
  const completions = step.completions ?? [];
  const chosen = step.chosen === null ? undefined : completions[step.chosen];
  const taken = chosen ?? step.human ?? completions.find((c) => c.rating === -1) ?? completions[0];
  return taken === undefined ? null : { text: taken.text, rating: taken.rating };
}

/** Flattens a solution. Every kind of thing left out is named once, with its count. */
export function binaryPath(solution: LabelledSolution, options: BinaryOptions): BinaryPath {
  const steps: { text: string; good: boolean }[] = [];
  const losses: string[] = [];
  let alternatives = 0;
  let neutral = 0;
  let unrated = 0;
  let empty = 0;
  let flags = 0;
  let people = 0;
  for (const [i, step] of solution.steps.entries()) {
    const taken = pathStep(step);
    if (taken === null) {
      empty++;
      continue;
    }
    if (taken.rating === null && options.unrated === 'stop') {
      losses.push(`${count(solution.steps.length - i, 'step')} from the first one without a rating`);
      break;
    }
    alternatives += Math.max(0, (step.completions?.length ?? 0) + (step.human === null ? 0 : 1) - 1);
    flags += (step.completions ?? []).filter((c) => c.flagged === true).length;
    if (step.human !== null) people++;
    if (taken.rating === 0) neutral++;
    if (taken.rating === null) unrated++;
    const label = taken.rating === 0 ? options.neutral : taken.rating === null ? options.unrated : null;
    steps.push({ text: taken.text, good: label === null ? taken.rating === 1 : label === 'positive' });
  }
  if (alternatives > 0) losses.push(count(alternatives, 'alternative completion'));
  if (neutral > 0) losses.push(`${count(neutral, 'neutral rating')}, written as ${options.neutral}`);
  if (unrated > 0) losses.push(`${count(unrated, 'missing rating')}, written as ${options.unrated}`);
  if (empty > 0) losses.push(count(empty, 'step without any text'));
  if (flags > 0) losses.push(count(flags, 'flag'));
  if (people > 0)
    losses.push(`that ${count(people, 'step')} ${people === 1 ? 'has' : 'have'} a person's own words`);
  return { steps, losses };
}

/**
 * Names the fields of `rest` that another format than its own cannot hold. Names in brackets are our own notes on the
 * source's spelling and say nothing.
 */
export function restLosses(solution: LabelledSolution, target: SourceFormat): string[] {
  if (solution.source === target) return [];
  const fields = new Set<string>();
  const collect = (rest: JsonObject): void => {
    for (const [key, value] of Object.entries(rest)) {
      if (key.startsWith('(')) continue;
      if (isObject(value)) collect(value);
      else fields.add(key);
    }
  };
  collect(solution.rest);
  for (const step of solution.steps) {
    collect(step.rest);
    for (const completion of step.completions ?? []) collect(completion.rest);
    if (step.human !== null) collect(step.human.rest);
  }
  return fields.size === 0 ? [] : [`fields of the source: ${[...fields].slice(0, 30).join(', ')}`];
}

export function truthLosses(solution: LabelledSolution): string[] {
  return solution.truth === null ? [] : ['the correct answer'];
}

export function correctLosses(solution: LabelledSolution): string[] {
  return solution.correct === null ? [] : ['whether the final answer is right'];
}

function count(n: number, thing: string): string {
  return `${n} ${thing}${n === 1 ? '' : thing.startsWith('step ') ? '' : 's'}`;
}
