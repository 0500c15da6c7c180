import type { Parsed } from '../../formats/json.ts';
import { FIRST_MODEL } from '../../domain/model-choice.ts';
import { loadedFiles, readManifest, type Manifest } from '../../formats/manifest.ts';
import { readOfflineFiles } from '../../formats/offline-files.ts';
import type { WantedFile } from '../../models/import-files.ts';

/** A set of files that belong together, as a person thinks of them. */
export interface FileGroup {
  readonly id: string;
  readonly title: string;
  readonly isModel: boolean;
  /** Whether it is among what “Make available offline” stores. Other models are kept once they were loaded. */
  readonly isBasic: boolean;
  readonly files: readonly WantedFile[];
}

/** Absolute URL of the site's root, ending in "/". */
export function siteRoot(): string {
  return new URL('./', document.baseURI).href;
}

/** Everything that a run needs besides the page: models, runtime, recorded runs. */
export async function listSiteFiles(signal?: AbortSignal): Promise<Parsed<readonly FileGroup[]>> {
  const root = siteRoot();
  const manifest = await fetchJson('static-models/manifest.json', signal);
  if (!manifest.ok) return manifest;
  const models = readManifest(manifest.value);
  if (!models.ok) return models;
  const groups = models.manifest.models.map((model) => modelGroup(root, model));
  const list = await fetchJson('offline-files.json', signal);
  const others = list.ok ? readOfflineFiles(list.value) : list;
  if (!others.ok) return others;
  const below = (folder: string): WantedFile[] =>
    others.value.files
      .filter(({ path }) => path.startsWith(folder))
      .map((file) => ({ folderUrl: root, file }));
  return {
    ok: true,
    value: [
      ...groups,
      {
        id: 'runtime',
        title: 'Runtime (ONNX Runtime Web)',
        isModel: false,
        isBasic: true,
        files: below('ort/'),
      },
      { id: 'recorded', title: 'Recorded runs', isModel: false, isBasic: true, files: below('recorded/') },
    ].filter(({ files }) => files.length > 0),
  };
}

function modelGroup(root: string, model: Manifest['models'][number]): FileGroup {
  const folderUrl = new URL('static-models/', root).href;
  const { id, title } = model;
  return {
    id,
    title,
    isModel: true,
    isBasic: id === FIRST_MODEL,
    files: loadedFiles(model).map((file) => ({ folderUrl, file })),
  };
}

async function fetchJson(path: string, signal: AbortSignal | undefined): Promise<Parsed<unknown>> {
  try {
    const response = await fetch(new URL(path, siteRoot()), { signal: signal ?? null, cache: 'no-cache' });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return { ok: true, value: await response.json() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      message: `The list ${path} could not be read (${reason}). Check the connection and try again.`,
    };
  }
}
