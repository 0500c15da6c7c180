import type { DeclaredFile } from '../domain/declared-file.ts';
import { modelKey, type ModelChoice, type ModelRef } from '../domain/model-choice.ts';
import type { Backend } from '../domain/run.ts';
import { filesFor, type Manifest } from '../formats/manifest.ts';
import type { FileStore } from '../models/file-store.ts';
import { filesOnDevice, folderUrlOf } from '../models/model-files.ts';

/** Files of one model on one kind of device. */
interface Wanted {
  readonly folderUrl: string;
  readonly files: readonly DeclaredFile[];
}

/**
 * Bytes of a choice's files that this browser has not stored, apart for the site's models and others. Where
 * several backends may be used, the largest that one needs counts.
 */
export async function bytesToFetch(
  { generator, prm, orm }: ModelChoice,
  manifest: Manifest | null,
  baseUrl: string,
  store: FileStore | null,
  backends: readonly Backend[],
): Promise<{ readonly site: number; readonly elsewhere: number }> {
  const refs = new Map<string, ModelRef>();
  for (const ref of [generator, prm, orm]) if (ref !== null) refs.set(modelKey(ref), ref);
  const sum = { site: 0, elsewhere: 0 };
  for (const ref of refs.values()) {
    const sizes = await Promise.all(
      wantedBy(ref, manifest, baseUrl, backends).map(async ({ folderUrl, files }) =>
        store === null
          ? files.reduce((total, { bytes }) => total + bytes, 0)
          : store.missing(folderUrl, files),
      ),
    );
    sum[ref.from] += Math.max(0, ...sizes);
  }
  return sum;
}

/** Whether all files of a model that one of the backends needs are stored here. */
export async function isStored(
  ref: ModelRef,
  manifest: Manifest | null,
  baseUrl: string,
  store: FileStore | null,
  backends: readonly Backend[],
): Promise<boolean> {
  if (store === null) return false;
  for (const { folderUrl, files } of wantedBy(ref, manifest, baseUrl, backends)) {
    if ((await store.missing(folderUrl, files)) === 0) return true;
  }
  return false;
}

function wantedBy(
  ref: ModelRef,
  manifest: Manifest | null,
  baseUrl: string,
  backends: readonly Backend[],
): Wanted[] {
  if (ref.from === 'elsewhere')
    return backends.flatMap((backend) => {
      const variant = filesOnDevice(ref.model, backend, true);
      return variant === null ? [] : [{ folderUrl: folderUrlOf(ref.model), files: variant.files }];
    });
  const model = manifest?.models.find(({ id }) => id === ref.id);
  if (model === undefined) return [];
  return backends.flatMap((backend) => {
    const choice = filesFor(model, backend);
    return choice === null
      ? []
      : [{ folderUrl: new URL('static-models/', baseUrl).href, files: choice.files }];
  });
}
