import { fold, type Run } from '../../domain/run.ts';
import type { Parsed } from '../../formats/json.ts';
import { parseRunFile } from '../../formats/run-file.ts';

/** The run of an entry, or what is wrong with its file: the page works without it. */
export async function loadRecordedRun({
  file,
  title,
}: {
  readonly file: string;
  readonly title: string;
}): Promise<Parsed<Run>> {
  const source = await fetchRecorded(file);
  if (!source.ok) return source;
  const events = parseRunFile(source.value);
  if (!events.ok) return events;
  const run = fold(null, events.value);
  return run === null
    ? { ok: false, message: `The recorded run “${title}” is empty.` }
    : { ok: true, value: run };
}

/** Most bytes of a recorded file that the page reads. */
const MAX_BYTES = 16_000_000;

/** The text of a file in public/recorded. */
export async function fetchRecorded(file: string): Promise<Parsed<string>> {
  try {
    const response = await fetch(new URL(`recorded/${file}`, document.baseURI));
    if (!response.ok)
      return { ok: false, message: `recorded/${file} could not be fetched (${response.status}).` };
    if (Number(response.headers.get('content-length') ?? 0) > MAX_BYTES) {
      return { ok: false, message: `recorded/${file} is too large.` };
    }
    return { ok: true, value: await response.text() };
  } catch {
    return {
      ok: false,
      message: `recorded/${file} could not be fetched. Check the connection and reload the page.`,
    };
  }
}
