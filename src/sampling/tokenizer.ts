/** What the sampler needs of a tokenizer. Pieces are tokenised without special tokens. */
export interface LaneTokenizer {
  encode(text: string): number[];
  /** Text of a sequence of tokens; special tokens give nothing, an unfinished UTF-8 character gives U+FFFD. */
  decode(tokens: readonly number[]): string;
  readonly bos: number | null;
  /** Tokens that end a solution. */
  readonly ends: readonly number[];
  /** The token that is fed to close a line which the model left open. */
  readonly newline: number;
}
