import { readRecordedIndex, type RecordedIndex } from '../../formats/recorded-index.ts';

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
