/**
 * The product's worker and its picks, without the page around them: `npm run evaluate` and `npm run record` call the
 * functions that this module hangs on the window.
 */
import { proxy, wrap, type Remote } from 'comlink';
import { compareAnswers } from '../../src/answers/compare.ts';
import { fold, type Backend, type Run, type RunEvent } from '../../src/domain/run.ts';
import type { Problem } from '../../src/domain/problem.ts';
import { DEFAULT_SETTINGS, type RunSettings } from '../../src/domain/settings.ts';
import { PICK_METHODS, type PickMethod, type PickOptions } from '../../src/domain/pick.ts';
import { isEligible } from '../../src/domain/solution.ts';
import { writeRunFile } from '../../src/formats/run-file.ts';
import { CURVE_NAMES, poolCurves, type CurveName, type CurvePoint } from '../../src/picks/curves.ts';
import { pairedDifference } from '../../src/picks/interval.ts';
import { pickAll } from '../../src/picks/pick.ts';
import { poolOfRun, type PoolSample } from '../../src/picks/pool.ts';
import type { EngineApi, LoadedModel } from '../../src/worker/protocol.ts';

const options = (n: number): PickOptions => ({
  reduction: 'product',
  n,
  neutral: 'positive',
});

let engine: Remote<EngineApi> | null = null;
let loaded: LoadedModel | null = null;
let events: RunEvent[] = [];

async function load(backend: Backend): Promise<LoadedModel> {
  if (loaded !== null) return loaded;
  const worker = new Worker(new URL('../../src/worker/main.ts', import.meta.url), { type: 'module' });
  engine = wrap<EngineApi>(worker);
  await engine.connect(
    proxy((message) => {
      if (message.kind === 'run') events.push(...message.events);
    }),
  );
  const baseUrl = new URL('/', location.href).href;
  const outcome = await engine.load({ baseUrl, modelId: 'pocket', backend });
  if (!outcome.ok) throw new Error(outcome.fault.message);
  loaded = outcome.value;
  return loaded;
}

/** Solves one problem; returns the events of the run. */
async function solve(problem: Problem, settings: RunSettings, backend: Backend): Promise<RunEvent[]> {
  await load(backend);
  if (engine === null) throw new Error('no engine');
  events = [];
  const outcome = await engine.start({ runId: 1, problem, settings });
  if (!outcome.ok) throw new Error(outcome.fault.message);
  return events;
}

/** What one problem gave: its samples, and whether each pick was right. */
export interface Measured {
  readonly pool: PoolSample[];
  readonly right: Record<PickMethod, boolean>;
  readonly greedy: boolean;
  readonly wallMs: number;
  readonly tokens: number;
  readonly texts: string[][];
}

function runOf(list: readonly RunEvent[]): Run {
  const run = fold(null, list);
  if (run === null) throw new Error('the run had no events');
  return run;
}

const isRight = (run: Run, answer: string | null): boolean =>
  answer !== null &&
  run.problem.answer !== null &&
  compareAnswers(answer, run.problem.answer, { problem: run.problem.text }).verdict === 'equal';

async function measure(problem: Problem, settings: RunSettings, backend: Backend): Promise<Measured> {
  const run = runOf(await solve(problem, settings, backend));
  const greedy = runOf(await solve(problem, { ...settings, n: 1, temperature: 0 }, backend));
  const pool = poolOfRun(run, options(settings.n));
  if (pool === null) throw new Error('the problem has no known answer');
  const picks = pickAll(run, options(settings.n));
  const right = Object.fromEntries(
    picks.map((pick) => [pick.method, pick.kind === 'picked' && isRight(run, pick.answer)]),
  ) as Record<PickMethod, boolean>;
  return {
    pool,
    right,
    greedy: greedy.solutions.some((solution) => isEligible(solution) && isRight(greedy, solution.answer)),
    wallMs: run.stats?.wallMs ?? 0,
    tokens: run.stats?.tokens ?? 0,
    texts: run.solutions.map((solution) => solution.steps.map((step) => step.text)),
  };
}

/** Curves over all problems, and the paired difference of each pick to majority vote at N. */
function summarise(measured: readonly Pick<Measured, 'pool' | 'right'>[]): {
  curves: { readonly name: CurveName; readonly points: readonly CurvePoint[] }[];
  againstMajority: Record<string, unknown>;
} {
  const against = PICK_METHODS.filter((method) => method !== 'majority').map((method) => [
    method,
    pairedDifference(
      measured.map(({ right }) => Number(right[method])),
      measured.map(({ right }) => Number(right.majority)),
    ),
  ]);
  const { curves } = poolCurves(measured.map(({ pool }) => pool));
  return {
    curves: CURVE_NAMES.map((name) => ({ name, points: curves[name].points })),
    againstMajority: Object.fromEntries(against) as Record<string, unknown>,
  };
}

/** Solves a problem and returns a run file, with what the picks chose. */
async function record(problem: Problem, settings: Partial<RunSettings>, backend: Backend) {
  const whole = { ...DEFAULT_SETTINGS, ...settings };
  const list = await solve(problem, whole, backend);
  const run = runOf(list);
  const written = writeRunFile(list);
  if (!written.ok) throw new Error(written.message);
  const picks = pickAll(run, options(whole.n)).map((pick) => ({
    method: pick.method,
    answer: pick.kind === 'picked' ? pick.answer : null,
    right: pick.kind === 'picked' && isRight(run, pick.answer),
  }));
  const samples = run.solutions.map((solution) => ({
    answer: isEligible(solution) ? solution.answer : null,
    right: isEligible(solution) && isRight(run, solution.answer),
    steps: solution.steps.map(({ text, reward }) => ({ text, reward })),
    outcome: solution.outcomeReward,
  }));
  return { file: written.value, picks, samples };
}

const api = { load, measure, summarise, record };
export type EnginePage = typeof api;
Object.assign(window, { enginePage: api });
