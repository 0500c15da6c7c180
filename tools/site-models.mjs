/** The models that come with the site, as scripts need them; the page has src/formats/manifest.ts. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PlainError, root } from './run.mjs';

/** @typedef {{ id: string, title: string, files: { bytes: number }[] }} SiteModel */

/** The model of the first run: FIRST_MODEL of src/domain/model-choice.ts, which a script cannot import. */
export const firstModel = 'pocket';

/**
 * The list in a folder of models.
 * @param {string} folder
 */
export async function readModelList(folder) {
  /** @type {{ schemaVersion: number, models: SiteModel[] }} */
  const list = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8'));
  return list;
}

/**
 * Says so if no bundled model has this id.
 * @param {string} id
 */
export async function checkModel(id) {
  const bundled = (await readModelList(path.join(root, 'static-models'))).models.map((model) => model.id);
  if (!bundled.includes(id))
    throw new PlainError(`--models: bundled are ${bundled.map((each) => `"${each}"`).join(' and ')}.`);
}
