import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
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

test('storage that is full is said, and what to do', async ({ page }) => {
  const server = await startServer({ root: path.resolve('dist') });
  try {
    await page.addInitScript(() => {
      Cache.prototype.put = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
    });
    await new PlaygroundPage(page).open(server.url);
    await page.getByRole('button', { name: 'Make available offline' }).click();
    await expect(page.getByText(/the browser did not keep .*Free some space on the disk/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Make available offline' })).toBeEnabled();
  } finally {
    await server.close();
  }
});

test('a new version of the site takes over at the next visit, and the old one is deleted', async ({
  page,
}) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'steplight-site-'));
  // No models: nothing runs here.
  await cp('dist', folder, { recursive: true, filter: (file) => !/\.(?:onnx|wasm|br|gz)$/.test(file) });
  const server = await startServer({ root: folder });
  try {
    await new PlaygroundPage(page).open(server.url);
    const shells = (): Promise<string[]> =>
      page.evaluate(async () =>
        (await caches.keys()).filter((name) => name.startsWith('steplight-shell-')).sort(),
      );
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    const [before = ''] = await shells();
    const version = before.slice('steplight-shell-'.length);
    expect(version).toMatch(/^[0-9a-f]{16}$/);

    const later = version.replace(/./g, '0');
    const script = path.join(folder, 'sw.js');
    await writeFile(script, (await readFile(script, 'utf8')).replaceAll(version, later));
    const index = path.join(folder, 'index.html');
    await writeFile(index, (await readFile(index, 'utf8')).replace('<title>', '<title>New: '));
    // The page is new at once; its worker takes over when no page of the old one is open.
    await page.goto(server.url);
    await expect(page).toHaveTitle(/^New: /);
    await expect
      .poll(() =>
        page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state ?? ''),
      )
      .toBe('installed');
    expect(await shells()).toEqual([`steplight-shell-${later}`, before].sort());
    await page.goto('about:blank');
    await page.goto(server.url);
    await expect.poll(shells).toEqual([`steplight-shell-${later}`]);
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
});
