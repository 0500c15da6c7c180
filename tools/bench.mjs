/**
 * `npm run bench`: measures the engine in Chromium against the ways of doing the same without it, and prints a table.
 * Each ratio is taken within a round, whose parts ran one after the other on the same machine.
 *
 *   npm run bench                                 WASM and WebGPU, N = 1, 4, 16, 64
 *   npm run bench -- --backend wasm --quick       one backend, N = 4 and 16, two rounds
 *   npm run bench -- --models standard            another of the bundled models than the first
 *   npm run bench -- --json FILE                  also writes the numbers, with every round
 *   npm run bench -- --big-vocabulary [--backend webgpu]
 *                                                 only: what choosing tokens costs at a vocabulary of 151,936
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable, samplingShare, summarise } from './bench-report.mjs';
import { launchBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { openBenchPage } from './engine-page.mjs';
import { ensureInstalled } from './install.mjs';
import { PlainError, reportFailure, root } from './run.mjs';
import { checkModel, firstModel } from './site-models.mjs';
import { startServer } from './server.mjs';

/** @typedef {'wasm' | 'webgpu'} Backend */
/** @typedef {import('./bench-report.mjs').Measured} Measured */

/**
 * @typedef {object} Plan
 * @property {readonly number[]} sizes
 * @property {number} rounds
 * @property {number} maxTokens Tokens that a solution may have.
 * @property {number} calls Sequential calls per round at most.
 * @property {number} decodeSteps Decoding steps to measure live scoring with.
 */

/** @type {Record<'full' | 'quick', Plan>} */
const plans = {
  full: { sizes: [1, 4, 16, 64], rounds: 5, maxTokens: 160, calls: 16, decodeSteps: 48 },
  quick: { sizes: [4, 16], rounds: 2, maxTokens: 160, calls: 4, decodeSteps: 24 },
};

/** A GPU that the processor computes takes a minute for what takes a second. */
const onSoftwareGpu = { rounds: 3, maxTokens: 24, calls: 4, decodeSteps: 8 };

/** @param {string} models @param {Backend} backend @param {Plan} plan @returns {Promise<Measured[]>} */
async function measureBackend(models, backend, plan) {
  const page = await openBenchPage(backend);
  try {
    const { dtype, threads, promptTokens } = await page.call('load', backend, models);
    console.log(`${backend}: ${models} in ${dtype}, ${threads} threads, a prompt of ${promptTokens} tokens`);
    /** @type {Measured[]} */
    const list = [];
    for (const n of plan.sizes) {
      const limits = { maxTokens: plan.maxTokens, calls: plan.calls };
      // Kernels are compiled and buffers grow at the first use of a batch size.
      await page.call('generation', n, 0, { ...limits, maxTokens: 4, calls: 1 });
      const measured = {
        backend,
        n,
        generation: /** @type {import('./bench-report.mjs').GenerationTiming[]} */ ([]),
        liveScoring: /** @type {import('./bench-report.mjs').PairTiming[]} */ ([]),
        stepScoring: /** @type {import('./bench-report.mjs').PairTiming[]} */ ([]),
      };
      for (let round = 1; round <= plan.rounds; round++) {
        const ownFirst = round % 2 === 0;
        measured.generation.push(await page.call('generation', n, round, limits));
        measured.liveScoring.push(await page.call('liveScoring', n, plan.decodeSteps, ownFirst));
        // Solutions that were cut short declare no answer and are not scored.
        if (n >= 4 && n <= 16 && plan.maxTokens > 100)
          measured.stepScoring.push(await page.call('stepScoring', n, round, ownFirst));
        console.log(`${backend}, N = ${n}: round ${round} of ${plan.rounds}`);
      }
      list.push(measured);
    }
    return list;
  } finally {
    await page.close();
  }
}

/**
 * Tasks of more than 50 ms on the page's thread while the built site solves a problem in N lanes.
 * @param {Backend} backend
 * @param {number} n
 */
async function measureLongTasks(backend, n) {
  await ensureBuilt();
  const server = await startServer({ root: path.join(root, 'dist') });
  const browser = await launchBrowser(backend);
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    const run = page.getByRole('button', { name: /^Run\b/ });
    const solve = async () => {
      await run.click();
      await page.getByRole('button', { name: /^Cancel\b/ }).waitFor();
      await run.waitFor({ timeout: 600_000 });
    };
    await page
      .getByRole('textbox', { name: 'Problem', exact: true })
      .fill('Nora has 3 bags with 14 marbles each. She gives away 12 marbles. How many marbles are left?');
    const lanes = page.getByRole('textbox', { name: 'Solutions (N)', exact: true });
    // The models are loaded by a run that does not count.
    await lanes.fill('2');
    await solve();
    await lanes.fill(String(n));
    await page.evaluate(() => {
      /** @type {number[]} */
      const durations = [];
      Reflect.set(globalThis, 'longTasks', durations);
      new PerformanceObserver((list) => {
        durations.push(...list.getEntries().map(({ duration }) => duration));
      }).observe({ type: 'longtask' });
    });
    await solve();
    const durations = await page.evaluate(() => {
      /** @type {number[]} */
      const list = Reflect.get(globalThis, 'longTasks');
      return list;
    });
    return { backend, n, count: durations.length, longestMs: Math.max(0, ...durations) };
  } finally {
    await browser.close();
    await server.close();
  }
}

