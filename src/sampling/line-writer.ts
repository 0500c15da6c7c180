import type { StepRule } from '../domain/model-choice.ts';
import { findStepEnd, type StepEnd } from './step-end.ts';
import type { LaneTokenizer } from './tokenizer.ts';

/** What one more token did to the step being written, which is one line or, by another rule, a few. */
export interface LineChange {
  /** Text to append to what is shown of the step. */
  readonly appended: string;
  /** The whole step on one line, if this token ended it. */
  readonly finished: string | null;
  /** What the model wrote for a finished step, where that is more than its line. */
  readonly raw?: string;
}

/** What is known of the beginning of a step. */
interface Settled {
  readonly text: string;
  /** Tokens from here on are decoded; up to `count` they give `anchor`, with which `text` ends. */
  readonly from: number;
  readonly anchor: string;
  readonly count: number;
}

const NOTHING_SETTLED: Settled = { text: '', from: 0, anchor: '', count: 0 };

/** Tokens after which the text is settled: a model may think for thousands of them within one step. */
const SETTLE_EVERY = 64;

/** Tokens that are decoded again with those that follow, since they decide how these are written. */
const ANCHOR = 8;

/**
 * Turns the tokens of one lane into steps. Characters whose bytes are spread over several tokens are held back until
 * they are whole. Text that follows a step's end within the same token is dropped: the models that we train never make
 * such tokens, the vocabularies of others hold newlines apart from words, and a step must end where its reward is read.
 */
export class LineWriter {
  #tokens: number[] = [];
  #shown = '';
  /** Text of the first tokens of a long step, which is not decoded again. */
  #settled: Settled = NOTHING_SETTLED;
  readonly #tokenizer: LaneTokenizer;
  readonly #rule: StepRule;

  constructor(tokenizer: LaneTokenizer, rule: StepRule) {
    this.#tokenizer = tokenizer;
    this.#rule = rule;
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
    const text = this.#decode();
    const end = findStepEnd(text, this.#rule, false, this.#shown.length);
    if (end !== null) return this.#finish(text, end);
    let whole = text.length;
    while (whole > 0 && text[whole - 1] === '\uFFFD') whole--;
    const appended = text.slice(this.#shown.length, whole);
    this.#shown += appended;
    return { appended, finished: null };
  }

  /** Ends the step although the model wrote no end. */
  close(): LineChange {
    const text = this.#decode();
    return this.#finish(text, findStepEnd(text, this.#rule, true)!);
  }

  /** The text so far. */
  #decode(): string {
    const { text, from, anchor, count } = this.#settled;
    const recent = this.#tokenizer.decode(this.#tokens.slice(from));
    // A tokenizer may write a beginning in another way when more follows.
    const whole = recent.startsWith(anchor)
      ? text + recent.slice(anchor.length)
      : this.#tokenizer.decode(this.#tokens);
    if (this.#tokens.length - count >= SETTLE_EVERY && !whole.endsWith('\uFFFD')) {
      const start = this.#tokens.length - ANCHOR;
      this.#settled = {
        text: whole,
        from: start,
        anchor: this.#tokenizer.decode(this.#tokens.slice(start)),
        count: this.#tokens.length,
      };
    }
    return whole;
  }

  #finish(text: string, { text: line, length }: StepEnd): LineChange {
    const appended = text.slice(this.#shown.length, length);
    this.#tokens = [];
    this.#shown = '';
    this.#settled = NOTHING_SETTLED;
    const raw = text.slice(0, length).replace(/\n$/u, '');
    return { appended, finished: line, ...(raw === line ? {} : { raw }) };
  }
}
