import * as v from 'valibot';
import { allFinite, failure, restOf, type JsonObject, type Parsed, type Written } from './json.ts';
import {
  binaryPath,
  pathStep,
  plainStep,
  restLosses,
  truthLosses,
  type BinaryOptions,
  type LabelledSolution,
  type Rating,
} from './labelled.ts';
import { parseWith } from './validate.ts';

/** ProcessBench: `label` is the 0-based index of the first wrong step, -1 for none. Steps after it have no label. */

const record = v.looseObject({
  id: v.optional(v.string()),
  generator: v.optional(v.string()),
  problem: v.string(),
  steps: v.pipe(v.array(v.string()), v.maxLength(10_000)),
  final_answer_correct: v.optional(v.nullable(v.boolean())),
  label: v.pipe(v.number(), v.integer(), v.minValue(-1)),
});

export function parseProcessBench(line: string): Parsed<LabelledSolution> {
  const parsed = parseWith(record, line);
  if (!parsed.ok) return parsed;
  const { problem, steps, label, final_answer_correct: correct } = parsed.value;
  if (label >= steps.length) return failure(`label: there is no step ${label}`);
  return {
    ok: true,
    value: {
      problem,
      truth: null,
      steps: steps.map((text, i) => plainStep(text, label === -1 || i < label ? 1 : i === label ? -1 : null)),
      correct: correct ?? null,
      source: 'processbench',
      rest: restOf(parsed.value as JsonObject, ['problem', 'steps', 'label', 'final_answer_correct']),
    },
  };
}

/**
 * Writes the index of the first wrong step. Ratings behind it have no place. A solution with a step that nobody
 * rated and no mistake before it has no label, unless `unrated` says what to take such a step for.
 */
export function writeProcessBench(solution: LabelledSolution, options: BinaryOptions): Written<JsonObject> {
  if (!allFinite(solution.rest)) return failure('a number is not finite');
  // For the losses of flattening; which rating becomes what is decided below, up to the first mistake only.
  const flat = binaryPath(solution, { neutral: 'positive', unrated: 'positive' });
  const ratings = solution.steps
    .map(pathStep)
    .filter((step) => step !== null)
    .map((step) => step.rating);
  const isWrong = (rating: Rating): boolean =>
    rating === -1 ||
    (rating === 0 && options.neutral === 'negative') ||
    (rating === null && options.unrated === 'negative');
  const label = ratings.findIndex(isWrong);
  const decided = label < 0 ? ratings : ratings.slice(0, label + 1);
  if (options.unrated === 'stop' && decided.includes(null)) {
    return failure('a step without a rating, and no mistake before it');
  }
  const losses = flat.losses.filter((loss) => !loss.includes(' written as '));
  const note = (n: number, what: string): void => {
    if (n > 0) losses.push(`${what}: ${n}`);
  };
  note(decided.filter((r) => r === 0).length, `neutral ratings, written as ${options.neutral}`);
  note(decided.filter((r) => r === null).length, `missing ratings, written as ${options.unrated}`);
  note(
    label < 0 ? 0 : ratings.slice(label + 1).filter((r) => r !== null).length,
    'ratings behind the first mistake',
  );
  if (solution.correct === null)
    losses.push('final_answer_correct, which nobody said and which is written as null');
  const own = solution.source === 'processbench';
  return {
    ok: true,
    value: {
      ...(own ? solution.rest : { id: '', generator: '' }),
      problem: solution.problem,
      steps: flat.steps.map((step) => step.text),
      final_answer_correct: solution.correct,
      label,
    },
    losses: [...losses, ...truthLosses(solution), ...restLosses(solution, 'processbench')],
  };
}
