import { fold, type Run } from '../../domain/run.ts';
import type { Parsed } from '../../formats/json.ts';
import { readRecordedIndex, type RecordedIndex, type RecordedRun } from '../../formats/recorded-index.ts';
import { parseRunFile } from '../../formats/run-file.ts';

const NOTHING: RecordedIndex = { schemaVersion: 1, runs: [] };

/**
 * The recorded runs that the site brings along: public/recorded/index.json as it was when the site was built
 * (vite.config.ts), known without a request. None where the list is absent or damaged.
 */
export const RECORDED: RecordedIndex = listOf(import.meta.env['RECORDED_INDEX']);

function listOf(source: unknown): RecordedIndex {
  const index = typeof source === 'string' ? readRecordedIndex(source) : null;
  return index?.ok ? index.value : NOTHING;
}

/** The pool of scored samples of held-out problems (pool-file.ts), where the site was built with one. */
export const POOL_FILE: string | null = import.meta.env['HAS_POOL'] === true ? 'pool.json' : null;

/** The run of an entry, or what is wrong with its file: the page works without it. */
export async function loadRecordedRun({ file, title }: RecordedRun): Promise<Parsed<Run>> {
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
