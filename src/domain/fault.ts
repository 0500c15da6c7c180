/** What went wrong in the engine, as far as it decides what to do next. */
export type FaultKind =
  /** The GPU cannot be used, was lost, or computes wrongly: WASM may work in a new worker. */
  | 'gpu'
  /** A model file is missing, damaged or cannot be fetched. */
  | 'files'
  /** Stopped on request. */
  | 'cancelled'
  /** The request asks for what the model cannot do; nothing changed. */
  | 'refused'
  /** The runtime failed; a new worker is needed. */
  | 'runtime';

/** An error with words for the person. Caught at the worker's edge and sent as data. */
export class EngineFault extends Error {
  readonly kind: FaultKind;
  constructor(kind: FaultKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'EngineFault';
    this.kind = kind;
  }
}
