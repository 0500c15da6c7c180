import type { LayoutTokenizer } from '../domain/text-layout.ts';
import type { VerifierAdapter } from '../domain/verifier.ts';
import { readHead, readableHead, type ReadableHead } from './read-head.ts';
import { layOut } from './verifier-layout.ts';

/** What a verifier's graph has read of a text, on the device; `null` is nothing. */
export type ReaderState = object | null;

/** What a verifier needs of its loaded graph. */
export interface VerifierGraph {
  /** Whether the graph goes on from what it has read; if not, it reads a text in one pass. */
  readonly cached: boolean;
  /** Positions that fit in the context. */
  readonly context: number;
  /** Reads on from `state`, which stays as it is. Resolves to what has been read then, and the outputs at the last token. */
  read(
    state: ReaderState,
    tokens: readonly number[],
    output: string,
  ): Promise<{ readonly state: ReaderState; readonly row: Float32Array }>;
  /** Outputs at some positions of a text that is read in one pass. */
  readAt(
    tokens: readonly number[],
    positions: readonly number[],
    output: string,
  ): Promise<readonly Float32Array[]>;
  /** Frees what was read. */
  free(state: ReaderState): void;
}

/** A text that does not fit in a verifier's context. */
export class TooLong extends RangeError {}

/** What has been read of one text. */
interface Place {
  readonly tokens: readonly number[];
  readonly state: ReaderState;
}

/**
 * A verifier that reads solutions of one problem on a cache of its own, whatever its tokenizer: each lane goes on from
 * where it is, so no token is read twice. The beginning that all lanes share is read once.
 */
export class Verifier {
  readonly adapter: VerifierAdapter;
  readonly #graph: VerifierGraph;
  readonly #tokenizer: LayoutTokenizer;
  readonly #head: ReadableHead;
  #problem: string | null = null;
  /** What all lanes begin with, once one has been seen. */
  #shared: Place | null = null;
  readonly #lanes = new Map<number, Place>();

  /** @throws RangeError if the adapter does not fit the tokenizer */
  constructor(adapter: VerifierAdapter, graph: VerifierGraph, tokenizer: LayoutTokenizer) {
    this.adapter = adapter;
    this.#graph = graph;
    this.#tokenizer = tokenizer;
    this.#head = readableHead(adapter.head, (text) => tokenizer.encode(text));
    // Says at once, not in the middle of a run, that something is missing.
    layOut(adapter.layout, tokenizer, '', ['']);
  }

  /** Whether a step can be judged as soon as it is written; if not, a solution is judged when it is finished. */
  get live(): boolean {
    return this.#graph.cached && this.adapter.reads === 'steps';
  }

  /**
   * P(the last of these steps is correct), or P(the solution is) by a verifier that reads solutions.
   *
   * @param lane whose text goes on; texts of one lane should grow
   * @throws TooLong if the text does not fit in the context, RangeError if the graph computes no probability
   */
  async judge(lane: number, problem: string, steps: readonly string[]): Promise<number> {
    if (problem !== this.#problem) this.release();
    this.#problem = problem;
    const { stem, probe } = layOut(this.adapter.layout, this.#tokenizer, problem, steps);
    this.#needRoom(stem.length + probe.length);
    const { output } = this.#head;
    if (!this.#graph.cached) {
      const tokens = [...stem, ...probe];
      const [row] = await this.#graph.readAt(tokens, [tokens.length - 1], output);
      return readHead(this.#head, row!);
    }
    const from = await this.#begin(lane, problem, stem);
    const read = this.#graph.read(from.state, stem.slice(from.tokens.length), output);
    const { state, row } = await read.finally(() => {
      if (from !== this.#shared) this.#graph.free(from.state);
    });
    this.#lanes.set(lane, { tokens: stem, state });
    if (probe.length === 0) return readHead(this.#head, row);
    const asked = await this.#graph.read(state, probe, output);
    this.#graph.free(asked.state);
    return readHead(this.#head, asked.row);
  }

  /** The score after each step of a finished solution, in one pass where the layout allows it. */
  async judgeSteps(lane: number, problem: string, steps: readonly string[]): Promise<number[]> {
    if (steps.length === 0) return [];
    // A lane reads on from step to step.
    if (this.#graph.cached) return this.#judgeEach(lane, problem, steps);
    const readings = steps.map((_, i) =>
      layOut(this.adapter.layout, this.#tokenizer, problem, steps.slice(0, i + 1)),
    );
    const whole = readings.at(-1)?.stem ?? [];
    const onePass = readings.every(({ stem, probe }) => probe.length === 0 && startsWith(whole, stem));
    if (!onePass) return this.#judgeEach(lane, problem, steps);
    this.#needRoom(whole.length);
    const positions = readings.map(({ stem }) => stem.length - 1);
    const rows = await this.#graph.readAt(whole, positions, this.#head.output);
    return rows.map((row) => readHead(this.#head, row));
  }

  /** Frees what was read of a lane that is finished. */
  forget(lane: number): void {
    const place = this.#lanes.get(lane);
    if (place !== undefined) this.#graph.free(place.state);
    this.#lanes.delete(lane);
  }

  /** Frees everything that was read. */
  release(): void {
    for (const lane of [...this.#lanes.keys()]) this.forget(lane);
    if (this.#shared !== null) this.#graph.free(this.#shared.state);
    this.#shared = null;
    this.#problem = null;
  }

  async #judgeEach(lane: number, problem: string, steps: readonly string[]): Promise<number[]> {
    const scores: number[] = [];
    for (const i of steps.keys()) scores.push(await this.judge(lane, problem, steps.slice(0, i + 1)));
    return scores;
  }

  /** Where a lane goes on: after its own text if this one begins with it, else after what all lanes share. */
  async #begin(lane: number, problem: string, stem: readonly number[]): Promise<Place> {
    const own = this.#lanes.get(lane);
    if (own !== undefined && own.tokens.length < stem.length && startsWith(stem, own.tokens)) {
      this.#lanes.delete(lane);
      return own;
    }
    this.forget(lane);
    this.#shared ??= await this.#readShared(problem, stem);
    const { tokens } = this.#shared;
    return tokens.length < stem.length && startsWith(stem, tokens)
      ? this.#shared
      : { tokens: [], state: null };
  }

  async #readShared(problem: string, stem: readonly number[]): Promise<Place> {
    // A step that cannot be in any solution shows where the prompt ends in tokens.
    const other = layOut(this.adapter.layout, this.#tokenizer, problem, ['\u{10fffd}']).stem;
    let length = 0;
    while (length < stem.length - 1 && stem[length] === other[length]) length++;
    const tokens = stem.slice(0, length);
    if (length === 0) return { tokens, state: null };
    const { state } = await this.#graph.read(null, tokens, this.#head.output);
    return { tokens, state };
  }

  #needRoom(tokens: number): void {
    if (tokens > this.#graph.context)
      throw new TooLong(
        `The problem and the solution have ${tokens} tokens for the verifier, which reads at most ${this.#graph.context}.`,
      );
  }
}

function startsWith(tokens: readonly number[], beginning: readonly number[]): boolean {
  return beginning.length <= tokens.length && beginning.every((token, i) => token === tokens[i]);
}
