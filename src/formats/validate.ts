import * as v from 'valibot';
import { failure, parseJson, type Parsed } from './json.ts';

/** Parses JSON text and checks it against a schema. The message names the place: "label.steps.2.completions: ...". */
export function parseWith<const S extends v.GenericSchema>(
  schema: S,
  text: string,
): Parsed<v.InferOutput<S>> {
  const json = parseJson(text);
  return json.ok ? check(schema, json.value) : json;
}

export function check<const S extends v.GenericSchema>(schema: S, value: unknown): Parsed<v.InferOutput<S>> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return { ok: true, value: result.output };
  const [issue] = result.issues;
  const place = v.getDotPath(issue);
  return failure(
    `${place === null ? '' : `${place.slice(0, 200)}: `}${issue.received === 'undefined' ? 'is missing' : issue.message.slice(0, 300)}`,
  );
}

/** A finite number; valibot's `number` refuses NaN only. */
export const finite = v.pipe(v.number(), v.finite());
