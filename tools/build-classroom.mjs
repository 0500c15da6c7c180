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
import { firstModel, readModelList } from './site-models.mjs';
import { zip } from './zip.mjs';

/** Most bytes of the archive without the models that a visitor of the site would load by choice. */
const basicBudget = 60_000_000;

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

/**
 * Models of the site besides the first: a classroom without a network must have all.
 * @returns {Promise<{ name: string, bytes: number }[]>}
 */
async function furtherModels() {
  const { models } = await readModelList(path.join(root, 'dist/static-models'));
  return models
    .filter(({ id }) => id !== firstModel)
    .map(({ id, title, files }) => ({
      name: title.split(':', 1)[0] ?? id,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    }));
}

const megabytes = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(0)} MB`;

export async function buildClassroom() {
  await ensureBuilt();
  await buildSingle();
  const further = await furtherModels();
  const budget = further.reduce((sum, { bytes }) => sum + bytes, basicBudget);
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
  const contents = await Promise.all(
    files.map(async ({ name, from }) => ({ name: `steplight/${name}`, content: await readFile(from) })),
  );
  const readme = contents.find(({ name }) => name === 'steplight/README.txt');
  if (readme !== undefined) {
    const unpacked = contents.reduce((sum, { content }) => sum + content.byteLength, 0);
    const names = further.map(({ name, bytes }) => `${name} (${megabytes(bytes)})`).join(', ');
    const more =
      further.length === 0
        ? ''
        : `\n   The page that is served has a larger model besides, above its Run button: ${names}.\n   steplight.html has the small one only.`;
    readme.content = Buffer.from(
      readme.content.toString('utf8').replace('{size}', megabytes(unpacked)).replace('{models}', more),
    );
  }
  const archive = zip(contents);
  const line = `dist-classroom/steplight-classroom.zip: ${files.length} files, ${(archive.length / 1e6).toFixed(1)} MB, at most ${megabytes(budget)}`;
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
