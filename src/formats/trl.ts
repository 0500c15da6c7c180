import * as v from 'valibot';
import { allFinite, failure, restOf, type JsonObject, type Parsed, type Written } from './json.ts';
import {
  binaryPath,
  correctLosses,
  plainStep,
  restLosses,
  truthLosses,
  type BinaryOptions,
  type LabelledSolution,
} from './labelled.ts';
import { parseWith } from './validate.ts';

/** Stepwise supervision as TRL reads it: one prompt, one list of steps, one list of booleans. */

const record = v.looseObject({
  prompt: v.string(),
  completions: v.pipe(v.array(v.string()), v.maxLength(10_000)),
  labels: v.pipe(v.array(v.boolean()), v.maxLength(10_000)),
});

export function parseTrl(line: string): Parsed<LabelledSolution> {
  const parsed = parseWith(record, line);
  if (!parsed.ok) return parsed;
  const { prompt, completions, labels } = parsed.value;
  if (completions.length !== labels.length) {
    return failure(`${completions.length} completions, but ${labels.length} labels`);
  }
  return {
    ok: true,
    value: {
      problem: prompt,
      truth: null,
      steps: completions.map((text, i) => plainStep(text, labels[i] === true ? 1 : -1)),
      correct: null,
      source: 'trl',
      rest: restOf(parsed.value as JsonObject, ['prompt', 'completions', 'labels']),
    },
  };
}

export function writeTrl(solution: LabelledSolution, options: BinaryOptions): Written<JsonObject> {
  if (!allFinite(solution.rest)) return failure('a number is not finite');
  const path = binaryPath(solution, options);
  return {
    ok: true,
    value: {
      prompt: solution.problem,
      completions: path.steps.map((step) => step.text),
      labels: path.steps.map((step) => step.good),
      ...(solution.source === 'trl' ? solution.rest : {}),
    },
    losses: [
      ...path.losses,
      ...truthLosses(solution),
      ...correctLosses(solution),
      ...restLosses(solution, 'trl'),
    ],
  };
}
