/** What a chat template puts around the texts of a conversation. */
export interface ChatFrames {
  /** Before the first question, a default system message and the begin-of-text token included. */
  readonly open: string;
  /** Between a question and its answer. */
  readonly reply: string;
  /** Between an answer and the next question. */
  readonly next: string;
  /** Between the only question and its answer, where a template treats the last answer in another way. */
  readonly answer: string;
  /** After the last answer. */
  readonly end: string;
}

/** What laying out a model's input needs of its tokenizer. */
export interface LayoutTokenizer {
  /** Token ids of a text; special tokens in it are read as such, and none is added. */
  encode(text: string): number[];
  /** A text from outside in which nothing is read as a special token. */
  neutralise(text: string): string;
  /** Text of the begin-of-text token, empty if there is none. */
  readonly bosText: string;
  /** `null` if the tokenizer has no chat template. */
  readonly chat: ChatFrames | null;
}

/** Texts that stand in a layout for their names. */
export interface LayoutTexts {
  readonly problem: string;
  readonly step?: string;
  /** Number of the step, from 1. */
  readonly number?: number;
}

/**
 * Fills in a piece of a layout: `{problem}`, `{problem:line}` (on one line), `{step}`, `{number}`, `{bos}`, and of the
 * tokenizer's chat template `{chat:open}`, `{chat:reply}`, `{chat:next}`, `{chat:answer}` and `{chat:end}` (see
 * `ChatFrames`).
 *
 * @throws RangeError if the piece needs a chat template that the tokenizer has not
 */
export function fillPiece(piece: string, tokenizer: LayoutTokenizer, texts: LayoutTexts): string {
  return piece.replace(
    /\{(problem(?::line)?|step|number|bos|chat:(?:open|reply|next|answer|end))\}/gu,
    (_, name: string): string => {
      switch (name) {
        case 'problem':
          return tokenizer.neutralise(texts.problem.trim());
        case 'problem:line':
          return tokenizer.neutralise(texts.problem.replace(/\s+/gu, ' ').trim());
        case 'step':
          return tokenizer.neutralise(texts.step ?? '');
        case 'number':
          return String(texts.number ?? '');
        case 'bos':
          return tokenizer.bosText;
        default:
          return frameOf(tokenizer, name.slice('chat:'.length) as keyof ChatFrames);
      }
    },
  );
}

function frameOf({ chat }: LayoutTokenizer, name: keyof ChatFrames): string {
  if (chat === null)
    throw new RangeError('This model reads a conversation, but its tokenizer has no chat template.');
  return chat[name];
}
