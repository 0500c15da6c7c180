import path from 'node:path';
import { startServer } from '../../tools/server.mjs';
import { expect, test } from './fixtures.ts';
import { forgive, PlaygroundPage, TYPED } from './playground.ts';

test('made available offline, the page runs a typed problem when the server is gone', async ({
  page,
  watch,
}) => {
  const server = await startServer({ root: path.resolve('dist') });
  let running = true;
  try {
    const playground = new PlaygroundPage(page);
    await playground.open(server.url);
    await page.getByRole('button', { name: 'Make available offline' }).click();
    await expect(page.getByText(/^Ready: this page now runs without a network/)).toBeVisible({
      timeout: 120_000,
    });
    const kept = await page.evaluate(() => caches.keys());
    expect(kept.some((name) => name.startsWith('steplight-shell-'))).toBe(true);
    await server.close();
    running = false;

    await page.reload();
    await expect(page.getByText('Recorded', { exact: true })).toBeVisible();
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
      [`${server.url}static-models/pocket/other.json`].join(''),
    );
    expect(missing).toBe('failed');
    forgive(watch, /ERR_CONNECTION_REFUSED|Failed to load resource|FetchEvent/);
  } finally {
    if (running) await server.close();
  }
});
