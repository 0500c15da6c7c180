import type { Sha256File } from '../domain/declared-file.ts';
import { EngineFault } from '../domain/fault.ts';
import type { ModelRecipe, PinnedModel } from '../domain/model-choice.ts';
import type { FileStore } from './file-store.ts';
import { MOST_FILES } from './import-files.ts';
import { dtypesOf, folderUrlOf, isModelFile } from './model-files.ts';
import { sha256 } from './verify.ts';

/** A model's folder as a person picked it; nothing is read yet but small files. */
export interface PickedFolder {
  readonly name: string;
  readonly files: readonly { readonly path: string; readonly file: File }[];
  readonly bytes: number;
  /** JSON value of the `steplight.json` that the converter writes; `null` if there is none. */
  readonly converted: unknown;
}

/**
 * Finds a model's files in a picked folder.
 *
 * @throws EngineFault if it is no model's folder, in words that say what one has
 */
export async function readFolder(chosen: readonly File[]): Promise<PickedFolder> {
  if (chosen.length > MOST_FILES)
    throw new EngineFault('files', `There are too many files in it. Choose the model's own folder.`);
  const all = chosen.map((file) => ({
    // The browser puts the picked folder's name first.
    path: file.webkitRelativePath.split('/').slice(1).join('/'),
    file,
  }));
  const files = all.filter(({ path }) => isModelFile({ path }));
  const has = (path: string): boolean => files.some((each) => each.path === path);
  const lacking = ['config.json', 'tokenizer.json'].filter((path) => !has(path));
  if (lacking.length > 0 || dtypesOf(files).length === 0)
    throw new EngineFault(
      'files',
      `This is no model’s folder: it lacks ${lacking.length > 0 ? lacking.join(' and ') : 'weights such as onnx/model_q4.onnx'}. Choose the folder that has config.json, tokenizer.json and onnx in it.`,
    );
  const name = chosen[0]?.webkitRelativePath.split('/')[0] ?? '';
  const note = all.find(({ path }) => path === 'steplight.json')?.file;
  return {
    name:
      name
        .replaceAll(/[^\w.-]/gu, '-')
        .replace(/^[^A-Za-z0-9]+/u, '')
        .slice(0, 96) || 'model',
    files,
    bytes: files.reduce((sum, { file }) => sum + file.size, 0),
    converted: note === undefined ? null : await parse(note),
  };
}

/**
 * Keeps a picked folder's files in the store, so that they load from then on as a hub's do.
 *
 * @param onProgress receives bytes of the folder that were read
 * @throws EngineFault if the browser does not keep them
 */
export async function keepFolder(
  store: FileStore,
  { files }: PickedFolder,
  recipe: ModelRecipe,
  onProgress: (bytes: number) => void,
): Promise<PinnedModel> {
  const read = async (file: File): Promise<Uint8Array<ArrayBuffer>> => {
    try {
      return new Uint8Array(await file.arrayBuffer());
    } catch (cause) {
      throw new EngineFault('files', `${file.name} could not be read. Pick the folder again.`, cause);
    }
  };
  const config = files.find(({ path }) => path === 'config.json')!.file;
  const key = (await sha256(await read(config))).slice(0, 16);
  const origin = { kind: 'folder', key } as const;
  const folderUrl = folderUrlOf({ recipe, origin, files: [] });
  const kept: Sha256File[] = [];
  let done = 0;
  for (const { path, file } of files) {
    const content = await read(file);
    const declared = { path, bytes: content.length, sha256: await sha256(content) };
    if (!(await store.write(folderUrl, declared, content)))
      throw new EngineFault(
        'files',
        `The browser did not keep ${path}: free some space on the disk, or leave the private window.`,
      );
    kept.push(declared);
    onProgress((done += content.length));
  }
  return { recipe, origin, files: kept };
}

async function parse(file: File): Promise<unknown> {
  try {
    return JSON.parse(await file.text()) as unknown;
  } catch {
    return undefined;
  }
}
