import * as v from 'valibot';
import {
  allFinite,
  failure,
  isObject,
  restOf,
  type Json,
  type JsonObject,
  type Parsed,
  type Written,
} from './json.ts';
import {
  pathStep,
  restLosses,
  type Completion,
  type LabelledSolution,
  type LabelledStep,
} from './labelled.ts';
import { finite, parseWith } from './validate.ts';

/**
 * PRM800K (github.com/openai/prm800k), both phases. In real files `human_completion` is an object and not a string,
 * `completions` may be null, the answer and the reference solution may be null, and the last step of a solution that
 * ends at its first mistake has chosen nothing.
 */

/** Generous bounds: real solutions have at most some dozens of steps. */
const MAX_STEPS = 1_000;
const MAX_COMPLETIONS = 1_000;

const rating = v.nullable(v.picklist([-1, 0, 1]));
const completion = v.looseObject({
  text: v.string(),
  rating: v.optional(rating),
  flagged: v.optional(v.nullable(v.boolean())),
});
const step = v.looseObject({
  completions: v.nullable(v.pipe(v.array(completion), v.maxLength(MAX_COMPLETIONS))),
  human_completion: v.optional(v.nullable(v.union([completion, v.string()]))),
  chosen_completion: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0)))),
});
const record = v.looseObject({
  question: v.looseObject({
    problem: v.string(),
    ground_truth_answer: v.optional(v.nullable(v.string())),
  }),
  label: v.looseObject({
    steps: v.pipe(v.array(step), v.maxLength(MAX_STEPS)),
    finish_reason: v.optional(v.nullable(v.string())),
    total_time: v.optional(v.nullable(finite)),
  }),
});

type RawCompletion = v.InferOutput<typeof completion>;

/** Which optional fields a record wrote at all, so that writing it back neither adds nor drops any. */
const ABSENT = '(absent)';

/** Reads one line. `rest` keeps all fields of the record, `question` and `label` that have no place of their own. */
export function parsePrm800k(line: string): Parsed<LabelledSolution> {
  const parsed = parseWith(record, line);
  if (!parsed.ok) return parsed;
  const { question, label } = parsed.value;
  for (const [i, { completions, chosen_completion: chosen }] of label.steps.entries()) {
    if (chosen !== null && chosen !== undefined && chosen >= (completions?.length ?? 0)) {
      return failure(`label.steps.${i}.chosen_completion: there is no completion ${chosen}`);
    }
  }
  return {
    ok: true,
    value: {
      problem: question.problem,
      truth: question.ground_truth_answer ?? null,
      steps: label.steps.map(readStep),
      correct: null,
      source: 'prm800k',
      rest: {
        ...restOf(parsed.value as JsonObject, ['question', 'label']),
        question: withAbsent(
          question as JsonObject,
          ['problem', 'ground_truth_answer'],
          ['ground_truth_answer'],
        ),
        label: restOf(label as unknown as JsonObject, ['steps']),
      },
    },
  };
}

/**
 * Writes one record. Records that came from PRM800K come out with the same fields and values; others get the fields
 * that the format requires, and what it cannot hold is listed.
 */
export function writePrm800k(solution: LabelledSolution): Written<JsonObject> {
  if (!allFinite(solution)) return failure('a number is not finite');
  const own = solution.source === 'prm800k' ? solution.rest : FRESH;
  const question = isObject(own.question) ? own.question : {};
  const wrong = solution.steps.some((s) => pathStep(s)?.rating === -1);
  const label: JsonObject = isObject(own.label)
    ? own.label
    : { total_time: 0, finish_reason: wrong ? 'found_error' : 'solution' };
  const losses = [...restLosses(solution, 'prm800k')];
  if (solution.correct !== null) losses.push('whether the final answer is right');
  const value: JsonObject = {
    ...restOf(own, ['question', 'label']),
    question: {
      problem: solution.problem,
      ...withoutAbsent(question, { ground_truth_answer: solution.truth }),
    },
    label: { steps: solution.steps.map((s) => writeStep(s, solution.source === 'prm800k')), ...label },
  };
  return { ok: true, value, losses };
}

/** What a record must have that was not labelled in PRM800K's own tool. */
const FRESH: JsonObject = {
  labeler: null,
  timestamp: null,
  generation: null,
  is_quality_control_question: false,
  is_initial_screening_question: false,
};

function readStep(raw: v.InferOutput<typeof step>): LabelledStep {
  return {
    completions: raw.completions?.map(readCompletion) ?? null,
    chosen: raw.chosen_completion ?? null,
    human:
      typeof raw.human_completion === 'string'
        ? { text: raw.human_completion, rating: null, flagged: null, rest: { [ABSENT]: 'object' } }
        : raw.human_completion === null || raw.human_completion === undefined
          ? null
          : readCompletion(raw.human_completion),
    rest: withAbsent(
      raw as unknown as JsonObject,
      ['completions', 'human_completion', 'chosen_completion'],
      ['human_completion', 'chosen_completion'],
    ),
  };
}

function readCompletion(raw: RawCompletion): Completion {
  return {
    text: raw.text,
    rating: raw.rating ?? null,
    flagged: raw.flagged ?? null,
    rest: withAbsent(raw as JsonObject, ['text', 'rating', 'flagged'], ['rating', 'flagged']),
  };
}

function writeStep(s: LabelledStep, own: boolean): JsonObject {
  return {
    completions: s.completions?.map((c) => writeCompletion(c, own)) ?? null,
    ...withoutAbsent(own ? s.rest : {}, {
      human_completion: s.human === null ? null : writeHuman(s.human, own),
      chosen_completion: s.chosen,
    }),
  };
}

function writeHuman(c: Completion, own: boolean): Json {
  if (own && c.rest[ABSENT] === 'object') return c.text;
  const written = writeCompletion(c, own);
  return own ? written : { ...written, source: 'human' };
}

function writeCompletion(c: Completion, own: boolean): JsonObject {
  return { text: c.text, ...withoutAbsent(own ? c.rest : {}, { rating: c.rating, flagged: c.flagged }) };
}

function withAbsent(object: JsonObject, known: readonly string[], optional: readonly string[]): JsonObject {
  const absent = optional.filter((key) => !Object.hasOwn(object, key));
  const rest = restOf(object, known);
  return absent.length === 0 ? rest : { ...rest, [ABSENT]: absent };
}

/** Puts the fields back, except those that were absent and still say nothing. */
function withoutAbsent(rest: JsonObject, fields: JsonObject): JsonObject {
  const absent = rest[ABSENT];
  const wasAbsent = (key: string): boolean => Array.isArray(absent) && absent.includes(key);
  const kept = Object.entries(fields).filter(([key, value]) => value !== null || !wasAbsent(key));
  return { ...Object.fromEntries(kept), ...restOf(rest, [ABSENT]) };
}
