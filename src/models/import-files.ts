import type { DeclaredFile, Sha256File } from '../domain/declared-file.ts';
import type { FileStore } from './file-store.ts';
import { fileName, sha256 } from './verify.ts';

/** A file that is wanted, and the folder on the site that it stands in. */
export interface WantedFile {
  /** Absolute URL, ending in "/". */
  readonly folderUrl: string;
  readonly file: Sha256File;
}

/** What became of files that a person chose. */
export interface Imported {
  /** Now in the store. */
  readonly kept: readonly WantedFile[];
  /** Right, but the browser did not keep them: its storage is full or denied. */
  readonly refused: readonly WantedFile[];
  /** Of a wanted name, with another content. */
  readonly wrong: readonly { readonly name: string; readonly reason: string }[];
  /** Neither chosen now nor stored before. */
  readonly missing: readonly WantedFile[];
}

/** More files than this are no folder of models. */
export const MOST_FILES = 20_000;

/**
 * Puts files from the person's disk into the store, as if they had been fetched. Which file is which follows from its
 * sha256, not from its name; whatever is not wanted is not even read.
 *
 * @param onProgress receives how many of the wanted files have been looked at
 */
export async function importFiles(
  store: FileStore,
  wanted: readonly WantedFile[],
  chosen: readonly File[],
  onProgress: (done: number, of: number) => void,
): Promise<Imported> {
  const sizes = new Set(wanted.map(({ file }) => file.bytes));
  const candidates = chosen.slice(0, MOST_FILES).filter(({ size }) => sizes.has(size));
  const kept: WantedFile[] = [];
  const refused: WantedFile[] = [];
  const unreadable = new Set<File>();
  const recognised = new Set<File>();
  for (const [i, candidate] of candidates.entries()) {
    onProgress(i, candidates.length);
    const content = await candidate.arrayBuffer().then(
      (buffer) => new Uint8Array(buffer),
      () => null,
    );
    if (content === null) {
      unreadable.add(candidate);
      continue;
    }
    const digest = await sha256(content);
    for (const each of wanted) {
      if (each.file.sha256 !== digest) continue;
      recognised.add(candidate);
      if (kept.includes(each) || refused.includes(each)) continue;
      ((await store.write(each.folderUrl, each.file, content)) ? kept : refused).push(each);
    }
  }
  onProgress(candidates.length, candidates.length);

  const wrong: Imported['wrong'][number][] = [];
  const missing: WantedFile[] = [];
  for (const each of wanted) {
    if (kept.includes(each) || refused.includes(each)) continue;
    const { file, folderUrl } = each;
    const named = chosen.find((candidate) => !recognised.has(candidate) && isNamed(candidate, file.path));
    if (named !== undefined) wrong.push({ name: file.path, reason: reasonOf(named, file, unreadable) });
    if (!(await store.has(folderUrl, file))) missing.push(each);
  }
  return { kept, refused, wrong, missing };
}

/** Whether a chosen file stands where the wanted one would: in a folder as deep as what was chosen tells. */
function isNamed(candidate: File, path: string): boolean {
  if (candidate.name !== fileName(path)) return false;
  const parts = candidate.webkitRelativePath.split('/').reverse();
  const wantedParts = path.split('/').reverse();
  // The chosen folder itself may be any of the parents.
  return candidate.webkitRelativePath === '' || wantedParts.every((part, i) => part === (parts[i] ?? part));
}

function reasonOf(chosen: File, file: DeclaredFile, unreadable: ReadonlySet<File>): string {
  if (unreadable.has(chosen)) return 'could not be read';
  return chosen.size === file.bytes
    ? 'has another content than the model list says'
    : `has ${chosen.size.toLocaleString('en')} bytes and should have ${file.bytes.toLocaleString('en')}`;
}
