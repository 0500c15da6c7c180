import type { ReaderState, VerifierGraph } from '../../../src/scoring/verifier.ts';

/** What was read of a text. */
class Read {
  readonly tokens: readonly number[];
  constructor(tokens: readonly number[]) {
    this.tokens = tokens;
  }
}

/** A score that depends on every token of a text, and on their order. */
export function scoreOf(tokens: readonly number[]): number {
  const hash = tokens.reduce((sum, token) => (Math.imul(sum, 31) + token + 1) >>> 0, 7);
  return (hash % 1_009) / 1_009;
}

/** A graph whose score follows from the text alone. It records what is read, and counts what is held. */
export class RecordingGraph implements VerifierGraph {
  readonly cached: boolean;
  readonly context: number;
  /** Each pass: the tokens before it, and those that it read. */
  readonly passes: { readonly after: readonly number[]; readonly tokens: readonly number[] }[] = [];
  readonly #held = new Set<Read>();
  /** Set to let the next pass fail. */
  broken = false;

  constructor({ cached = true, context = 1_000 }: { cached?: boolean; context?: number } = {}) {
    this.cached = cached;
    this.context = context;
  }

  /** Number of texts that were read and not freed. */
  get held(): number {
    return this.#held.size;
  }

  /** Number of tokens that were read. */
  get tokensRead(): number {
    return this.passes.reduce((sum, { tokens }) => sum + tokens.length, 0);
  }

  async read(
    state: ReaderState,
    tokens: readonly number[],
  ): Promise<{ readonly state: ReaderState; readonly row: Float32Array }> {
    if (!this.cached) throw new Error('this graph keeps nothing');
    const after = this.#tokensOf(state);
    this.#pass(after, tokens);
    await Promise.resolve();
    if (state !== null) this.#tokensOf(state);
    const read = new Read([...after, ...tokens]);
    this.#held.add(read);
    return { state: read, row: Float32Array.of(scoreOf(read.tokens)) };
  }

  readAt(tokens: readonly number[], positions: readonly number[]): Promise<readonly Float32Array[]> {
    this.#pass([], tokens);
    return Promise.resolve(
      positions.map((position) => Float32Array.of(scoreOf(tokens.slice(0, position + 1)))),
    );
  }

  free(state: ReaderState): void {
    if (state === null) return;
    this.#tokensOf(state);
    this.#held.delete(state as Read);
  }

  /** @throws Error if a state was freed before */
  #tokensOf(state: ReaderState): readonly number[] {
    if (state === null) return [];
    if (!(state instanceof Read) || !this.#held.has(state)) throw new Error('used after it was freed');
    return state.tokens;
  }

  #pass(after: readonly number[], tokens: readonly number[]): void {
    if (this.broken) throw new Error('the device is gone');
    if (tokens.length === 0) throw new Error('nothing to read');
    this.passes.push({ after, tokens });
  }
}
