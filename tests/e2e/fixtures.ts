import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type BrowserContext, type Page } from '@playwright/test';

export { expect };

/** What a page did that it must not do. A test that provokes something on purpose takes it out of these lists. */
export interface Watch {
  /** Requests to another host; each was blocked. */
  readonly foreignRequests: string[];
  /** Errors on the console, and uncaught ones. */
  readonly errors: string[];
}

interface Fixtures {
  /** Filled while the test runs; both lists must be empty at its end. */
  watch: Watch;
  /** Expects no accessibility violation on the page as it is now. */
  expectAccessible: (page: Page) => Promise<void>;
}

const isOwn = (url: URL): boolean =>
  !/^(https?|wss?):$/.test(url.protocol) || ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);

/**
 * Blocks and records what leaves this machine, from pages and from their workers, and records errors.
 *
 * @param isAllowed for addresses elsewhere that a test answers itself
 */
export async function watchContext(
  context: BrowserContext,
  isAllowed: (url: string) => boolean = () => false,
): Promise<Watch> {
  const watch: Watch = { foreignRequests: [], errors: [] };
  await context.route(
    (url) => !isOwn(url) && !isAllowed(url.href),
    (route) => route.abort('blockedbyclient'),
  );
  context.on('request', (request) => {
    if (!isOwn(new URL(request.url())) && !isAllowed(request.url()))
      watch.foreignRequests.push(request.url());
  });
  context.on('console', (message) => {
    if (message.type() === 'error') watch.errors.push(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => watch.errors.push(String(error.error())));
  return watch;
}

export const test = base.extend<Fixtures>({
  watch: [
    async ({ context }, use) => {
      const watch = await watchContext(context);
      await use(watch);
      expect(watch.foreignRequests, 'requests to another host').toEqual([]);
      expect(watch.errors, 'errors on the console').toEqual([]);
    },
    { auto: true },
  ],
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names from this pattern.
  expectAccessible: async ({}, use) => {
    await use(async (page) => {
      const { violations } = await new AxeBuilder({ page }).analyze();
      const summary = violations.map(({ id, impact, help, nodes }) => ({
        id,
        impact,
        help,
        where: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`),
      }));
      expect(summary, 'accessibility violations').toEqual([]);
    });
  },
});
