import { LIMITS } from './limits.ts';
import type { Run } from './run.ts';
import { checkProblemText, checkSettings } from './settings.ts';
import type { Solution } from './solution.ts';

/** How a run that is there may go on. Lanes that the change does not name stay as they are. */
export type RunChange =
  /** More lanes, `n` in all. */
  | { readonly kind: 'lanes'; readonly n: number }
  /** Every lane that was cut is written further. */
  | { readonly kind: 'resume' }
  /** One more lane, that shares the first `steps` steps of `lane` and is sampled from there. */
  | { readonly kind: 'resample'; readonly lane: number; readonly steps: number }
  /** One more lane, that holds these lines instead of those of `lane`, and is scored as it stands. */
  | { readonly kind: 'rescore'; readonly lane: number; readonly lines: readonly string[] };

/** Whether a lane was cut before it ended by itself: on request, or because the engine went away. */
export function wasCut(solution: Solution): boolean {
  return solution.end === null || solution.end.kind === 'cancelled';
}

/** The lines of an edited solution: line breaks separate steps, and a blank line is none. */
export function editedLines(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(/\r\n|[\n\r]/u)).filter((line) => line.trim() !== '');
}

/** Number of leading steps that an edit left as they were. */
export function unchangedSteps(solution: Solution, lines: readonly string[]): number {
  const { steps } = solution;
  let count = 0;
  while (count < lines.length && steps[count]?.text === lines[count]) count++;
  return count;
}

/**
 * Says why a run cannot go on like this, in words that say what to do, or `null` if it can. The sizes that depend on
 * the model are checked where it is.
 */
export function checkChange(run: Run, change: RunChange): string | null {
  const fault = checkProblemText(run.problem.text) ?? checkSettings({ ...run.settings })[0]?.message;
  if (fault !== undefined) return fault;
  const have = run.solutions.length;
  if (change.kind === 'resume') {
    return run.solutions.some(wasCut)
      ? null
      : 'Every lane of this run has ended; there is nothing to resume.';
  }
  if (change.kind === 'lanes') {
    if (!Number.isInteger(change.n) || change.n > LIMITS.maxLanes)
      return `N must be a whole number up to ${LIMITS.maxLanes}.`;
    return change.n > have ? null : `This run has ${have} lanes already; choose a larger N to add some.`;
  }
  if (have >= LIMITS.maxLanes)
    return `This run has ${have} lanes, which is the most there can be. Start a new run to try something else.`;
  const solution = run.solutions[change.lane];
  if (solution === undefined) return 'That lane is not part of this run.';
  return change.kind === 'resample'
    ? checkResample(solution, change.steps)
    : checkRescore(solution, editedLines(change.lines));
}

function checkResample({ steps, end }: Solution, shared: number): string | null {
  if (!Number.isInteger(shared) || shared < 0 || shared > steps.length)
    return 'That step is not part of this lane.';
  if (end?.kind === 'answer' && shared === steps.length)
    return 'The lane declares its answer in that step, so nothing can follow. Choose an earlier one.';
  return null;
}

function checkRescore(solution: Solution, lines: readonly string[]): string | null {
  if (lines.length === 0) return 'The solution is empty. Write at least one step.';
  const characters = lines.reduce((sum, line) => sum + line.length, 0);
  if (characters > LIMITS.maxSolutionCharacters) {
    return `This solution has ${characters.toLocaleString('en')} characters; at most ${LIMITS.maxSolutionCharacters.toLocaleString('en')} can be scored. Shorten it.`;
  }
  const { steps } = solution;
  const same = lines.length === steps.length && unchangedSteps(solution, lines) === lines.length;
  if (same && steps.every(({ reward }) => reward !== null))
    return 'Nothing was changed: these steps have their rewards already.';
  return null;
}
