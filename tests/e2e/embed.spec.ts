import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { startServer, type RunningServer } from '../../tools/server.mjs';
import { expect, test } from './fixtures.ts';
import { TYPED } from './playground.ts';

/** The demonstration post on a host of its own, with its frames pointing at the site. */
async function servePost(
  site: string,
  change: (html: string) => string = (html) => html,
): Promise<RunningServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'steplight-post-'));
  const html = await readFile('public/blog/index.html', 'utf8');
  await writeFile(path.join(folder, 'index.html'), change(html.replaceAll('../embed', `${site}embed`)));
  await writeFile(path.join(folder, 'blog.css'), await readFile('public/blog/blog.css'));
  const server = await startServer({ root: folder, csp: false });
  return {
    ...server,
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

const frameAt = (page: Page, index: number) =>
  page.locator('iframe[data-steplight]').nth(index).contentFrame();

test('two frames in a post on another host: posters first, then a typed problem runs in one', async ({
  page,
  baseURL,
}) => {
  const post = await servePost(baseURL!);
  try {
    const loaded = new Map<string, number>();
    page.on('response', (response) => {
      if (!response.url().startsWith(baseURL!)) return;
      void response
        .body()
        .then((body) => loaded.set(response.url(), gzipSync(body).length))
        .catch(() => undefined);
    });
    await page.goto(post.url);
    const first = frameAt(page, 0);
    await expect(first.getByText('Recorded run', { exact: false })).toBeVisible();
    await expect(first.getByText('PRM best-of-N')).toBeVisible();
    await page.waitForLoadState('networkidle');
    const files = [...loaded].filter(([url]) => !/bags|embed-host|icon/.test(url));
    const bytes = files.reduce((sum, [, size]) => sum + size, 0);
    expect(files.length).toBeGreaterThan(3);
    expect(bytes, `a poster weighs ${bytes} bytes (gzip)`).toBeLessThanOrEqual(60_000);
    expect([...loaded.keys()].filter((url) => /\.onnx|ort-wasm|manifest/.test(url))).toEqual([]);

    // The script makes the frame as tall as its content.
    const box = await page.locator('iframe').first().boundingBox();
    const content = await first
      .locator('#embed')
      .evaluate((element) => element.getBoundingClientRect().height);
    expect(Math.abs(box!.height - content)).toBeLessThan(4);

    await page.locator('iframe').nth(1).scrollIntoViewIfNeeded();
    const second = frameAt(page, 1);
    await second.getByRole('button', { name: 'Try it here' }).click();
    await expect(second.getByRole('heading', { name: 'Lanes' })).toBeVisible();
    await expect(second.getByRole('textbox', { name: 'Problem', exact: true })).toBeHidden();
    await expect(second.locator('html')).toHaveAttribute('data-theme', 'dark');

    await first.getByRole('button', { name: 'Try it here' }).click();
    await first.getByRole('textbox', { name: 'Problem', exact: true }).fill(TYPED);
    await first.getByRole('textbox', { name: 'Solutions (N)' }).fill('2');
    await first.getByRole('button', { name: /^Run\b/ }).click();
    await expect(first.getByText('Live', { exact: true })).toBeVisible({ timeout: 120_000 });
    await expect(first.getByRole('list', { name: 'Lanes', exact: true }).getByRole('article')).toHaveCount(2);
  } finally {
    await post.close();
  }
});

test('a frame works in a sandbox, and a message from a stranger changes no height', async ({
  page,
  baseURL,
}) => {
  const post = await servePost(baseURL!, (html) =>
    html.replaceAll('data-steplight', 'data-steplight sandbox="allow-scripts allow-same-origin"'),
  );
  try {
    await page.goto(post.url);
    const first = frameAt(page, 0);
    await expect(first.getByText('Recorded run', { exact: false })).toBeVisible();
    const height = async () => (await page.locator('iframe').first().boundingBox())!.height;
    await expect.poll(height).not.toBe(640);
    const before = await height();
    await page.evaluate(() => window.postMessage({ type: 'steplight:height', height: 5000 }, '*'));
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
    expect(await height()).toBe(before);
    await first.getByRole('button', { name: 'Try it here' }).click();
    await expect(first.getByRole('heading', { name: 'Lanes' })).toBeVisible();
  } finally {
    await post.close();
  }
});

test('a frame with a hostile hash says what is wrong and still opens the playground', async ({ page }) => {
  await page.goto('embed.html#run=AAAA&hide=%3Cscript%3E,lanes&theme=url(x)');
  await expect(page.getByRole('alert')).toContainText('The run in this link is damaged');
  await page.getByRole('button', { name: 'Try it here' }).click();
  await expect(page.getByRole('textbox', { name: 'Problem', exact: true })).toBeVisible();
});
