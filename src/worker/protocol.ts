import type { RunChange } from '../domain/change.ts';
import type { ModelChoice } from '../domain/model-choice.ts';
import type { Backend, BackendChoice, Run, RunEvent, RunModels } from '../domain/run.ts';
import type { Problem } from '../domain/problem.ts';
import type { RunSettings } from '../domain/settings.ts';
import type { StepToken } from '../domain/step-token.ts';

/** What the page may ask the worker to load. */
export interface LoadRequest {
  /** Absolute URL of the site's root, ending in "/". */
  readonly baseUrl: string;
  readonly models: ModelChoice;
  readonly backend: BackendChoice;
}

/** Loading, in the order it happens. Bytes are over all files of the chosen variants. */
export type LoadProgress =
  | { readonly stage: 'downloading'; readonly loadedBytes: number; readonly totalBytes: number }
  /** The runtime reads the weights, and compiles shaders on WebGPU. */
  | { readonly stage: 'preparing' }
  /** The canary prompt runs and its result is compared with the known one. */
  | { readonly stage: 'checking' };

/** What is loaded, as the page needs to know it. */
export interface LoadedModel {
  readonly models: RunModels;
  /** Titles by role. */
  readonly titles: { readonly generator: string; readonly prm: string | null; readonly orm: string | null };
  readonly backend: Backend;
  /** Threads of the WASM runtime; 1 where the page is not cross-origin isolated. */
  readonly threads: number;
  /** What the person should know, such as why WebGPU was not used; `null` if nothing. */
  readonly note: string | null;
}

/** Errors as data: a custom property of an Error would be lost between worker and page. */
export type Outcome<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: WorkerFault };

export interface WorkerFault {
  /**
   * `gpu`: start a new worker on WASM. `runtime`: this worker is spoilt, start a new one. `files`: something must be
   * fetched again. `cancelled`: on request. `refused`: the request does not fit now, nothing changed.
   */
  readonly kind: 'gpu' | 'runtime' | 'files' | 'cancelled' | 'refused';
  readonly message: string;
}

/** One run. Ids are chosen by the page, so that late events of an older run can be told apart. */
export interface StartRequest {
  readonly runId: number;
  readonly problem: Problem;
  readonly settings: RunSettings;
}

/** A run that goes on. The worker need not have made it: what it does not know it reads from the text. */
export interface GoOnRequest {
  /** A new id: events of this leg carry it. */
  readonly runId: number;
  readonly run: Run;
  readonly change: RunChange;
}

/** Asks for the token probabilities of line `step` of a solution. */
export interface ExplainRequest {
  readonly problem: string;
  readonly lines: readonly string[];
  readonly step: number;
}

/** A scoring request: lines of finished solutions of one problem. */
export interface ScoreRequest {
  readonly problem: string;
  readonly solutions: readonly (readonly string[])[];
}

export interface ScoredSolution {
  readonly steps: readonly number[];
  readonly outcome: number | null;
}

/** What the worker tells, through the one sink that the page connects. */
export type EngineMessage =
  | { readonly kind: 'load'; readonly progress: LoadProgress }
  | { readonly kind: 'run'; readonly runId: number; readonly events: readonly RunEvent[] };

/** The worker's face. Every promise settles, with an `Outcome` where it can fail, unless the worker is terminated. */
export interface EngineApi {
  /** Gives the worker the one function that it calls with messages. */
  connect(sink: (message: EngineMessage) => void): void;
  /** Loads models; once per worker. A second call with the same request returns at once. */
  load(request: LoadRequest): Promise<Outcome<LoadedModel>>;
  /** Runs to the end; resolves after the `finished` event was sent. Refused while another run is under way. */
  start(request: StartRequest): Promise<Outcome<null>>;
  /**
   * Makes a run go on; resolves after the `finished` event was sent, to the index of the lane that a resampled or
   * edited solution got. Events continue those that the run was folded from.
   */
  goOn(request: GoOnRequest): Promise<Outcome<number | null>>;
  /** How likely the generator held the tokens of a step, and what it held likely in their place. */
  explain(request: ExplainRequest): Promise<Outcome<readonly StepToken[]>>;
  /** Rewards of finished or imported solutions, in one padded pass. Refused while a run is under way. */
  score(request: ScoreRequest): Promise<Outcome<readonly ScoredSolution[]>>;
  /** Asks loading or the run to stop; a run does within one decoding step and keeps what is there. */
  cancel(): void;
  /** Logits of the last position and rewards of a token sequence: for parity tests against the trained model. */
  inspect(
    tokens: readonly number[],
  ): Promise<Outcome<{ readonly logits: Float32Array; readonly rewards: Float32Array | null }>>;
}
