/**
 * The product's worker and its picks, without the page around them: `npm run evaluate` and `npm run record` call the
 * functions that this module hangs on the window.
 */
import { siteModel } from '../../src/domain/model-choice.ts';
import { proxy, wrap, type Remote } from 'comlink';
import { compareAnswers } from '../../src/answers/compare.ts';
import { eventsOf, fold, type Backend, type Run, type RunEvent } from '../../src/domain/run.ts';
import type { Problem } from '../../src/domain/problem.ts';
import { DEFAULT_SETTINGS, type RunSettings } from '../../src/domain/settings.ts';
import type { PickOptions } from '../../src/domain/pick.ts';
import { isEligible } from '../../src/domain/solution.ts';
import { writeRunFile } from '../../src/formats/run-file.ts';
import { poolCurves, type Curve } from '../../src/picks/curves.ts';
import { pairedDifference, type Interval } from '../../src/picks/interval.ts';
import { pickAll } from '../../src/picks/pick.ts';
import { poolOfRun, type PoolSample } from '../../src/picks/pool.ts';
import { PRESETS } from '../../src/ui/presets.ts';
import type { EngineApi, LoadedModel } from '../../src/worker/protocol.ts';

const options = (n: number): PickOptions => ({
  reduction: 'product',
  n,
  neutral: 'positive',
});

let engine: Remote<EngineApi> | null = null;
let loaded: LoadedModel | null = null;
let events: RunEvent[] = [];

/** Loads a bundled model in all roles; the first call decides which. */
async function load(backend: Backend, id = 'pocket'): Promise<LoadedModel> {
  if (loaded !== null) return loaded;
  const worker = new Worker(new URL('../../src/worker/main.ts', import.meta.url), { type: 'module' });
  engine = wrap<EngineApi>(worker);
  await engine.connect(
    proxy((message) => {
      if (message.kind === 'run') events.push(...message.events);
    }),
  );
  const baseUrl = new URL('/', location.href).href;
  const outcome = await engine.load({ baseUrl, models: siteModel(id), backend });
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

/** One lane as a result file holds it. */
export interface MeasuredSample {
  readonly lines: string[];
  readonly stepRewards: (number | null)[];
  readonly outcomeReward: number | null;
  readonly answer: string | null;
  readonly correct: boolean;
}

/** What one problem gave. */
export interface Measured {
  readonly samples: MeasuredSample[];
  /** Pools for the curves, the PRM's score being the product of step rewards, and the least of them. */
  readonly pool: PoolSample[];
  readonly poolMin: PoolSample[];
  /** Whether the most likely solution is right. */
  readonly greedy: boolean;
  readonly wallMs: number;
  readonly tokens: number;
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
  const poolMin = poolOfRun(run, { ...options(settings.n), reduction: 'min' });
  if (pool === null || poolMin === null) throw new Error('the problem has no known answer');
  return {
    samples: run.solutions.map((solution, lane) => ({
      lines: solution.steps.map((step) => step.text),
      stepRewards: solution.steps.map((step) => step.reward),
      outcomeReward: solution.outcomeReward,
      answer: solution.answer,
      correct: pool[lane]?.correct ?? false,
    })),
    pool,
    poolMin,
    greedy: greedy.solutions.some((solution) => isEligible(solution) && isRight(greedy, solution.answer)),
    wallMs: run.stats?.wallMs ?? 0,
    tokens: run.stats?.tokens ?? 0,
  };
}

const CURVES = {
  prm: 'prm',
  orm: 'orm',
  majority: 'majority',
  weighted: 'prm-weighted',
  ormWeighted: 'orm-weighted',
  pass: 'pass',
} as const;

/** A figure with its 95% interval over problems. */
export interface Figure {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** Expected accuracy of each pick at n = 1, 2, 4 ... N, and what each is ahead of majority vote, problem by problem. */
export interface Summary {
  readonly problems: number;
  readonly meanSample: number;
  readonly greedy: number;
  readonly picks: Record<string, Record<string, Figure>>;
  readonly aheadOfMajority: Record<string, Record<string, Figure>>;
}

function summarise(measured: readonly Measured[]): Summary {
  const { curves } = poolCurves(measured.map(({ pool }) => pool));
  const least = poolCurves(measured.map(({ poolMin }) => poolMin)).curves.prm;
  const named: [string, Curve][] = Object.entries(CURVES).map(([name, curve]) => [name, curves[curve]]);
  named.splice(1, 0, ['prmMin', least]);
  const sizes = doublings(curves.prm.points.length);
  const figures = (of: (n: number) => Figure) => Object.fromEntries(sizes.map((n) => [String(n), of(n)]));
  const samples = measured.flatMap(({ pool }) => pool);
  return {
    problems: measured.length,
    meanSample: samples.filter(({ correct }) => correct).length / samples.length,
    greedy: measured.filter(({ greedy }) => greedy).length / measured.length,
    picks: Object.fromEntries(
      named.map(([name, curve]) => [
        name,
        figures((n) => {
          const point = curve.points[n - 1];
          return figure(point?.mean, point?.interval);
        }),
      ]),
    ),
    aheadOfMajority: Object.fromEntries(
      named.map(([name, curve]) => [
        name,
        figures((n) => {
          const difference = pairedDifference(at(curve, n), at(curves.majority, n));
          return figure(difference.mean, difference.interval);
        }),
      ]),
    ),
  };
}

const at = (curve: Curve, n: number): number[] => curve.byProblem.map((values) => values[n - 1] ?? 0);

const figure = (mean = 0, interval?: Interval | null): Figure => ({
  mean,
  low: interval?.low ?? mean,
  high: interval?.high ?? mean,
});

function doublings(largest: number): number[] {
  const sizes: number[] = [];
  for (let n = 1; n < largest; n *= 2) sizes.push(n);
  return [...sizes, largest];
}

/** The presets of the page, to be recorded. */
const presets = () => [...PRESETS];

/** Solves a problem and returns a run file, with what the picks chose. */
async function record(problem: Problem, settings: Partial<RunSettings>, backend: Backend) {
  const whole = { ...DEFAULT_SETTINGS, ...settings };
  const list = await solve(problem, whole, backend);
  const run = runOf(list);
  // Without what was shown of lines before they were finished: a poster has every byte counted.
  const written = writeRunFile(eventsOf(run));
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

const api = { load, measure, summarise, record, presets };
export type EnginePage = typeof api;
Object.assign(window, { enginePage: api });
