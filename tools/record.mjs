/**
 * `npm run record`: solves every preset with the shipped models and writes the recorded runs that the page shows
 * before any model is loaded, into public/recorded/. The same seed on the same files gives the same runs.
 *
 *   npm run record                                  all presets of src/ui/presets.ts
 *   npm run record -- --search problems.jsonl       only prints what the picks choose for {"problem", "answer"} lines
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openEnginePage } from './engine-page.mjs';
import { ensureInstalled } from './install.mjs';
import { reportFailure, root } from './run.mjs';

const folder = path.join(root, 'public/recorded');

/** @typedef {Awaited<ReturnType<import('./engine-page/engine-page.ts').EnginePage['record']>>} Recorded */

/** @param {Recorded} recorded */
function outline({ picks, samples }) {
  const right = samples.filter((sample) => sample.right).length;
  const marks = picks.map(
    ({ method, right, answer }) => `${method} ${right ? 'right' : 'WRONG'} (${answer ?? 'none'})`,
  );
  return `${right} of ${samples.length} right; ${marks.join(', ')}`;
}

/** @param {Awaited<ReturnType<typeof openEnginePage>>} engine @param {string} file @param {number} n */
async function search(engine, file, n) {
  for (const line of (await readFile(file, 'utf8')).split('\n').filter(Boolean)) {
    /** @type {{ problem: string; answer: string }} */
    const { problem, answer } = JSON.parse(line);
    for (const seed of [1, 2]) {
      const recorded = await engine.call('record', { text: problem, answer }, { n, seed }, 'wasm');
      console.log(`${JSON.stringify({ problem, answer, seed })}\n    ${outline(recorded)}`);
    }
  }
}

/** @param {Awaited<ReturnType<typeof openEnginePage>>} engine @param {number} n */
async function recordPresets(engine, n) {
  await mkdir(folder, { recursive: true });
  const runs = [];
  for (const { id, level, title, text, answer, seed, why } of await engine.call('presets')) {
    const recorded = await engine.call('record', { text, answer }, { n, seed }, 'wasm');
    await writeFile(path.join(folder, `${id}.json`), `${recorded.file}\n`);
    runs.push({ id, level, title, why, file: `${id}.json`, problem: text });
    console.log(`${id}: ${outline(recorded)}`);
  }
  await writeFile(
    path.join(folder, 'index.json'),
    `${JSON.stringify({ schemaVersion: 1, runs }, null, 2)}\n`,
  );
}

async function main() {
  const { values } = parseArgs({
    options: {
      search: { type: 'string' },
      lanes: { type: 'string', default: '16' },
      clean: { type: 'boolean' },
    },
  });
  await ensureInstalled();
  if (values.clean) await rm(folder, { recursive: true, force: true });
  const engine = await openEnginePage('wasm');
  try {
    await engine.call('load', 'wasm');
    if (values.search === undefined) await recordPresets(engine, Number(values.lanes));
    else await search(engine, values.search, Number(values.lanes));
  } finally {
    await engine.close();
  }
}

await main().catch(reportFailure);
