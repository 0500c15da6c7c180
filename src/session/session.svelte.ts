// Interface first; the implementation follows.
import type { Problem } from '../domain/problem.ts';
import type { Run } from '../domain/run.ts';
import type { RunSettings } from '../domain/settings.ts';
import type { BackendChoice, LoadedModel } from '../worker/protocol.ts';

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

/** What is bundled with the site, read from the manifest; sizes in bytes for the backend that would be used. */
export interface BundledModel {
  readonly id: string;
  readonly title: string;
  readonly bytes: number;
  readonly licence: string;
}

/** Where the run on the screen came from. */
export type RunOrigin = 'live' | 'recorded';

/** Owns the worker and folds its events into reactive state. */
export class Session {
  model: ModelState = $state.raw({ kind: 'unloaded' });
  bundled: BundledModel | null = $state.raw(null);
  run: Run | null = $state.raw(null);
  origin: RunOrigin = $state.raw('live');
  /** True from `start` until the run has finished, loading included. */
  busy: boolean = $state.raw(false);
  /** The last failure that is not part of the run, in words that say what to do. */
  fault: string | null = $state.raw(null);

  /** Loads the model if needed, then runs. Bad input sets `fault` and starts nothing. */
  start(_problem: Problem, _settings: RunSettings, _backend: BackendChoice): Promise<void> {
    throw new Error('not yet');
  }
  /** Stops loading or running; what is there is kept. */
  cancel(): void {}
  /** Shows a recorded run (validated elsewhere). */
  show(_run: Run, _origin: RunOrigin): void {}
  /** Ends the worker. */
  dispose(): void {}
}
