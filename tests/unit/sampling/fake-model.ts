import type { Frame, LaneDecoder } from '../../../src/sampling/lane-decoder.ts';
import { laneUniform } from '../../../src/sampling/random.ts';
import type { LaneTokenizer } from '../../../src/sampling/tokenizer.ts';

/** "ab" is one token, or two: a text does not say which of them were sampled. */
const PIECES = ['', '\n', '#', 'a', 'b', 'c', 'ab', '7', ' '];
export const END = 0;
export const NEWLINE = 1;

export const tokenizer: LaneTokenizer = {
  encode: (text) => {
    const tokens: number[] = [];
    for (let at = 0; at < text.length;) {
      const piece = text.startsWith('ab', at) ? 'ab' : text[at]!;
      const token = PIECES.indexOf(piece);
      if (token < 0) throw new RangeError(`no token for ${piece}`);
      tokens.push(token);
      at += piece.length;
    }
    return tokens;
  },
  decode: (tokens) => tokens.map((token) => PIECES[token] ?? '').join(''),
  bos: null,
  ends: [END],
  newline: NEWLINE,
};

/** A line that begins with # declares what follows. */
export const answerOf = (line: string): string | null => (line.startsWith('#') ? line.slice(1) : null);

/** Logits of the token after a sequence. */
export type Logits = (sequence: readonly number[]) => number[];

/** Any sequence has logits of its own, that follow from nothing but its tokens. */
export const hashedLogits: Logits = (sequence) => {
  const hash = sequence.reduce((sum, token) => (Math.imul(sum, 31) + token + 1) >>> 0, 7);
  return PIECES.map((_, token) => 4 * laneUniform(hash, token, 0) + (token === END ? -3 : 0));
};

/** A decoder that remembers whole sequences in place of a cache, and counts its passes. */
export class FakeDecoder implements LaneDecoder {
  readonly vocabulary = PIECES.length;
  readonly rewardWidth = 2;
  readonly context: number;
  /** Tokens that each pass fed to a row. */
  readonly widths: number[] = [];
  /** Whether the cache was freed. */
  released = true;
  readonly #logits: Logits;
  #rows: number[][] = [];

  constructor(options: { context?: number; logits?: Logits } = {}) {
    this.context = options.context ?? 1_000;
    this.#logits = options.logits ?? hashedLogits;
  }

  prefill(tokens: readonly number[]): Promise<Frame> {
    this.#rows = [[...tokens]];
    this.released = false;
    return this.#frame();
  }

  select(rows: readonly number[]): void {
    this.#rows = rows.map((row) => [...this.#rows[row]!]);
  }

  feed(tokens: readonly (readonly number[])[]): Promise<Frame> {
    const [width = 0] = tokens.map(({ length }) => length);
    if (tokens.length !== this.#rows.length || width < 1 || tokens.some(({ length }) => length !== width))
      throw new RangeError('rows of unequal length');
    this.widths.push(width);
    for (const [row, list] of tokens.entries()) this.#rows[row]!.push(...list);
    if (this.#rows.some(({ length }) => length > this.context)) throw new RangeError('beyond the context');
    return this.#frame();
  }

  release(): void {
    this.#rows = [];
    this.released = true;
  }

  #frame(): Promise<Frame> {
    const rewards = this.#rows.flatMap((row) => {
      const [a = 0, b = 0] = hashedLogits(row);
      return [(a + 3) / 4, b / 4];
    });
    return Promise.resolve({
      rows: this.#rows.length,
      logits: new Float32Array(this.#rows.flatMap((row) => this.#logits(row))),
      rewards: new Float32Array(rewards),
    });
  }
}
