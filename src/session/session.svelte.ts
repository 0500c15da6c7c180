import { proxy, wrap, type Remote } from 'comlink';
import { checkChange, type RunChange } from '../domain/change.ts';
import {
  FIRST_MODEL,
  sameChoice,
  siteModel,
  type ModelChoice,
  type ModelRef,
} from '../domain/model-choice.ts';
import { fold, type Backend, type BackendChoice, type Run } from '../domain/run.ts';
import type { Problem } from '../domain/problem.ts';
import { checkProblemText, checkSettings, type RunSettings } from '../domain/settings.ts';
import type { StepToken } from '../domain/step-token.ts';
import { filesFor, readManifest, type Attribution, type Manifest } from '../formats/manifest.ts';
import { FileStore } from '../models/file-store.ts';
import { bytesToFetch, isStored } from './bytes-to-fetch.ts';
export type { LoadedModel } from '../worker/protocol.ts';
import type {
  EngineApi,
  EngineMessage,
  LoadedModel,
  LoadProgress,
  Outcome,
  ScoredSolution,
  ScoreRequest,
  WorkerFault,
} from '../worker/protocol.ts';

/** Where the model stands, for the page to show. */
export type ModelState =
  | { readonly kind: 'unloaded' }
  | {
      readonly kind: 'downloading';
      readonly loadedBytes: number;
      readonly totalBytes: number;
      readonly bytesPerSecond: number | null;
    }
  | { readonly kind: 'preparing' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'ready'; readonly model: LoadedModel }
  | { readonly kind: 'failed'; readonly message: string };

/** A model that comes with the site, as the manifest describes it. */
export interface BundledModel {
  readonly id: string;
  /** The title up to its colon. */
  readonly name: string;
  readonly title: string;
  readonly roles: readonly (keyof ModelChoice)[];
  readonly licence: string;
  /** Whose work it is made of. */
  readonly attribution: readonly Attribution[];
  /** What it can do, in a plain sentence; `null` if the manifest does not say. */
  readonly range: string | null;
  /** Bytes of the files that this device loads of it, at most. */
  readonly bytes: number;
  /** Of these, bytes that are not in this browser. */
  readonly toFetch: number;
}

/** Where the run on the screen came from. */
export type RunOrigin =
  | 'live'
  | 'recorded'
  /** From a link, a file, or the runs that are kept. */
  | 'opened';

/** Decoding steps take well under a second; a worker that is silent for longer after a cancel is ended. */
const CANCEL_GRACE_MS = 5_000;

/** A worker with its proxy. The sink is kept: a proxy that is collected during an await would drop the reply. */
interface Engine {
  readonly worker: Worker;
  readonly api: Remote<EngineApi>;
  readonly backend: BackendChoice;
  /** Resolves when the worker is ended, so that nothing waits for an answer that cannot come. */
  readonly ended: Promise<Outcome<never>>;
  readonly end: (fault: WorkerFault) => void;
}

/** Owns the worker and folds its events into reactive state. Runs are held raw: they are replaced, never changed. */
export class Session {
  model: ModelState = $state.raw({ kind: 'unloaded' });
  /** Models that come with the site, the first run's first; none until the manifest is read. */
  bundled: readonly BundledModel[] = $state.raw([]);
  /** The models that the next run uses. */
  choice: ModelChoice = $state.raw(siteModel(FIRST_MODEL));
  /** Bytes that the next run fetches, at most: what a backend needs, without the files that are stored here. */
  toFetch: number = $state.raw(0);
  run: Run | null = $state.raw(null);
  origin: RunOrigin = $state.raw('live');
  /** True from `start` until the run has finished, loading included. */
  busy: boolean = $state.raw(false);
  /** The last failure that is not part of the run, in words that say what to do. */
  fault: string | null = $state.raw(null);

  readonly #baseUrl: string;
  readonly #spawnWorker: () => Worker;
  #engine: Engine | null = null;
  #runId = 0;
  /** Aborted when what is under way is cancelled. */
  #stop = new AbortController();
  #loadStartedAt = 0;
  #manifest: Manifest | null = null;
  #describing: Promise<void> | null = null;
  /** What a run may use here: without the API there is no WebGPU, and what was used once is used again. */
  #backends: readonly Backend[] = 'gpu' in navigator ? ['wasm', 'webgpu'] : ['wasm'];

