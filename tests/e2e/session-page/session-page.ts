/** The product's session with its real worker, without the page around it: tests call it by name. */
import type { Run } from '../../../src/domain/run.ts';
import { DEFAULT_SETTINGS, type RunSettings } from '../../../src/domain/settings.ts';
import { spawnWorker } from '../../../src/session/spawn-worker.ts';
import { Session } from '../../../src/session/session.svelte.ts';

const session = new Session(new URL('/', location.href).href, spawnWorker);

const begin = (text: string, settings: Partial<RunSettings>): Promise<void> =>
  session.start({ text, answer: null }, { ...DEFAULT_SETTINGS, ...settings }, 'wasm');

async function start(text: string, settings: Partial<RunSettings>): Promise<Run | null> {
  await begin(text, settings);
  return session.run;
}

/** Starts a run and stops it in one of two ways as soon as it has that many steps. */
async function startAndStop(
  text: string,
  settings: Partial<RunSettings>,
  steps: number,
  how: 'cancel' | 'dispose',
): Promise<Run | null> {
  session.run = null;
  const timer = setInterval(() => {
    const written = session.run?.solutions.reduce((sum, solution) => sum + solution.steps.length, 0) ?? 0;
    if (written < steps) return;
    clearInterval(timer);
    session[how]();
  }, 2);
  await begin(text, settings);
  clearInterval(timer);
  return session.run;
}

const api = { session, start, startAndStop };
export type SessionPage = typeof api;
Object.assign(window, { sessionPage: api });