/**
 * Models of random weights with the vocabulary of the Qwen family; sizes other than that are small on purpose.
 * @param {Backend} backend
 */
async function measureBigVocabulary(backend) {
  const page = await openBenchPage(backend);
  try {
    await page.call('load', backend, firstModel);
    const model = { vocabulary: 151_936, width: 256, layers: 6, heads: 4 };
    const n = 16;
    const plain = { temperature: 1, topK: 0, topP: 1, minP: 0 };
    /** @type {[string, typeof plain][]} */
    const filters = [
      ['temperature 1', plain],
      ['temperature 0.7', { ...plain, temperature: 0.7 }],
      ['temperature 0.7, top-k 50, top-p 0.9', { ...plain, temperature: 0.7, topK: 50, topP: 0.9 }],
      ['temperature 0.7, top-p 0.9', { ...plain, temperature: 0.7, topP: 0.9 }],
    ];
    const results = [];
    /** @type {readonly import('./bench-page/bench-worker.ts').VocabularyPlace[]} */
    const places = backend === 'wasm' ? ['wasm'] : ['webgpu', 'webgpu, read back'];
    for (const [name, filter] of filters) {
      for (const place of places) {
        const steps = await page.call('bigVocabulary', { place, model, n, steps: 10, filter });
        results.push({ backend, place, n, model, filter, name, ...samplingShare(steps) });
      }
    }
    return results;
  } finally {
    await page.close();
  }
}

/** @param {Awaited<ReturnType<typeof measureBigVocabulary>>} results */
function printBigVocabulary(results) {
  for (const { place, name, n, share, low, high, forwardMs, samplingMs } of results) {
    const percent = (/** @type {number} */ value) => `${(100 * value).toFixed(0)}%`;
    console.log(
      `${place}, N = ${n}, ${name}: choosing tokens takes ${percent(share)} of a step (${percent(low)} to ${percent(high)}): ` +
        `${samplingMs.toFixed(1)} ms beside ${forwardMs.toFixed(1)} ms in the runtime`,
    );
  }
}

function describeMachine() {
  const [first] = cpus();
  return { cores: cpus().length, cpu: first?.model.trim() ?? 'unknown' };
}

const footnote = `Ratios: how many times as long the other way takes per token written, as the median over rounds and the least and greatest
round. Batched and sequential calls are transformers.js's own generate() on the same file and backend; at most ${plans.full.calls} calls
are made one after the other, since each costs the same. "A pass per step" scores finished solutions by one pass for each
step instead of one for each solution. "No live scoring" is a graph from which the verifiers were cut: below 1, live
scoring costs time; asking the shipped graph for fewer outputs would save none, the runtime computes all of it. First
token: this engine / one batched generate() / one generate(). wllama is not in the table: it reads GGUF files only, and
there is no converter for a graph that judges while it writes.`;

async function main() {
  const { values } = parseArgs({
    options: {
      json: { type: 'string' },
      quick: { type: 'boolean', default: false },
      backend: { type: 'string' },
      models: { type: 'string', default: firstModel },
      'big-vocabulary': { type: 'boolean', default: false },
    },
  });
  const { backend, models } = values;
  await checkModel(models);
  if (backend !== undefined && backend !== 'wasm' && backend !== 'webgpu')
    throw new PlainError('--backend is wasm or webgpu.');
  await ensureInstalled();
  const machine = describeMachine();
  console.log(`${machine.cores} cores, ${machine.cpu}`);

  /** @type {Record<string, unknown>} */
  let report;
  if (values['big-vocabulary']) {
    const bigVocabulary = await measureBigVocabulary(backend ?? 'wasm');
    printBigVocabulary(bigVocabulary);
    report = { machine, bigVocabulary };
  } else {
    const plan = values.quick ? plans.quick : plans.full;
    /** @type {Measured[]} */
    const measured = [];
    const longTasks = [];
    /** @type {readonly Backend[]} */
    const backends = backend === undefined ? ['wasm', 'webgpu'] : [backend];
    for (const one of backends) {
      const own =
        one === 'webgpu' ? { ...plan, ...onSoftwareGpu, sizes: plan.sizes.filter((n) => n <= 16) } : plan;
      measured.push(...(await measureBackend(models, one, own)));
      // Of the page, which does the same whoever writes.
      if (one === 'wasm' && models === firstModel) longTasks.push(await measureLongTasks(one, 64));
    }
    const summary = summarise(measured);
    console.log(`\n${markdownTable(summary)}\n\n${footnote}\n`);
    for (const { n, count, longestMs } of longTasks) {
      console.log(
        count === 0
          ? `The built page had no task of more than 50 ms at N = ${n}.`
          : `The built page had ${count} tasks of more than 50 ms at N = ${n}, the longest of ${longestMs.toFixed(0)} ms.`,
      );
    }
    report = { machine, models, ...summary, longTasks, measured };
  }
  if (values.json !== undefined) {
    await mkdir(path.dirname(path.resolve(values.json)), { recursive: true });
    await writeFile(values.json, `${JSON.stringify(report, null, 1)}\n`);
  }
}

await main().catch(reportFailure);
