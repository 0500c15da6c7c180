import type { LaneTokenizer } from './tokenizer.ts';

/** What one more token did to the line being written. */
export interface LineChange {
  /** Text to append to what is shown of the line. */
  readonly appended: string;
  /** The whole line, without its newline, if this token ended it. */
  readonly finished: string | null;
}

/**
 * Turns the tokens of one lane into lines. Characters whose bytes are spread over several tokens are held back until
 * they are whole. Text that follows a newline within the same token is dropped: the models that we train never make
 * such tokens, and a step must end where its reward is read.
 */
export class LineWriter {
  #tokens: number[] = [];
  #shown = '';
  readonly #tokenizer: LaneTokenizer;

  constructor(tokenizer: LaneTokenizer) {
    this.#tokenizer = tokenizer;
  }

  /** Number of tokens of the line so far. */
  get length(): number {
    return this.#tokens.length;
  }

  /** What is shown of the line. */
  get shown(): string {
    return this.#shown;
  }

  write(token: number): LineChange {
    this.#tokens.push(token);
    const text = this.#tokenizer.decode(this.#tokens);
    const newline = text.indexOf('\n');
    if (newline >= 0) return this.#finish(text.slice(0, newline));
    let whole = text.length;
    while (whole > 0 && text[whole - 1] === '\uFFFD') whole--;
    const appended = text.slice(this.#shown.length, whole);
    this.#shown += appended;
    return { appended, finished: null };
  }

  /** Ends the line although the model wrote no newline. */
  close(): LineChange {
    return this.#finish(this.#tokenizer.decode(this.#tokens));
  }

  #finish(line: string): LineChange {
    const appended = line.slice(this.#shown.length);
    this.#tokens = [];
    this.#shown = '';
    return { appended, finished: line };
  }
}
