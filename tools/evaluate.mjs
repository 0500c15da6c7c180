/**
 * `npm run evaluate`: measures the shipped model files in headless Chromium, with the product's own engine, on problems
 * whose answers are known. Prints a table for each file of problems.
 *
 *   npm run evaluate
 *       the held-out problems in range and out of range, 16 samples each; summaries go to training/results/
 *   npm run evaluate -- --problems FILE.jsonl --models pocket --n 64 --seed 1 --backend wasm --limit 50 --out OUT.json
 *       JSON Lines of {"problem", "answer"}; OUT.json gets the summary and the pool of all solutions
 *   npm run evaluate -- --problems FILE-dev.jsonl --models standard --n 16 --keep
 *       also writes the summary to training/results/standard-FILE-dev.json
 *   npm run evaluate -- --problems training/heldout/in-range.jsonl --n 64 --pool
 *       also writes training/results/ and public/recorded/pool.json, from which the page draws accuracy against N
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openEnginePage } from './engine-page.mjs';
import { ensureInstalled } from './install.mjs';
import { PlainError, reportFailure, root } from './run.mjs';
import { checkModel, firstModel } from './site-models.mjs';

/** @typedef {import('./engine-page/engine-page.ts').Measured} Measured */
/** @typedef {import('./engine-page/engine-page.ts').Summary} Summary */
/** @typedef {{ problem: string; answer: string }} Row */

const results = path.join(root, 'training/results');
const heldOut = ['in-range', 'out-of-range'].map((name) =>
  path.join(root, 'training/heldout', `${name}.jsonl`),
);
const pickNames = ['prm', 'prmMin', 'orm', 'majority', 'weighted', 'ormWeighted', 'pass'];

/** @param {string} file @param {number} limit */
async function readProblems(file, limit) {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  const rows = lines.map((line, index) => {
    /** @type {Record<string, unknown>} */
    const row = JSON.parse(line);
    const { problem, answer } = row;
    if (typeof problem !== 'string' || !['string', 'number'].includes(typeof answer)) {
      throw new PlainError(`${file}, line ${index + 1}: a "problem" and an "answer" are needed.`);
    }
    return { problem, answer: String(answer) };
  });
  // Every third held-out problem in range chose and calibrated the models (training/heldout.py); it measures nothing.
  const measuring = path.resolve(file) === heldOut[0] ? rows.filter((_, index) => index % 3 !== 0) : rows;
  return measuring.slice(0, limit);
}

/** @param {number} share */
const percent = (share) => (100 * share).toFixed(1).padStart(5);

/** @param {Summary} summary */
function printTable({ problems, meanSample, greedy, picks, aheadOfMajority }) {
  console.log(`  ${problems} problems; mean sample ${percent(meanSample)}%, greedy ${percent(greedy)}%`);
  const sizes = Object.keys(picks['prm'] ?? {});
  console.log(
    `  ${'% right at N ='.padEnd(14)}${sizes.map((n) => n.padStart(8)).join('')}   at N = ${sizes.at(-1)}, ahead of majority`,
  );
  for (const name of pickNames) {
    const figures = picks[name] ?? {};
    const last = sizes.at(-1) ?? '';
    const [all, ahead] = [figures[last], aheadOfMajority[name]?.[last]];
    if (all === undefined || ahead === undefined) continue;
    const cells = sizes.map((n) => percent(figures[n]?.mean ?? 0).padStart(8)).join('');
    const range = `[${percent(all.low)}, ${percent(all.high)}]`;
    const lead =
      name === 'majority' ? '' : `  ${percent(ahead.mean)} [${percent(ahead.low)}, ${percent(ahead.high)}]`;
    console.log(`  ${name.padEnd(14)}${cells}   ${range}${lead}`);
  }
}

