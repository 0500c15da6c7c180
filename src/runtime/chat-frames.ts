import type { PreTrainedTokenizer } from '@huggingface/transformers';
import type { ChatFrames } from '../domain/text-layout.ts';

// Letters only, so that no template escapes or trims them.
const MARKS = ['qaaaq', 'qbbbq', 'qcccq', 'qdddq'] as const;

// Llama's templates state the day, and this one where there is no clock: a run must read the same on any day.
const OPTIONS = { tokenize: false, date_string: '26 Jul 2024' } as const;

/**
 * What a tokenizer's chat template puts around texts, found by rendering conversations of marks; `null` if it has no
 * template, or one that changes or leaves out what was said.
 */
export function chatFrames(tokenizer: Pick<PreTrainedTokenizer, 'apply_chat_template'>): ChatFrames | null {
  const long = around(tokenizer, MARKS);
  // Templates may treat the last answer in another way: thoughts stand before that one only.
  const short = around(tokenizer, MARKS.slice(0, 2));
  if (long === null || short === null) return null;
  const [open = '', reply = '', next = ''] = long;
  const [, answer = '', end = ''] = short;
  return { open, reply, next, answer, end };
}

/** The texts before, between and after marks that person and model say in turn. */
function around(
  tokenizer: Pick<PreTrainedTokenizer, 'apply_chat_template'>,
  marks: readonly string[],
): string[] | null {
  let text: unknown;
  try {
    text = tokenizer.apply_chat_template(
      marks.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content })),
      OPTIONS,
    );
  } catch {
    return null;
  }
  if (typeof text !== 'string') return null;
  const pattern = MARKS.join('|');
  const inOrder = [...text.matchAll(new RegExp(pattern, 'gu'))].map(([mark]) => mark);
  return inOrder.join() === marks.join() ? text.split(new RegExp(pattern, 'u')) : null;
}
