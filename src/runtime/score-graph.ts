import type { InferenceSession } from 'onnxruntime-web/webgpu';
import { disposeCache, type KvCache } from './kv-cache.ts';
import { floatsOf, runGraph } from './run-graph.ts';

/** A text that was read, on the device. Held by whoever read it, and freed once. */
class ReadText {
  readonly cache: KvCache;
  readonly length: number;
  constructor(cache: KvCache, length: number) {
    this.cache = cache;
    this.length = length;
  }
}

/**
 * Runs a verifier's graph over one text at a time: with a cache, so that a text is read on from any place, or without
 * one, in a single pass. Its outputs are `[1, positions, width]`, or `[1, width]` for a whole text.
 */
export class ScoreGraph {
  readonly cached: boolean;
  readonly context: number;
  /** Milliseconds spent inside the runtime since construction. */
  forwardMs = 0;
  readonly #session: InferenceSession;

  constructor(session: InferenceSession, context: number) {
    this.#session = session;
    this.context = context;
    this.cached = session.inputNames.some((name) => name.startsWith('past_key_values.'));
  }

  /** Reads on from `state`, which stays as it is and can be read on from again. */
  async read(
    state: object | null,
    tokens: readonly number[],
    output: string,
  ): Promise<{ readonly state: object; readonly row: Float32Array }> {
    const from = state instanceof ReadText ? state : null;
    const past = from?.length ?? 0;
    const pass = await runGraph(this.#session, [tokens], from?.cache ?? null, past, 1);
    this.forwardMs += pass.ms;
    try {
      const { values, width } = this.#rows(pass.outputs, output);
      return {
        state: new ReadText(pass.cache, past + tokens.length),
        row: values.slice(values.length - width),
      };
    } catch (error) {
      disposeCache(pass.cache);
      throw error;
    }
  }

  /**
   * Outputs at some positions of a text that is read in one pass.
   *
   * @throws RangeError if the graph gives a text one score only, and another position than the last is asked for
   */
  async readAt(
    tokens: readonly number[],
    positions: readonly number[],
    output: string,
  ): Promise<readonly Float32Array[]> {
    const pass = await runGraph(this.#session, [tokens], null, 0, 0);
    this.forwardMs += pass.ms;
    disposeCache(pass.cache);
    const { values, width } = this.#rows(pass.outputs, output);
    const whole = values.length === width;
    if (whole && positions.some((position) => position !== tokens.length - 1))
      throw new RangeError(
        'The verifier gives one score for a whole text, and its adapter asks for one after each step. Choose an adapter for solutions.',
      );
    if (!whole && values.length !== tokens.length * width)
      throw new RangeError('The verifier returned scores of an unexpected shape.');
    return positions.map((position) =>
      whole ? values.slice() : values.slice(position * width, (position + 1) * width),
    );
  }

  /** Frees what was read. */
  free(state: object | null): void {
    if (state instanceof ReadText) disposeCache(state.cache);
  }

  #rows(
    outputs: InferenceSession.OnnxValueMapType,
    output: string,
  ): { readonly values: Float32Array; readonly width: number } {
    const values = floatsOf(outputs, output);
    const dims = outputs[output]!.dims;
    const width = dims.at(-1) ?? 0;
    if (dims[0] !== 1 || width < 1)
      throw new RangeError('The verifier returned scores of an unexpected shape.');
    return { values, width };
  }
}
