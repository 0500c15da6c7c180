import { Session } from '../session/session.svelte.ts';
import { spawnWorker } from '../session/spawn-worker.ts';
import App from '../ui/App.svelte';

/** The playground with a session of its own: fetched when somebody clicks, and no model with it. */
export function openPlayground(): { App: typeof App; session: Session } {
  const session = new Session(new URL('./', document.baseURI).href, spawnWorker);
  void session.describe();
  return { App, session };
}
