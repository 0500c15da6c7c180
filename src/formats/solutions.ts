import * as v from 'valibot';
import { LIMITS } from '../domain/limits.ts';
import type { StepClasses } from '../domain/pick.ts';
import type { RunEvent } from '../domain/run.ts';
import { detectLabelFormat, LABEL_FORMATS, type LabelFormat } from './convert.ts';
import { readCsv } from './csv.ts';
import { failure, isObject, parseJson, type Json, type JsonObject, type Parsed } from './json.ts';
import { pathStep, type LabelledSolution, type Rating } from './labelled.ts';
import { readRecords, type LineError } from './lines.ts';
import { parseRunFile, RUN_FORMAT } from './run-file.ts';
import { parseScored, scoredFromCsv, type ScoredSample } from './scored.ts';
import { check } from './validate.ts';

/** Somebody else's solutions, of whatever format, as far as the page can show them. */

export interface ForeignStep {
  readonly text: string;
  /** A reward from 0 to 1; `null` where the source has none. */
  readonly reward: number | null;
  readonly classes: StepClasses | null;
}

export interface ForeignSolution {
  readonly problem: string;
  /** The correct answer, where the source gives it. */
  readonly truth: string | null;
  /** Whether the source calls the solution's answer correct. */
  readonly correct: boolean | null;
  readonly steps: readonly ForeignStep[];
  /** The solution's own answer, where the source gives it apart from the text. */
  readonly answer: string | null;
  /** Scores of the whole solution: any finite numbers. */
  readonly prmScore: number | null;
  readonly ormScore: number | null;
  readonly format: SolutionFormat;
}

export type SolutionFormat = LabelFormat | 'scored' | 'solutions' | 'csv';

export const SOLUTION_FORMATS: Readonly<Record<SolutionFormat, string>> = {
  prm800k: LABEL_FORMATS.prm800k.name,
  trl: LABEL_FORMATS.trl.name,
  'math-shepherd': LABEL_FORMATS['math-shepherd'].name,
  processbench: LABEL_FORMATS.processbench.name,
  rlhflow: LABEL_FORMATS.rlhflow.name,
  scored: 'scored samples',
  solutions: 'solutions',
  csv: 'scored samples (CSV)',
};

/** What one file or one paste may hold. */
export const FOREIGN_BOUNDS = {
  /** Bytes of a file, characters of a paste. */
  size: 32_000_000,
  records: 20_000,
  steps: 200,
  stepCharacters: 20_000,
} as const;

/** The solutions of one problem, in the order of the source. */
export interface ForeignProblem {
  readonly problem: string;
  readonly solutions: readonly ForeignSolution[];
}

/** What was found: a run of this page, or solutions by problem with what could not be read. */
export type Foreign =
  | { readonly kind: 'run'; readonly events: readonly RunEvent[] }
  | {
      readonly kind: 'solutions';
      readonly problems: readonly ForeignProblem[];
      readonly format: SolutionFormat;
      /** The first hundred, and how many there are. */
      readonly errors: readonly LineError[];
      readonly errorCount: number;
      /** Whether there is more behind the last record that was read. */
      readonly truncated: boolean;
    };

const classTriple = v.object({ positive: v.number(), neutral: v.number(), negative: v.number() });
const lines = v.pipe(v.array(v.string()), v.maxLength(FOREIGN_BOUNDS.steps));
const optionalText = v.optional(v.nullable(v.string()));
const optionalRewards = v.optional(
  v.nullable(
    v.pipe(
      v.array(v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1)))),
      v.maxLength(FOREIGN_BOUNDS.steps),
    ),
  ),
);

/** What solutions and scored samples may carry beside their known fields. */
const extras = v.looseObject({
  problem: v.string(),
  steps: v.optional(v.nullable(lines)),
  solution: optionalText,
  step_rewards: optionalRewards,
  step_classes: v.optional(
    v.nullable(v.pipe(v.array(v.nullable(classTriple)), v.maxLength(FOREIGN_BOUNDS.steps))),
  ),
  ground_truth_answer: optionalText,
  gold: optionalText,
});

