import { readFileSync } from 'node:fs';
import type * as Transformers from '@huggingface/transformers';

// The library's entry for Node asks for native image and runtime packages that are not installed.
const web = new URL(
  '../../../node_modules/@huggingface/transformers/dist/transformers.web.js',
  import.meta.url,
);

const readJson = (name: string): Record<string, unknown> =>
  JSON.parse(
    readFileSync(new URL(`../../../static-models/pocket/${name}`, import.meta.url), 'utf8'),
  ) as Record<string, unknown>;

/** The pocket models' tokenizer by the library that the site uses, with a chat template if one is given. */
export async function pocketTokenizer(chatTemplate?: string): Promise<Transformers.PreTrainedTokenizer> {
  const library = (await import(web.href)) as typeof Transformers;
  return new library.PreTrainedTokenizer(readJson('tokenizer.json'), {
    ...readJson('tokenizer_config.json'),
    ...(chatTemplate === undefined ? {} : { chat_template: chatTemplate }),
  });
}
