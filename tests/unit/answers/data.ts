import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where the shared data lie: next to the repository, or where STEPLIGHT_DATA says. */
const DATA = resolve(process.env.STEPLIGHT_DATA ?? join(import.meta.dirname, '../../../../shared/data'));

/** The lines of a shared JSON Lines file, `null` where the data are not there (tests then skip). */
export function sharedLines(path: string): string[] | null {
  const file = join(DATA, path);
  if (!existsSync(file)) {
    console.warn(`skipped: ${path} is not there; set STEPLIGHT_DATA to the folder of the shared data`);
    return null;
  }
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}