/** Reads one line of any of the formats; the message says what is wrong with it. */
export function parseSolution(line: string): Parsed<ForeignSolution> {
  const format = detectLabelFormat(line);
  if (format === null || format === 'scored') {
    const json = parseJson(line.replace(/^\ufeff/, ''));
    if (!json.ok) return json;
    if (!isObject(json.value)) return failure('not a JSON object');
    const raw = json.value;
    if (format === null && !('problem' in raw && ('steps' in raw || 'solution' in raw))) {
      return failure(
        'none of the known formats: a line needs "problem" with "steps", "solution", "answer" or scores, or the fields of PRM800K, TRL, Math-Shepherd, ProcessBench or RLHFlow',
      );
    }
    const scored = parseScored(line);
    return scored.ok ? fromSample(scored.value, raw, format ?? 'solutions') : scored;
  }
  const parsed = LABEL_FORMATS[format].parse(line);
  return parsed.ok ? bounded(fromLabels(parsed.value, format)) : parsed;
}

function fromSample(sample: ScoredSample, raw: JsonObject, format: SolutionFormat): Parsed<ForeignSolution> {
  const parsed = check(extras, raw);
  if (!parsed.ok) return parsed;
  const { steps, solution, step_rewards: rewards, step_classes: classes } = parsed.value;
  const texts = steps ?? linesOf(solution ?? '');
  for (const [name, list] of Object.entries({ step_rewards: rewards, step_classes: classes })) {
    if (list && list.length !== texts.length)
      return failure(`${name}: ${list.length} for ${texts.length} steps`);
  }
  const bad = classes?.findIndex((each) => each !== null && !areProbabilities(each)) ?? -1;
  if (bad >= 0) return failure(`step_classes.${bad}: not three probabilities that sum to 1`);
  return bounded({
    problem: sample.problem,
    truth: parsed.value.ground_truth_answer ?? parsed.value.gold ?? null,
    correct: sample.correct,
    steps: texts.map((text, i) => {
      const verdict = classes?.[i] ?? null;
      return {
        text,
        reward: verdict === null ? (rewards?.[i] ?? null) : positiveOf(verdict),
        classes: verdict,
      };
    }),
    answer: sample.answer,
    prmScore: sample.prmScore,
    ormScore: sample.ormScore,
    format,
  });
}

/** Labels are shown as rewards: 1 for right, 0 for wrong. Where a person could say "neutral" there are three classes. */
function fromLabels(labelled: LabelledSolution, format: LabelFormat): ForeignSolution {
  const path = labelled.steps.map(pathStep).filter((step) => step !== null);
  return {
    problem: labelled.problem,
    truth: labelled.truth,
    correct: labelled.correct,
    steps: path.map(({ text, rating }) => {
      const classes = format === 'prm800k' ? classesOf(rating) : null;
      const reward = rating === null ? null : classes === null ? (rating === 1 ? 1 : 0) : positiveOf(classes);
      return { text, reward, classes };
    }),
    answer: null,
    prmScore: null,
    ormScore: null,
    format,
  };
}

function classesOf(rating: Rating): StepClasses | null {
  if (rating === null) return null;
  return { positive: rating === 1 ? 1 : 0, neutral: rating === 0 ? 1 : 0, negative: rating === -1 ? 1 : 0 };
}

const positiveOf = ({ positive, neutral }: StepClasses): number => Math.min(1, positive + neutral);

function areProbabilities({ positive, neutral, negative }: StepClasses): boolean {
  const all = [positive, neutral, negative];
  return all.every((p) => p >= 0 && p <= 1) && Math.abs(positive + neutral + negative - 1) <= 1e-3;
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '');
}

function bounded(solution: ForeignSolution): Parsed<ForeignSolution> {
  const { problem, steps } = solution;
  if (problem.trim() === '') return failure('problem: is empty');
  if (problem.length > LIMITS.maxProblemCharacters) {
    return failure(
      `problem: ${problem.length.toLocaleString('en')} characters; at most ${LIMITS.maxProblemCharacters.toLocaleString('en')} can be shown`,
    );
  }
  if (steps.length > FOREIGN_BOUNDS.steps)
    return failure(`${steps.length} steps; at most ${FOREIGN_BOUNDS.steps} can be shown`);
  if (steps.some(({ text }) => text.length > FOREIGN_BOUNDS.stepCharacters))
    return failure(`a step of more than ${FOREIGN_BOUNDS.stepCharacters.toLocaleString('en')} characters`);
  return { ok: true, value: solution };
}

/**
 * Reads a file or a paste: a run file, JSON Lines, a JSON array, or CSV with a header. Faulty lines are told and the
 * others load. Never throws; fails only where nothing at all can be made of the text.
 */
