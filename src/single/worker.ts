import { expose } from 'comlink';
import { Engine, type RuntimeFiles } from '../worker/engine.ts';
import { answerFetch } from './answer-fetch.ts';
import { isFilesMessage } from './protocol.ts';

let runtimeFiles: RuntimeFiles | null = null;

function take(event: MessageEvent<unknown>): void {
  if (!isFilesMessage(event.data)) return;
  // It is not for comlink.
  event.stopImmediatePropagation();
  removeEventListener('message', take);
  const { baseUrl, files } = event.data;
  answerFetch(baseUrl, (path) => Promise.resolve(files.get(path) ?? null));
  const blobUrl = (type: 'mjs' | 'wasm', mime: string): string =>
    URL.createObjectURL(
      new Blob([files.get(`ort/ort-wasm-simd-threaded.asyncify.${type}`) ?? ''], { type: mime }),
    );
  runtimeFiles = { mjs: blobUrl('mjs', 'text/javascript'), wasm: blobUrl('wasm', 'application/wasm') };
}

addEventListener('message', take);
expose(
  new Engine(() => {
    if (runtimeFiles === null) throw new Error('The files of this page did not reach its worker.');
    return runtimeFiles;
  }),
);
