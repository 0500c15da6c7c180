import { fold, type Run } from '../../domain/run.ts';
import { isObject, parseJson } from '../../formats/json.ts';
import { parseRunFile } from '../../formats/run-file.ts';

/** A recorded run that the site brings along, as recorded/index.json lists it. */
export interface RecordedRun {
  /** File name in recorded/. */
  readonly file: string;
  /** Text of its problem, by which a preset finds it. */
  readonly problem: string;
  readonly title: string;
  /** Why it was chosen, in a sentence. */
  readonly why: string;
}

const FOLDER = 'recorded/';
/** A name and nothing else: no path, no other host. */
const FILE_NAME = /^[\w-]+\.json$/;

/** The list of recorded runs; empty where there is none. Entries that cannot be used are left out. */
export async function listRecordedRuns(): Promise<readonly RecordedRun[]> {
  const text = await fetchText('index.json');
  if (text === null) return [];
  const json = parseJson(text);
  if (!json.ok || !isObject(json.value) || !Array.isArray(json.value.runs)) return [];
  return json.value.runs.filter(isRecordedRun);
}

/** The run, or `null` if its file is missing or damaged: the page works without it. */
export async function loadRecordedRun(entry: RecordedRun): Promise<Run | null> {
  const text = await fetchText(entry.file);
  if (text === null) return null;
  const events = parseRunFile(text);
  return events.ok ? fold(null, events.value) : null;
}

function isRecordedRun(value: unknown): value is RecordedRun {
  return (
    isObject(value) &&
    typeof value.file === 'string' &&
    FILE_NAME.test(value.file) &&
    typeof value.problem === 'string' &&
    typeof value.title === 'string' &&
    typeof value.why === 'string'
  );
}

async function fetchText(name: string): Promise<string | null> {
  try {
    const response = await fetch(new URL(FOLDER + name, document.baseURI));
    return response.ok ? await response.text() : null;
  } catch {
    return null;
  }
}