  /**
   * @param baseUrl absolute URL of the site's root, ending in "/"
   * @param spawnWorker starts the engine's worker
   */
  constructor(baseUrl: string, spawnWorker: () => Worker) {
    this.#baseUrl = baseUrl;
    this.#spawnWorker = spawnWorker;
  }

  /** Reads the manifest, so that the size is known before a download. A failure is said and changes nothing else. */
  describe(): Promise<void> {
    return (this.#describing = this.#describe());
  }

  async #describe(): Promise<void> {
    try {
      const response = await fetch(new URL('static-models/manifest.json', this.#baseUrl), {
        cache: 'no-cache',
      });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const result = readManifest(await response.json());
      if (!result.ok) {
        this.fault = result.message;
        return;
      }
      this.#manifest = result.manifest;
      await this.#measure();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.fault = `The list of bundled models could not be read (${reason}). Runs cannot be started; reload the page to try again.`;
    }
  }

  /**
   * Takes other models for what comes next; those in use are unloaded. Ignored, with a word, while something is under
   * way.
   */
  async choose(choice: ModelChoice): Promise<void> {
    if (this.#refusedAsBusy()) return;
    if (!sameChoice(choice, this.choice)) this.#discard();
    this.choice = choice;
    this.fault = null;
    await this.#measure();
  }

  /**
   * A choice with the first model in place of such models of the site as this browser does not keep: nobody finds a
   * large download behind Run without having chosen it at this visit.
   */
  async withoutDownload({ generator, prm, orm }: ModelChoice): Promise<ModelChoice> {
    await (this.#describing ?? this.describe());
    const store = await FileStore.open();
    const kept = async (ref: ModelRef): Promise<ModelRef> =>
      ref.from === 'elsewhere' ||
      ref.id === FIRST_MODEL ||
      (await isStored(ref, this.#manifest, this.#baseUrl, store, this.#backends))
        ? ref
        : { from: 'site', id: FIRST_MODEL };
    return {
      generator: await kept(generator),
      prm: prm === null ? null : await kept(prm),
      orm: orm === null ? null : await kept(orm),
    };
  }

  /** Finds what the next run fetches, and how much there is of each bundled model. */
  async #measure(): Promise<void> {
    const { choice } = this;
    const manifest = this.#manifest;
    const backends = this.#backends;
    // A page that is a file on a disk has its models inside it.
    const isFile = this.#baseUrl.startsWith('file:');
    const store = isFile ? null : await FileStore.open();
    const fetched = (models: ModelChoice): ReturnType<typeof bytesToFetch> =>
      bytesToFetch(models, manifest, this.#baseUrl, store, backends);
    const bundled = await Promise.all(
      (manifest?.models ?? []).map(async (model): Promise<BundledModel> => {
        const { id, title, roles, licence, attribution, range } = model;
        return {
          id,
          name: title.split(':', 1)[0]!,
          title,
          roles,
          licence,
          attribution: attribution ?? [],
          range: range ?? null,
          bytes: Math.max(0, ...backends.map((backend) => filesFor(model, backend)?.bytes ?? 0)),
          toFetch: isFile ? 0 : (await fetched(siteModel(id))).site,
        };
      }),
    );
    const bytes = await fetched(choice);
    // What was asked for since is measured by whoever asked.
    if (choice !== this.choice || manifest !== this.#manifest || backends !== this.#backends) return;
    this.bundled = bundled.sort((a, b) => Number(b.id === FIRST_MODEL) - Number(a.id === FIRST_MODEL));
    this.toFetch = isFile ? bytes.elsewhere : bytes.site + bytes.elsewhere;
  }

  /** Loads the model if needed, then runs. Bad input sets `fault` and starts nothing. Never rejects. */
  async start(problem: Problem, settings: RunSettings, backend: BackendChoice): Promise<void> {
    if (this.busy) return;
    this.fault = checkProblemText(problem.text) ?? checkSettings({ ...settings })[0]?.message ?? null;
    if (this.fault !== null) return;
    const runId = ++this.#runId;
    await this.#withModel(backend, (api) => api.start({ runId, problem, settings }));
  }

  /**
   * The run on the screen gets lanes up to `n`; those that are there stay. What cannot be done sets `fault`, here and
   * in the methods below; none of them rejects.
   *
   * @param backend the one in use by default
   */
  async addLanes(n: number, backend: BackendChoice = this.#engine?.backend ?? 'auto'): Promise<void> {
    await this.#goOn({ kind: 'lanes', n }, backend);
  }

  /** Lanes that were cut are written further: by a cancel, or because the engine or the GPU was lost. */
  async resume(backend: BackendChoice): Promise<void> {
    await this.#goOn({ kind: 'resume' }, backend);
  }

  /**
   * Samples one more lane, which shares the first `steps` steps of another.
   *
   * @returns the index of the new lane; `null` if there is none
   */
  resample(lane: number, steps: number, backend: BackendChoice): Promise<number | null> {
    return this.#goOn({ kind: 'resample', lane, steps }, backend);
  }

  /**
   * Adds one more lane, which holds an edited solution, with rewards by the loaded verifiers.
   *
   * @param lane the lane that was edited
   * @returns the index of the new lane; `null` if there is none
   */
  rescore(lane: number, lines: readonly string[], backend: BackendChoice): Promise<number | null> {
    return this.#goOn({ kind: 'rescore', lane, lines: [...lines] }, backend);
  }

  /** How likely the generator held each token of a step, with what it held likely in its place; `null` on failure. */
  async explainStep(
    problem: string,
    lines: readonly string[],
    step: number,
    backend: BackendChoice,
  ): Promise<readonly StepToken[] | null> {
    if (this.#refusedAsBusy()) return null;
    this.fault = checkProblemText(problem);
    if (this.fault !== null) return null;
    return this.#withModel(backend, (api) => api.explain({ problem, lines: [...lines], step }));
  }

  /** Loads the model without running it. Returns whether it is ready; if not, `fault` says why. Never rejects. */
  async prepare(backend: BackendChoice): Promise<boolean> {
    if (this.busy) return false;
    this.fault = null;
    return (await this.#withModel(backend, () => Promise.resolve({ ok: true, value: true }))) ?? false;
  }

  /** Rewards of finished solutions by the loaded model; loads it if needed. Sets `fault` and returns null on failure. */
  async score(request: ScoreRequest, backend: BackendChoice): Promise<readonly ScoredSolution[] | null> {
    if (this.busy) return null;
    return this.#withModel(backend, (api) => api.score(request));
  }

  /** Stops loading or running; what is there is kept. */
  cancel(): void {
    const engine = this.#engine;
    if (!this.busy || engine === null) return;
    const stop = this.#stop;
    stop.abort();
    void engine.api.cancel();
    // Preparing a graph cannot be interrupted from within; ending the worker can.
    const stuck = this.model.kind === 'preparing' || this.model.kind === 'checking';
    setTimeout(
      () => {
        // Not what was begun since: it may run in the same worker.
        if (this.busy && this.#engine === engine && this.#stop === stop) {
          engine.end({ kind: 'cancelled', message: 'Stopped.' });
        }
      },
      stuck ? 0 : CANCEL_GRACE_MS,
    );
  }

  /** Shows a run that was not made here just now. Ignored while a run is under way. */
  show(run: Run, origin: RunOrigin): void {
    if (this.busy) return;
    // Nothing that is still on its way belongs to this run.
    this.#runId++;
    this.run = run;
    this.origin = origin;
    this.fault = null;
  }

  /**
   * Gives back the memory of the models by ending the worker; the run stays, and what needs the models loads them again.
   * Ignored while something is under way.
   */
  unload(): void {
    if (!this.busy) this.#discard();
  }

  /** Ends the worker; a run that is under way is kept as far as it came, and can be resumed. */
  dispose(): void {
    this.#discard();
  }

  async #goOn(change: RunChange, backend: BackendChoice): Promise<number | null> {
    if (this.#refusedAsBusy()) return null;
    const { run } = this;
    this.fault =
      run === null ? 'There is no run to go on with. Run a problem first.' : checkChange(run, change);
    if (run === null || this.fault !== null) return null;
    const runId = ++this.#runId;
    return this.#withModel(backend, (api) => api.goOn({ runId, run, change }));
  }

  #refusedAsBusy(): boolean {
    if (this.busy) this.fault = 'Something is running already. Cancel it or wait for its end.';
    return this.busy;
  }

  /**
   * Loads the model if needed and asks the worker for one thing. A GPU that fails at the start is replaced by the
   * processor. `null` if it failed, which `fault` says, or was cancelled before it began.
   */
  async #withModel<T>(
    backend: BackendChoice,
    ask: (api: Remote<EngineApi>) => Promise<Outcome<T>>,
  ): Promise<T | null> {
    this.busy = true;
    const { signal } = (this.#stop = new AbortController());
    try {
      let loaded = await this.#load(backend);
      if (!loaded.ok && loaded.fault.kind === 'gpu' && backend !== 'wasm') {
        // A failed start on the GPU spoils the worker; a new one runs on the processor.
        const reason = loaded.fault.message;
        this.#discard();
        loaded = await this.#load('wasm');
        if (loaded.ok) {
          const note = `${reason} The models run on the processor instead.`;
          this.model = { kind: 'ready', model: { ...loaded.value, note } };
        }
      }
      if (!loaded.ok) {
        this.#take(loaded.fault, 'load');
        return null;
      }
      // Between loading and running the worker has nothing to cancel.
      if (signal.aborted) return null;
      const result = await this.#call(ask);
      if (result.ok) return result.value;
      this.#take(result.fault, 'start');
      return null;
    } finally {
      this.busy = false;
    }
  }

  async #load(backend: BackendChoice): Promise<Outcome<LoadedModel>> {
    if (this.#engine !== null && this.#engine.backend !== backend) this.#discard();
    if (this.#engine !== null && this.model.kind === 'ready') return { ok: true, value: this.model.model };
    this.#engine ??= this.#spawn(backend);
    this.#loadStartedAt = performance.now();
    const { choice: models } = this;
    const result = await this.#call((api) => api.load({ baseUrl: this.#baseUrl, models, backend }));
    if (result.ok) {
      this.model = { kind: 'ready', model: result.value };
      this.#backends = [result.value.backend];
      // What was fetched is stored, unless the browser denies it.
      void this.#measure();
    }
    return result;
  }

  /** Calls the worker; settles even when the worker ends meanwhile. */
  #call<T>(call: (api: Remote<EngineApi>) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const engine = this.#engine;
    if (engine === null) {
      return Promise.resolve({ ok: false, fault: { kind: 'runtime', message: 'There is no worker.' } });
    }
    return Promise.race([call(engine.api), engine.ended]);
  }

  #spawn(backend: BackendChoice): Engine {
    const worker = this.#spawnWorker();
    const api = wrap<EngineApi>(worker);
    let settle: (outcome: Outcome<never>) => void = () => {};
    const ended = new Promise<Outcome<never>>((resolve) => (settle = resolve));
    const engine: Engine = { worker, api, backend, ended, end: (fault) => settle({ ok: false, fault }) };
    worker.onerror = (event) => {
      engine.end({
        kind: 'runtime',
        message: `The engine could not run${event.message ? ` (${event.message})` : ''}. Reload the page; an up-to-date browser is needed.`,
      });
    };
    void api.connect(proxy((message: EngineMessage) => this.#receive(engine, message)));
    return engine;
  }

  #receive(engine: Engine, message: EngineMessage): void {
    if (engine !== this.#engine) return;
    if (message.kind === 'load') this.model = this.#describeProgress(message.progress);
    else if (message.runId === this.#runId) {
      this.origin = 'live';
      this.run = fold(this.run, message.events);
    }
  }

  #describeProgress(progress: LoadProgress): ModelState {
    if (progress.stage !== 'downloading') return { kind: progress.stage };
    const seconds = (performance.now() - this.#loadStartedAt) / 1000;
    return {
      kind: 'downloading',
      loadedBytes: progress.loadedBytes,
      totalBytes: progress.totalBytes,
      bytesPerSecond: seconds > 0.2 ? progress.loadedBytes / seconds : null,
    };
  }

  /** Shows a fault and leaves the session ready for another try. */
  #take(fault: WorkerFault, during: 'load' | 'start'): void {
    if (fault.kind === 'refused') {
      this.fault = fault.message;
      return;
    }
    // Whatever else happened, the worker may be spoilt.
    this.#discard();
    if (fault.kind === 'cancelled') return;
    this.fault =
      during === 'start' && fault.kind === 'gpu'
        ? `${fault.message} What was written is kept. Choose WASM as the backend to go on without the GPU.`
        : fault.message;
    if (during === 'load') this.model = { kind: 'failed', message: fault.message };
  }

  #discard(): void {
    const engine = this.#engine;
    this.#engine = null;
    engine?.worker.terminate();
    // Whoever waits for an answer must not wait for ever.
    engine?.end({ kind: 'cancelled', message: 'Stopped.' });
    this.model = { kind: 'unloaded' };
    const { run } = this;
    // The worker can send no more: a run that was under way ends as failed, with what is there kept.
    if (run?.status.kind === 'running') {
      this.run = { ...run, status: { kind: 'failed', message: 'The engine was stopped.' } };
    }
  }
}
