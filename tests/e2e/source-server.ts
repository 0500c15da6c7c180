import type { JSHandle, Page } from '@playwright/test';
import { createServer, type ViteDevServer } from 'vite';
import type { GpuPage } from './gpu-page/gpu-page.ts';
import type { SessionPage } from './session-page/session-page.ts';

/** Serves pages of the tests' own from the sources: parts of the product alone are no part of the site. */
export class SourceServer {
  readonly #server: ViteDevServer;

  private constructor(server: ViteDevServer) {
    this.#server = server;
  }

  /** @param headers of every answer */
  static async start(headers: Record<string, string> = {}): Promise<SourceServer> {
    const server = await createServer({
      logLevel: 'error',
      cacheDir: 'test-results/source-server',
      server: { port: 0, hmr: false, watch: null, headers },
    });
    await server.listen();
    return new SourceServer(server);
  }

  /** A session that has loaded nothing yet. */
  openSession(page: Page): Promise<JSHandle<SessionPage>> {
    return this.#open<SessionPage>(page, 'session-page', 'sessionPage');
  }

  /** What runs on the GPU itself. */
  openGpu(page: Page): Promise<JSHandle<GpuPage>> {
    return this.#open<GpuPage>(page, 'gpu-page', 'gpuPage');
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async #open<Api extends object>(page: Page, folder: string, name: string): Promise<JSHandle<Api>> {
    await page.goto(`${this.#server.resolvedUrls?.local[0] ?? ''}tests/e2e/${folder}/index.html`);
    await page.waitForFunction(`${JSON.stringify(name)} in window`, null, { timeout: 120_000 });
    return page.evaluateHandle((global) => Reflect.get(window, global) as Api, name);
  }
}