async function main() {
  const { values } = parseArgs({
    options: {
      problems: { type: 'string' },
      models: { type: 'string', default: firstModel },
      n: { type: 'string', default: '16' },
      seed: { type: 'string', default: '1' },
      temperature: { type: 'string', default: '1' },
      backend: { type: 'string', default: 'wasm' },
      limit: { type: 'string', default: '200' },
      out: { type: 'string' },
      keep: { type: 'boolean', default: false },
      pool: { type: 'boolean', default: false },
    },
  });
  await checkModel(values.models);
  const [n, seed, temperature, limit] = [values.n, values.seed, values.temperature, values.limit].map(Number);
  if (![n, seed, temperature, limit].every(Number.isFinite))
    throw new PlainError('--n, --seed, --temperature and --limit are numbers.');
  await ensureInstalled();
  const backend = values.backend === 'webgpu' ? 'webgpu' : 'wasm';
  const files = values.problems === undefined ? heldOut : [values.problems];
  const engine = await openEnginePage(backend);
  try {
    const { models, threads } = await engine.call('load', backend, values.models);
    const { dtype } = models.generator;
    console.log(
      `${values.models}, ${dtype} on ${backend}, ${threads} threads; N = ${n}, T = ${temperature}, seed ${seed}`,
    );
    for (const file of files) {
      const problems = await readProblems(file, limit ?? 200);
      const settings = {
        n: n ?? 16,
        temperature: temperature ?? 1,
        topK: 0,
        topP: 1,
        minP: 0,
        maxTokens: 200,
      };
      const measured = await measureAll(engine, problems, settings, seed ?? 1, backend, file);
      const summary = await engine.call('summarise', measured);
      printTable(summary);
      const about = {
        models: values.models,
        dtype,
        backend,
        n,
        seed,
        temperature,
        problemsFile: path.basename(file),
      };
      if (values.out !== undefined) {
        const pool = problems.map((row, index) => ({ ...row, samples: measured[index]?.samples ?? [] }));
        await writeFile(values.out, `${JSON.stringify({ ...about, summary, pool })}\n`);
      }
      const name = path.basename(file, '.jsonl');
      if (values.problems === undefined) await writeResult(name, 'npm run evaluate', { ...about, summary });
      if (values.keep) {
        const command = `npm run evaluate -- --problems ${path.basename(file)} --models ${values.models} --n ${n} --limit ${limit} --keep`;
        await writeResult(`${values.models}-${name}`, command, {
          ...about,
          speed: speedOf(measured),
          summary,
        });
      }
      if (values.pool) {
        const command = `npm run evaluate -- --problems ${values.problems ?? file} --n ${n} --pool`;
        await writeResult(`${name}-${n}`, command, { ...about, summary });
        await writePool(problems, measured, n ?? 16);
      }
    }
  } finally {
    await engine.close();
  }
}

/**
 * @param {Awaited<ReturnType<typeof openEnginePage>>} engine
 * @param {readonly Row[]} problems
 * @param {Omit<import('../src/domain/settings.ts').RunSettings, 'seed'>} settings
 * @param {number} seed
 * @param {'wasm' | 'webgpu'} backend
 * @param {string} file
 */
async function measureAll(engine, problems, settings, seed, backend, file) {
  /** @type {Measured[]} */
  const measured = [];
  const started = Date.now();
  for (const [index, { problem, answer }] of problems.entries()) {
    const own = { ...settings, seed: seed * 1000 + index };
    measured.push(await engine.call('measure', { text: problem, answer }, own, backend));
    if ((index + 1) % 20 === 0 || index + 1 === problems.length) {
      const seconds = Math.round((Date.now() - started) / 1000);
      console.log(`${path.basename(file)}: ${index + 1} of ${problems.length}, ${seconds} s`);
    }
  }
  return measured;
}

/**
 * Tokens per second over all lanes of all runs.
 * @param {readonly Measured[]} measured
 */
function speedOf(measured) {
  const tokens = measured.reduce((sum, run) => sum + run.tokens, 0);
  const ms = measured.reduce((sum, run) => sum + run.wallMs, 0);
  return { tokens, tokensPerSecond: Math.round((1000 * tokens) / Math.max(1, ms)) };
}

/** @param {string} name @param {string} command @param {object} measured */
async function writeResult(name, command, measured) {
  await mkdir(results, { recursive: true });
  await writeFile(
    path.join(results, `${name}.json`),
    `${JSON.stringify({ command, ...measured }, null, 1)}\n`,
  );
}

/** @param {readonly Row[]} problems @param {readonly Measured[]} measured @param {number} n */
async function writePool(problems, measured, n) {
  /** @param {{ value: number } | null} score */
  const rounded = (score) => (score === null ? null : Number(score.value.toPrecision(4)));
  const pool = {
    schemaVersion: 1,
    n,
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