export async function readForeign(source: string): Promise<Parsed<Foreign>> {
  const text = source.replace(/^\ufeff/, '');
  if (text.trim() === '') return failure('There is nothing to open: paste some lines or choose a file.');
  if (text.length > FOREIGN_BOUNDS.size) {
    return failure(
      `This is longer than ${FOREIGN_BOUNDS.size.toLocaleString('en')} characters. Split it, and open a part.`,
    );
  }
  const first = text.trimStart()[0];
  if (first === '{' && text.slice(0, 2_000).includes(`"${RUN_FORMAT}"`)) {
    const events = parseRunFile(text);
    return events.ok ? { ok: true, value: { kind: 'run', events: events.value } } : events;
  }
  const collected =
    first === '['
      ? collectArray(text)
      : first === '{' || !/^[^\n]*\bproblem\b/.test(text)
        ? await collectLines(text)
        : await collectCsv(text);
  if (!collected.ok) return collected;
  const { solutions, errors, errorCount, truncated } = collected.value;
  if (solutions.length === 0) {
    const [worst] = errors;
    return failure(
      worst === undefined
        ? 'There is no solution in it.'
        : `No line could be read. Line ${worst.line}: ${worst.message}.`,
    );
  }
  const problems = new Map<string, ForeignSolution[]>();
  for (const solution of solutions) {
    const key = solution.problem.trim();
    const own = problems.get(key);
    if (own === undefined) problems.set(key, [solution]);
    else own.push(solution);
  }
  return {
    ok: true,
    value: {
      kind: 'solutions',
      problems: [...problems].map(([problem, own]) => ({ problem, solutions: own })),
      format: solutions[0]!.format,
      errors,
      errorCount,
      truncated,
    },
  };
}

interface Collected {
  readonly solutions: readonly ForeignSolution[];
  readonly errors: readonly LineError[];
  readonly errorCount: number;
  readonly truncated: boolean;
}

class Collector {
  readonly solutions: ForeignSolution[] = [];
  readonly errors: LineError[] = [];
  errorCount = 0;
  truncated = false;

  /** False when there is no more room. */
  add(line: number, parsed: Parsed<ForeignSolution>): boolean {
    if (this.solutions.length >= FOREIGN_BOUNDS.records) {
      this.truncated = true;
      return false;
    }
    if (parsed.ok) this.solutions.push(parsed.value);
    else {
      this.errorCount++;
      if (this.errors.length < 100) this.errors.push({ line, message: parsed.message });
    }
    return true;
  }
}

async function collectLines(text: string): Promise<Parsed<Collected>> {
  const collector = new Collector();
  for await (const item of readRecords([text], parseSolution)) {
    const parsed = 'value' in item ? ({ ok: true, value: item.value } as const) : failure(item.message);
    if (!collector.add(item.line, parsed)) break;
  }
  return { ok: true, value: collector };
}

/** Entries count from 1, as lines do. */
function collectArray(text: string): Parsed<Collected> {
  const json = parseJson(text);
  if (!json.ok) return failure(`This cannot be read: ${json.message}.`);
  if (!Array.isArray(json.value)) return failure('This is not a list of solutions.');
  const collector = new Collector();
  for (const [index, entry] of (json.value as readonly unknown[]).entries()) {
    if (!collector.add(index + 1, parseSolution(JSON.stringify(entry)))) break;
  }
  return { ok: true, value: collector };
}

async function collectCsv(text: string): Promise<Parsed<Collected>> {
  const collector = new Collector();
  let header: readonly string[] | null = null;
  for await (const item of readCsv([text])) {
    if ('message' in item) {
      if (!collector.add(item.line, failure(item.message))) break;
    } else if (header === null) {
      header = item.row.map((name) => name.trim());
    } else {
      const sample = scoredFromCsv(header, item.row);
      const raw = Object.fromEntries(header.map((name, i) => [name, item.row[i] ?? '']));
      const parsed = sample.ok ? fromSample(sample.value, fieldsOf(raw), 'csv') : sample;
      if (!collector.add(item.line, parsed)) break;
    }
  }
  return { ok: true, value: collector };
}

/** A cell holds text only; lists are written as JSON in it. */
function fieldsOf(cells: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(cells).map(([name, cell]): [string, Json] => {
      if (cell === '') return [name, null];
      if (name !== 'steps' && name !== 'step_rewards' && name !== 'step_classes') return [name, cell];
      const json = parseJson(cell);
      return [name, json.ok ? json.value : cell];
    }),
  );
}
