import { readPoolFile, type PoolFile } from '../../formats/pool-file.ts';
import type { Parsed } from '../../formats/json.ts';
import { fetchRecorded } from './fetch-recorded.ts';
import { POOL_FILE } from './recorded.ts';

let pool: Promise<Parsed<PoolFile>> | null = null;

/** The measured pool of scored samples, fetched once; `null` where the site was built without one. */
export function loadPool(): Promise<Parsed<PoolFile>> | null {
  if (POOL_FILE === null) return null;
  pool ??= fetchRecorded(POOL_FILE).then((source) => {
    const result = source.ok ? readPoolFile(source.value) : source;
    // Another look may have more luck.
    if (!result.ok) pool = null;
    return result;
  });
  return pool;
}
