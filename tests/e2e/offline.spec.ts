import path from 'node:path';
import { startServer } from '../../tools/server.mjs';
import { expect, test } from './fixtures.ts';
import { forgive, PlaygroundPage, TYPED } from './playground.ts';

const READY = /^Ready: this page now runs without a network/;

test('made available offline, the page runs a typed problem when the server is gone', async ({
  page,
  watch,
}) => {
  const server = await startServer({ root: path.resolve('dist') });
  let running = true;
  try {
    const playground = new PlaygroundPage(page);
    await playground.open(server.url);
    const button = page.getByRole('button', { name: 'Make available offline' });
    // The size is known before a byte is fetched.
    await expect(button).toHaveText(/\(\d\d\.\d MB\)/);
    await button.click();
    await page.getByRole('button', { name: 'Stop storing' }).click();
    await expect(page.getByText(/^Stopped\. What has come is kept/)).toBeVisible();
    await button.click();
    await expect(page.getByText(READY)).toBeVisible({ timeout: 120_000 });

    // Everything under its own name and sha256, and nothing of a page in a model's place.
    const kept = await page.evaluate(async () => {
      const cache = await caches.open('steplight-models');
      const entries = await Promise.all(
        (await cache.keys()).map(async ({ url }) => {
          const response = await cache.match(url);
          return [url, response?.headers.get('content-type') ?? ''] as const;
        }),
      );
      return { entries, names: await caches.keys() };
    });
    expect(kept.names.filter((name) => name.startsWith('steplight-shell-'))).toHaveLength(1);
    expect(kept.entries.every(([url]) => /\?sha256=[0-9a-f]{64}$/.test(url))).toBe(true);
    expect(kept.entries.filter(([url]) => url.includes('.onnx'))).toHaveLength(2);
    expect(kept.entries.find(([url]) => url.includes('.wasm'))?.[1]).toBe('application/wasm');
    expect(kept.entries.some(([, type]) => type.includes('html'))).toBe(false);
    await server.close();
    running = false;

    await page.reload();
    await expect(page.getByText('Recorded', { exact: true })).toBeVisible();
    await expect(page.getByText(READY)).toBeVisible();
    await playground.type(TYPED, { n: 2, answer: '30' });
    const run = await playground.run();
    expect(run.status).toEqual({ kind: 'complete' });
    await page.goto(`${server.url}#recorded=books`);
    await expect(page.getByText('Recorded', { exact: true })).toBeVisible();
    // What was never stored is an error, not another file in its place.
    const missing = await page.evaluate(
      async (url) =>
        fetch(url).then(
          ({ status }) => status,
          () => 'failed',
        ),
      `${server.url}static-models/pocket/other.json`,
    );
    expect(missing).toBe('failed');
    forgive(watch, /ERR_CONNECTION_REFUSED|Failed to load resource|FetchEvent/);
  } finally {
    if (running) await server.close();
  }
});
