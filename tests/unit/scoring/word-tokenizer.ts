import type { ChatFrames, LayoutTokenizer } from '../../../src/domain/text-layout.ts';
import { neutralise } from '../../../src/runtime/neutralise.ts';

/** ChatML with a default system message, as Qwen's models have it. */
export const CHATML: ChatFrames = {
  open: '<|im_start|>system\nBe right.<|im_end|>\n<|im_start|>user\n',
  reply: '<|im_end|>\n<|im_start|>assistant\n',
  next: '<|im_end|>\n<|im_start|>user\n',
  answer: '<|im_end|>\n<|im_start|>assistant\n',
  end: '<|im_end|>\n',
};

/** As Llama 3 has it: begin-of-text is part of what opens a conversation. */
export const LLAMA: ChatFrames = {
  open: '<s><|user|>\n\n',
  reply: '<|eot|><|assistant|>\n\n',
  next: '<|eot|><|user|>\n\n',
  answer: '<|eot|><|assistant|>\n\n',
  end: '<|eot|>',
};

export interface WordTokenizer extends LayoutTokenizer {
  /** Texts of tokens, to be compared with what was derived by hand. */
  words(tokens: readonly number[]): string[];
}

/**
 * A tokenizer that takes the longest word of its vocabulary at each place. Words in angle brackets are special tokens.
 *
 * @throws RangeError where no word fits
 */
export function wordTokenizer(
  vocabulary: readonly string[],
  { bos = '', chat = null }: { readonly bos?: string; readonly chat?: ChatFrames | null } = {},
): WordTokenizer {
  const special = vocabulary.filter((word) => /^<.+>$/u.test(word));
  const byLength = [...vocabulary].sort((a, b) => b.length - a.length);
  return {
    encode: (text) => {
      const tokens: number[] = [];
      for (let at = 0; at < text.length;) {
        const word = byLength.find((each) => text.startsWith(each, at));
        if (word === undefined) throw new RangeError(`no word for "${text.slice(at, at + 20)}"`);
        tokens.push(vocabulary.indexOf(word));
        at += word.length;
      }
      return tokens;
    },
    neutralise: (text) => neutralise(text, special),
    bosText: bos,
    chat,
    words: (tokens) => tokens.map((token) => vocabulary[token] ?? `?${token}`),
  };
}
