import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';
import { hashInputs, stampFile } from '../build.mjs';
import { root } from '../run.mjs';
import { compressFolder } from './compress.ts';
import type { LicenceNotes } from './licences.ts';
import { copyFolders } from './served-folders.ts';

/** After the bundle is written: the folders that keep their names, licences, compression, and the stamp that says "complete". */
export function finishSite(licences: LicenceNotes): Plugin {
  let inputs = '';
  return {
    name: 'steplight:finish',
    apply: 'build',
    buildStart() {
      // Taken first, so that a file which changes during the build makes the next start build again.
      inputs = hashInputs();
    },
    writeBundle: {
      order: 'post',
      async handler() {
        const target = path.join(root, 'dist');
        await copyFolders(target);
        await writeFile(path.join(target, 'third-party-licences.md'), licences.toMarkdown());
        await compressFolder(target);
        await writeFile(path.join(root, stampFile), inputs);
      },
    },
  };
}
