import type { PreTrainedTokenizer } from '@huggingface/transformers';
import type { ChatFrames } from '../domain/text-layout.ts';

// Letters only, so that no template escapes or trims them.
const MARKS = ['qaaaq', 'qbbbq', 'qcccq', 'qdddq'] as const;

// Llama's templates state the day, and this one where there is no clock: a run must read the same on any day.
const OPTIONS = { tokenize: false, date_string: '26 Jul 2024' } as const;

/**
 * What a tokenizer's chat template puts around texts, found by rendering a conversation of marks; `null` if it has no
 * template, or one that changes or leaves out what was said.
 */
export function chatFrames(tokenizer: Pick<PreTrainedTokenizer, 'apply_chat_template'>): ChatFrames | null {
  const roles = ['user', 'assistant', 'user', 'assistant'] as const;
  let text: unknown;
  try {
    text = tokenizer.apply_chat_template(
      MARKS.map((content, i) => ({ role: roles[i]!, content })),
      OPTIONS,
    );
  } catch {
    return null;
  }
  return typeof text === 'string' ? splitAtMarks(text) : null;
}

function splitAtMarks(text: string): ChatFrames | null {
  const parts = text.split(new RegExp(MARKS.join('|'), 'u'));
  const inOrder = [...text.matchAll(new RegExp(MARKS.join('|'), 'gu'))].map(([mark]) => mark);
  if (inOrder.join() !== MARKS.join()) return null;
  const [open = '', reply = '', next = '', , end = ''] = parts;
  return { open, reply, next, end };
}
