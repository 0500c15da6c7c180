import type { Level, RecordedRun } from '../../formats/recorded-index.ts';
import type { Preset } from '../presets.ts';

/** A problem to start from, with the recorded run that shows it at once where there is one. */
export interface Example {
  readonly level: Level;
  readonly title: string;
  readonly text: string;
  readonly answer: string | null;
  readonly recorded: RecordedRun | null;
}

const sameText = (a: string, b: string): boolean => a.trim() === b.trim();

/**
 * The presets with their recorded runs attached, and the recorded runs of other problems as examples of their own.
 * Those with a recorded run come first, in the order of the list of runs: the first one opens the page.
 */
export function examplesOf(presets: readonly Preset[], runs: readonly RecordedRun[]): Example[] {
  const recorded = runs.map((run): Example => {
    const { level, title } = run;
    const text = run.problem.trim();
    // Without a preset the answer comes with the run.
    const answer = presets.find((preset) => sameText(preset.text, text))?.answer ?? null;
    return { level, title, text, answer, recorded: run };
  });
  const rest = presets
    .filter(({ text }) => !runs.some(({ problem }) => sameText(text, problem)))
    .map(({ level, title, text, answer }): Example => ({ level, title, text, answer, recorded: null }));
  return [...recorded, ...rest];
}

/** The example with this problem. */
export function exampleFor(examples: readonly Example[], text: string): Example | null {
  return examples.find((example) => sameText(example.text, text)) ?? null;
}
