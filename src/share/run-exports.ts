import { eventsOf, type Run } from '../domain/run.ts';
import { LABEL_FORMATS, type LabelFormat } from '../formats/convert.ts';
import type { Written } from '../formats/json.ts';
import { plainStep, type LabelledSolution } from '../formats/labelled.ts';
import { writeRunFile } from '../formats/run-file.ts';
import { scoredToCsv, writeScored, type ScoredSample } from '../formats/scored.ts';

/** What a file of samples says of a lane beside its text. */
export interface LaneVerdict {
  /** Solution score of the PRM under the chosen reduction. */
  readonly prm: number | null;
  readonly orm: number | null;
  /** `null` where no correct answer is known. */
  readonly correct: boolean | null;
}

/** Formats that a run can be written in. */
export type RunExport = 'run' | 'scored' | 'csv' | LabelFormat;

export const RUN_EXPORTS: readonly {
  readonly format: RunExport;
  readonly title: string;
  readonly extension: string;
}[] = [
  { format: 'run', title: 'Run file', extension: 'steplight.json' },
  { format: 'scored', title: 'Scored samples (JSON Lines)', extension: 'scored.jsonl' },
  { format: 'csv', title: 'Table (CSV)', extension: 'csv' },
  ...(Object.keys(LABEL_FORMATS) as LabelFormat[]).map((format) => ({
    format,
    title: `${LABEL_FORMATS[format].name} (JSON Lines)`,
    extension: `${format}.jsonl`,
  })),
];

/**
 * Writes a run in a format. In the formats for labelled steps a step counts as right where its reward reaches the
 * threshold: these labels are the PRM's opinion, and `losses` says so.
 */
export function exportRun(
  run: Run,
  verdicts: readonly LaneVerdict[],
  format: RunExport,
  threshold: number,
): Written<string> {
  if (format === 'run') return writeRunFile(eventsOf(run));
  if (format === 'scored') return joinLines(samplesOf(run, verdicts).map(writeScored));
  if (format === 'csv') return scoredToCsv(samplesOf(run, verdicts));
  const { write } = LABEL_FORMATS[format];
  const options = { neutral: 'positive', unrated: 'stop' } as const;
  const written = joinLines(
    run.solutions.map((_, lane) =>
      write(labelledOf(run, lane, verdicts[lane]?.correct ?? null, threshold), options),
    ),
  );
  const note = `the rewards themselves: a step is labelled right where its reward is ${threshold} or more`;
  return written.ok ? { ...written, losses: [note, ...written.losses] } : written;
}

function samplesOf(run: Run, verdicts: readonly LaneVerdict[]): ScoredSample[] {
  return run.solutions.map(({ lane, steps, answer }) => ({
    problem: run.problem.text,
    answer,
    prmScore: verdicts[lane]?.prm ?? null,
    ormScore: verdicts[lane]?.orm ?? null,
    correct: verdicts[lane]?.correct ?? null,
    rest: { lane, steps: steps.map(({ text }) => text), step_rewards: steps.map(({ reward }) => reward) },
  }));
}

function labelledOf(run: Run, lane: number, correct: boolean | null, threshold: number): LabelledSolution {
  return {
    problem: run.problem.text,
    truth: run.problem.answer,
    steps: run.solutions[lane]!.steps.map(({ text, reward }) =>
      plainStep(text, reward === null ? null : reward >= threshold ? 1 : -1),
    ),
    correct,
    source: 'steplight',
    rest: {},
  };
}

function joinLines(lines: readonly Written<unknown>[]): Written<string> {
  let text = '';
  const losses = new Set<string>();
  for (const line of lines) {
    if (!line.ok) return line;
    text += `${JSON.stringify(line.value)}\n`;
    line.losses.forEach((loss) => losses.add(loss));
  }
  return { ok: true, value: text, losses: [...losses] };
}
