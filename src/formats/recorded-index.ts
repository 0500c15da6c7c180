import * as v from 'valibot';
import { LIMITS } from '../domain/limits.ts';
import { failure, isObject, parseJson, type Parsed } from './json.ts';
import { check } from './validate.ts';

/** The version of recorded/index.json that this code reads. */
export const RECORDED_INDEX_VERSION = 1;

/** How far a problem is from what the bundled models do with ease. */
export const LEVELS = ['easy', 'middle', 'hard'] as const;
export type Level = (typeof LEVELS)[number];

const line = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(300));
/** A name and nothing else: no path, no other host. */
const fileName = v.pipe(
  v.string(),
  v.maxLength(100),
  v.regex(/^[\w-]+\.json$/, 'is not the name of a JSON file'),
);

const run = v.object({
  id: v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]{0,60}$/, 'is not a short plain name')),
  title: line,
  /** Why it was chosen, in a sentence. */
  why: line,
  level: v.picklist(LEVELS),
  /** A run file beside the index. */
  file: fileName,
  /** The text of its problem, by which an example finds it. */
  problem: v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.maxProblemCharacters)),
});

const index = v.object({
  schemaVersion: v.literal(RECORDED_INDEX_VERSION),
  runs: v.pipe(v.array(run), v.maxLength(100)),
});

export type RecordedIndex = v.InferOutput<typeof index>;
/** A recorded run that the site brings along. */
export type RecordedRun = RecordedIndex['runs'][number];

/** Reads recorded/index.json; never throws. */
export function readRecordedIndex(source: string): Parsed<RecordedIndex> {
  const json = parseJson(source);
  if (!json.ok) return failure(`The list of recorded runs cannot be read: ${json.message}.`);
  const version = isObject(json.value) ? json.value.schemaVersion : undefined;
  if (typeof version === 'number' && version !== RECORDED_INDEX_VERSION) {
    return failure(
      `The list of recorded runs has version ${version}; this page reads version ${RECORDED_INDEX_VERSION}.`,
    );
  }
  const parsed = check(index, json.value);
  return parsed.ok ? parsed : failure(`The list of recorded runs is damaged at ${parsed.message}`);
}
