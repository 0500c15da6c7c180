import { Session } from '../session/session.svelte.ts';
import App from '../ui/App.svelte';

/** The playground with a session of its own: fetched when somebody clicks, and no model with it. */
export function openPlayground(): { App: typeof App; session: Session } {
  const session = new Session(new URL('./', document.baseURI).href);
  void session.describe();
  return { App, session };
}
