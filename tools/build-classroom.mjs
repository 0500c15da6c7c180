/**
 * `npm run build:classroom`: makes dist-classroom/steplight-classroom.zip for a stick: the single file, the site, two
 * tiny servers, and a sheet for the teacher.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSingle, singleFile } from './build-single.mjs';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { PlainError, reportFailure, root } from './run.mjs';
import { zip } from './zip.mjs';

/** Most bytes of the archive. */
const budget = 60_000_000;

export const classroomZip = path.join(root, 'dist-classroom/steplight-classroom.zip');

/** Compressed copies and fonts for browsers that cannot run this stay out. */
const left = /(?:^|\/)\.|\.(?:br|gz|ttf|woff|map)$/;

/** @param {string} folder @returns {Promise<string[]>} */
async function filesIn(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}

export async function buildClassroom() {
  await ensureBuilt();
  await buildSingle();
  const files = [
    { name: 'steplight.html', from: singleFile },
    ...['README.txt', 'teacher-sheet.html', 'serve.mjs', 'serve.py'].map((name) => ({
      name,
      from: path.join(root, 'tools/classroom', name),
    })),
    ...['server.mjs', 'csp.mjs'].map((name) => ({
      name: `server/${name}`,
      from: path.join(root, 'tools', name),
    })),
    ...(await filesIn(path.join(root, 'dist')))
      .filter((file) => !left.test(file))
      .map((file) => ({ name: `site/${file}`, from: path.join(root, 'dist', file) })),
  ];
  const archive = zip(
    await Promise.all(
      files.map(async ({ name, from }) => ({ name: `steplight/${name}`, content: await readFile(from) })),
    ),
  );
  const line = `dist-classroom/steplight-classroom.zip: ${files.length} files, ${(archive.length / 1e6).toFixed(1)} MB, at most ${budget / 1e6} MB`;
  if (archive.length > budget) throw new PlainError(`Over budget: ${line}.`);
  await mkdir(path.dirname(classroomZip), { recursive: true });
  await writeFile(classroomZip, archive);
  console.log(line);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await ensureInstalled();
    await buildClassroom();
  } catch (error) {
    reportFailure(error);
  }
}
