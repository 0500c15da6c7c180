/**
 * `npm test`: runs every check and prints one closing line with the sum of all parts.
 * `node tools/test.mjs check e2e` runs only some parts; `npm run check` is such a call.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { ensureInstalled } from './install.mjs';
import { capture, PlainError, reportFailure, root, runPackage } from './run.mjs';
import {
  atLeastOneFailure,
  fromExitCode,
  fromPlaywright,
  fromUnittest,
  fromVitest,
  total,
} from './tally.mjs';

/** @typedef {import('./tally.mjs').Tally} Tally */
/** @typedef {{ name: string, run: () => Promise<Tally> }} Step */

/**
 * One run of a package's program; passed or failed.
 * @param {string} name
 * @param {string} file
 * @param {readonly string[]} parameters
 * @returns {Step}
 */
const single = (name, file, parameters) => ({
  name,
  run: async () => fromExitCode(await runPackage(file, parameters)),
});

/** @type {Step[]} */
const checkSteps = [
  single('Format (prettier)', 'prettier/bin/prettier.cjs', ['--check', '--log-level=warn', '.']),
  single('Lint (eslint)', 'eslint/bin/eslint.js', ['.', '--max-warnings=0']),
  single('Types of the page (svelte-check)', 'svelte-check/bin/svelte-check', [
    '--tsconfig=tsconfig.page.json',
    '--fail-on-warnings',
    '--output=human',
  ]),
  single('Types of the worker (tsc)', 'typescript/bin/tsc', ['-p', 'tsconfig.worker.json']),
  single('Types of tools and tests (tsc)', 'typescript/bin/tsc', ['-p', 'tsconfig.node.json']),
  { name: 'Unit tests (vitest)', run: runUnitTests },
];

/** @type {Readonly<Record<string, Step[]>>} */
const parts = {
  check: checkSteps,
  training: [{ name: 'Training at toy size (Python)', run: runTraining }],
  build: [{ name: 'Fresh build (vite)', run: () => tryStep(() => ensureBuilt({ force: true })) }],
  e2e: [{ name: 'End to end (playwright)', run: runEndToEnd }],
};

/**
 * A step that passes unless it throws.
 * @param {() => Promise<void>} action
 * @returns {Promise<Tally>}
 */
async function tryStep(action) {
  try {
    await action();
    return fromExitCode(0);
  } catch (error) {
    console.error(error instanceof PlainError ? error.message : error);
    return fromExitCode(1);
  }
}

/** A fresh place for the machine-readable report of a test runner. */
function reportFile(/** @type {string} */ name) {
  mkdirSync(path.join(root, 'test-results'), { recursive: true });
  const file = path.join(root, 'test-results', name);
  rmSync(file, { force: true });
  return file;
}

/** @returns {unknown} */
function readReport(/** @type {string} */ file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

async function runUnitTests() {
  const report = reportFile('unit.json');
  const code = await runPackage('vitest/vitest.mjs', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  return atLeastOneFailure(fromVitest(readReport(report)), code);
}

/** A Python that has PyTorch, or `null`. */
async function findPython() {
  const chosen = process.env['STEPLIGHT_PYTHON'];
  const candidates =
    chosen !== undefined && chosen !== ''
      ? [chosen]
      : [
          path.join(root, '.venv/bin/python'),
          path.join(root, '.venv/Scripts/python.exe'),
          'python3',
          'python',
        ];
  for (const python of candidates) {
    const { code } = await capture(python, ['-c', 'import torch'], { timeoutMs: 120_000 });
    if (code === 0) return python;
  }
  return null;
}

async function runTraining() {
  const python = await findPython();
  if (python === null) {
    console.log(
      'Skipped: no Python with PyTorch was found. Create one as training/README.md says (.venv is looked at), or ' +
        'set STEPLIGHT_PYTHON to its executable.',
    );
    return { passed: 0, failed: 0, skipped: 1 };
  }
  const toy = await capture(python, ['-m', 'training.make', '--toy'], { echo: true });
  const unit = await capture(python, ['-m', 'unittest', 'discover', '-s', 'training/tests', '-t', '.'], {
    echo: true,
  });
  return total([fromExitCode(toy.code), atLeastOneFailure(fromUnittest(unit.output), unit.code)]);
}

/** A port that is free now. */
function freePort() {
  return new Promise((/** @type {(port: number) => void} */ resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
      probe.close(() => resolve(port));
    });
  });
}

async function runEndToEnd() {
  let chromium = '';
  const ready = await tryStep(async () => {
    chromium = await ensureChromium();
    await ensureBuilt();
  });
  if (ready.failed > 0) return ready;
  const report = reportFile('e2e.json');
  const code = await runPackage('@playwright/test/cli.js', ['test'], {
    CHROMIUM_PATH: chromium,
    STEPLIGHT_E2E_PORT: String(await freePort()),
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  });
  return atLeastOneFailure(fromPlaywright(readReport(report)), code);
}

async function main() {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !Object.hasOwn(parts, name));
  if (unknown.length > 0) {
    throw new PlainError(`No such part: ${unknown.join(', ')}. There are: ${Object.keys(parts).join(', ')}.`);
  }
  await ensureInstalled();

  /** @type {{ name: string, tally: Tally, seconds: number }[]} */
  const results = [];
  for (const [part, steps] of Object.entries(parts)) {
    if (wanted.length > 0 && !wanted.includes(part)) continue;
    for (const { name, run } of steps) {
      console.log(`\n=== ${name}`);
      const begin = performance.now();
      const tally = await run();
      results.push({ name, tally, seconds: (performance.now() - begin) / 1000 });
    }
  }

  console.log('\n=== Summary');
  for (const { name, tally, seconds } of results) {
    const mark = tally.failed > 0 ? 'FAILED ' : tally.passed === 0 ? 'skipped' : 'ok     ';
    const { passed, failed, skipped } = tally;
    const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`;
    console.log(`${mark} ${name.padEnd(34)} ${counts} (${seconds.toFixed(0)} s)`);
  }
  const sum = total(results.map(({ tally }) => tally));
  console.log(`\n${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
  if (sum.failed > 0) process.exitCode = 1;
}

// The running child gets the signal as well; no further step is begun.
process.once('SIGINT', () => process.exit(130));
await main().catch(reportFailure);
