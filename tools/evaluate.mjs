/**
 * `npm run evaluate`: measures the shipped model files on held-out problems, in headless Chromium, with the engine of
 * the product. Prints a table and writes training/results/<set>.json.
 *
 *   npm run evaluate                                    in-range and out-of-range, 16 samples a problem
 *   npm run evaluate -- --set in-range --lanes 64 --problems 50
 *   npm run evaluate -- --file some.jsonl               any file of {"problem", "answer"} lines
 *   npm run evaluate -- --pool                          also writes public/recorded/pool.json, which the page charts
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openEnginePage } from './engine-page.mjs';
import { ensureInstalled } from './install.mjs';
import { reportFailure, root } from './run.mjs';

const results = path.join(root, 'training/results');

/** @param {string} file @param {number} limit @param {boolean} measuring */
async function readProblems(file, limit, measuring) {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  const rows = lines.map((line) => {
    /** @type {{ problem: string; answer: string }} */
    const row = JSON.parse(line);
    return row;
  });
  // Every third held-out problem chose and calibrated the models (training/heldout.py); it does not measure them.
  return rows.filter((_, index) => !measuring || index % 3 !== 0).slice(0, limit);
}

/** @param {number} share */
const percent = (share) => `${(100 * share).toFixed(1)}%`;

async function main() {
  const { values } = parseArgs({
    options: {
      set: { type: 'string' },
      file: { type: 'string' },
      lanes: { type: 'string', default: '16' },
      problems: { type: 'string', default: '200' },
      temperature: { type: 'string', default: '1' },
      backend: { type: 'string', default: 'wasm' },
      pool: { type: 'boolean', default: false },
    },
  });
  await ensureInstalled();
  const backend = values.backend === 'webgpu' ? 'webgpu' : 'wasm';
  const lanes = Number(values.lanes);
  const temperature = Number(values.temperature);
  const sets = values.file
    ? [{ name: path.basename(values.file, '.jsonl'), file: values.file, measuring: false }]
    : (values.set ? [values.set] : ['in-range', 'out-of-range']).map((name) => ({
        name,
        file: path.join(root, 'training/heldout', `${name}.jsonl`),
        measuring: name === 'in-range',
      }));
  const engine = await openEnginePage(backend);
  try {
    const model = await engine.call('load', backend);
    for (const { name, file, measuring } of sets) {
      const problems = await readProblems(file, Number(values.problems), measuring);
      /** @type {import('./engine-page/engine-page.ts').Measured[]} */
      const measured = [];
      const started = Date.now();
      for (const [index, { problem, answer }] of problems.entries()) {
        const settings = {
          n: lanes,
          temperature,
          topK: 0,
          topP: 1,
          minP: 0,
          maxTokens: 200,
          seed: 1000 + index,
        };
        measured.push(await engine.call('measure', { text: problem, answer }, settings, backend));
        if ((index + 1) % 20 === 0 || index + 1 === problems.length) {
          console.log(
            `${name}: ${index + 1} of ${problems.length}, ${Math.round((Date.now() - started) / 1000)} s`,
          );
        }
      }
      await report(engine, { name, model, backend, lanes, temperature, problems, measured });
      if (values.pool && name === 'in-range') await writePool(problems, measured, lanes);
    }
  } finally {
    await engine.close();
  }
}

/**
 * @param {Awaited<ReturnType<typeof openEnginePage>>} engine
 * @param {{
 *   name: string; model: { dtype: string; threads: number }; backend: string; lanes: number; temperature: number;
 *   problems: readonly { problem: string }[]; measured: import('./engine-page/engine-page.ts').Measured[];
 * }} result
 */
async function report(engine, { name, model, backend, lanes, temperature, problems, measured }) {
  const { curves, againstMajority } = await engine.call('summarise', measured);
  const samples = measured.flatMap(({ pool }) => pool);
  const meanSample = samples.filter(({ correct }) => correct).length / samples.length;
  const greedy = measured.filter((each) => each.greedy).length / measured.length;
  const seconds = measured.reduce((sum, { wallMs }) => sum + wallMs, 0) / 1000;
  const tokens = measured.reduce((sum, each) => sum + each.tokens, 0);
  console.log(
    `\n${name}: ${problems.length} problems, ${lanes} samples each, T=${temperature}, ${model.dtype} on ${backend}`,
  );
  console.log(`  greedy            ${percent(greedy)}`);
  console.log(`  mean sample       ${percent(meanSample)}`);
  for (const curve of curves) {
    const last = curve.points.at(-1);
    if (last === undefined) continue;
    const range =
      last.interval === null ? '' : `[${percent(last.interval.low)}, ${percent(last.interval.high)}]`;
    console.log(`  ${`${curve.name}@${last.n}`.padEnd(17)} ${percent(last.mean)}  ${range}`);
  }
  console.log(`  against majority  ${JSON.stringify(againstMajority)}`);
  console.log(`  ${(tokens / seconds).toFixed(0)} tokens/s over all lanes\n`);
  await mkdir(results, { recursive: true });
  const summary = {
    command: 'npm run evaluate',
    set: name,
    problems: problems.length,
    lanes,
    temperature,
    backend,
    dtype: model.dtype,
    greedy,
    meanSample,
    curves,
    againstMajority,
  };
  const suffix = lanes === 16 && temperature === 1 ? '' : `-n${lanes}-t${temperature}`;
  await writeFile(path.join(results, `${name}${suffix}.json`), `${JSON.stringify(summary)}\n`);
  const out = path.join(root, 'training/out');
  await mkdir(out, { recursive: true });
  const lines = measured.flatMap(({ texts }, index) =>
    texts.map((lines, lane) =>
      JSON.stringify({ problem: problems[index]?.problem, lane, lines, ...measured[index]?.pool[lane] }),
    ),
  );
  await writeFile(path.join(out, `evaluated-${name}${suffix}.jsonl`), `${lines.join('\n')}\n`);
}

/**
 * @param {readonly { problem: string; answer: string }[]} problems
 * @param {readonly import('./engine-page/engine-page.ts').Measured[]} measured
 * @param {number} lanes
 */
async function writePool(problems, measured, lanes) {
  /** @param {{ value: number } | null} score */
  const rounded = (score) => (score === null ? null : Number(score.value.toPrecision(5)));
  const pool = {
    schemaVersion: 1,
    lanes,
    problems: problems.map(({ problem, answer }, index) => ({
      id: problem,
      answer,
      samples: (measured[index]?.pool ?? []).map(({ correct, group, prm, orm }) => ({
        correct,
        group,
        prm: rounded(prm),
        orm: rounded(orm),
      })),
    })),
  };
  const file = path.join(root, 'public/recorded/pool.json');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(pool)}\n`);
  console.log(path.relative(root, file));
}

await main().catch(reportFailure);
