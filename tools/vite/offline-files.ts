import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { FIRST_MODEL } from '../../src/domain/model-choice.ts';
import { loadedFiles, readManifest, type ManifestModel } from '../../src/formats/manifest.ts';
import { OFFLINE_FILES_VERSION } from '../../src/formats/offline-files.ts';
import { readRecordedIndex } from '../../src/formats/recorded-index.ts';
import type { Sha256File } from '../../src/domain/declared-file.ts';
import { root } from '../run.mjs';
import { servedFolders } from './served-folders.ts';

/** The list of what a run needs besides the page and the models, in the built site. */
export const offlineListFile = 'offline-files.json';

/** Most bytes of the model that the first run loads, for all kinds of devices. */
export const firstModelBudget = 12_000_000;

/** Most bytes of one file of a model: hosts of static sites take no larger ones. */
export const modelFileBudget = 50_000_000;

/** Most bytes of one model that comes with the site besides. */
export const furtherModelBudget = 150_000_000;

function declare(name: string, from: string): Sha256File {
  const content = readFileSync(path.join(root, from));
  return {
    path: name,
    bytes: content.byteLength,
    sha256: createHash('sha256').update(content).digest('hex'),
  };
}

/** The runtime and the recorded runs, as they stand in the built site. */
export function offlineFiles(): Sha256File[] {
  const runtime = servedFolders.find(({ name }) => name === 'ort');
  const folder = path.join(root, 'public/recorded');
  const indexFile = path.join(folder, 'index.json');
  const index = existsSync(indexFile) ? readRecordedIndex(readFileSync(indexFile, 'utf8')) : null;
  const recorded = [...(index?.ok ? index.value.runs.map(({ file }) => file) : []), 'pool.json'];
  return [
    ...(runtime?.files ?? []).map((file) => declare(`ort/${file}`, `${runtime?.from ?? ''}/${file}`)),
    ...recorded
      .filter((file) => existsSync(path.join(folder, file)))
      .map((file) => declare(`recorded/${file}`, `public/recorded/${file}`)),
  ];
}

/** The models that come with the site. */
export function siteModels(): readonly ManifestModel[] {
  const source: unknown = JSON.parse(readFileSync(path.join(root, 'static-models/manifest.json'), 'utf8'));
  const result = readManifest(source);
  if (!result.ok) throw new Error(result.message);
  return result.manifest.models;
}

const sum = (files: readonly { readonly bytes: number }[]): number =>
  files.reduce((total, { bytes }) => total + bytes, 0);

/** Sizes of the models with what each may be; "further" ones are fetched when a person chooses them. */
export function modelSizes(): { readonly what: string; readonly bytes: number; readonly budget: number }[] {
  return siteModels().flatMap(({ id, files }) => [
    {
      what: `model ${id}`,
      bytes: sum(files),
      budget: id === FIRST_MODEL ? firstModelBudget : furtherModelBudget,
    },
    {
      what: `largest file of model ${id}`,
      bytes: Math.max(...files.map(({ bytes }) => bytes)),
      budget: modelFileBudget,
    },
  ]);
}

/** What "make available offline" stores. */
export function offlineBytes(): number {
  const first = siteModels().find(({ id }) => id === FIRST_MODEL);
  return sum(offlineFiles()) + (first === undefined ? 0 : sum(loadedFiles(first)));
}

export function offlineList(): string {
  return JSON.stringify({ schemaVersion: OFFLINE_FILES_VERSION, files: offlineFiles() });
}
