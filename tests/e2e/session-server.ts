import type { JSHandle, Page } from '@playwright/test';
import { createServer, type ViteDevServer } from 'vite';
import type { SessionPage } from './session-page/session-page.ts';

/** Serves tests/e2e/session-page from the sources: a session without a page around it is no part of the site. */
export class SessionServer {
  readonly #server: ViteDevServer;

  private constructor(server: ViteDevServer) {
    this.#server = server;
  }

  /** @param headers of every answer */
  static async start(headers: Record<string, string> = {}): Promise<SessionServer> {
    const server = await createServer({
      logLevel: 'error',
      cacheDir: 'test-results/session-page',
      server: { port: 0, hmr: false, watch: null, headers },
    });
    await server.listen();
    return new SessionServer(server);
  }

  /** A session that has loaded nothing yet. */
  async open(page: Page): Promise<JSHandle<SessionPage>> {
    await page.goto(`${this.#server.resolvedUrls?.local[0] ?? ''}tests/e2e/session-page/index.html`);
    await page.waitForFunction('"sessionPage" in window', null, { timeout: 120_000 });
    return page.evaluateHandle(() => Reflect.get(window, 'sessionPage') as SessionPage);
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}
