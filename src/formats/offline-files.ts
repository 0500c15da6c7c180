import * as v from 'valibot';
import { declaredFile } from './manifest.ts';
import { failure, type Parsed } from './json.ts';
import { check } from './validate.ts';

/** The version of offline-files.json that this code reads. */
export const OFFLINE_FILES_VERSION = 1;

/** The list that the build writes: what a run needs besides the page and the models. Paths are below the site's root. */
const list = v.object({
  schemaVersion: v.literal(OFFLINE_FILES_VERSION),
  files: v.pipe(v.array(declaredFile), v.maxLength(200)),
});

export type OfflineFiles = v.InferOutput<typeof list>;

/** Validates the JSON value of offline-files.json; never throws. */
export function readOfflineFiles(value: unknown): Parsed<OfflineFiles> {
  const parsed = check(list, value);
  return parsed.ok
    ? parsed
    : failure(
        `The list of the site's files is damaged at ${parsed.message} Reload the page; if that does not help, the site must be built again.`,
      );
}
