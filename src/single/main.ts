import { mount } from 'svelte';
import { Session } from '../session/session.svelte.ts';
import App from '../ui/App.svelte';
import '../ui/styles/tokens.css';
import '../ui/styles/base.css';
import { answerFetch } from './answer-fetch.ts';
import { inlinedPaths, readInlined } from './inlined-files.ts';
import type { FilesMessage } from './protocol.ts';
import EngineWorker from './worker.ts?worker&inline';

const baseUrl = new URL('./', document.baseURI).href;
answerFetch(baseUrl, readInlined);

/** A worker cannot read the page: what it may need goes with the first message, unpacked while it starts. */
function spawnWorker(): Worker {
  const worker = new EngineWorker();
  const ready = sendFiles(worker);
  // Messages of the session wait until the files have gone.
  const post = worker.postMessage.bind(worker);
  worker.postMessage = (...message: unknown[]) =>
    void ready.then(() => post(...(message as Parameters<typeof post>)));
  return worker;
}

async function sendFiles(worker: Worker): Promise<void> {
  const post = worker.postMessage.bind(worker);
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const path of inlinedPaths().filter((each) => /^(ort|static-models)\//.test(each))) {
    const content = await readInlined(path);
    if (content !== null) files.set(path, content);
  }
  const message: FilesMessage = { kind: 'inlined-files', baseUrl, files };
  post(
    message,
    [...files.values()].map(({ buffer }) => buffer),
  );
}

const session = new Session(baseUrl, spawnWorker);
void session.describe();

const target = document.querySelector('#app');
if (target === null) throw new Error('The page has no place for the app.');
mount(App, { target, props: { session } });
