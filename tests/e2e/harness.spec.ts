import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { contentSecurityPolicy } from '../../tools/csp.mjs';
import { startServer } from '../../tools/server.mjs';
import { expect, test } from './fixtures.ts';

test('the backend of the project is there, and only that', async ({ page }, { project }) => {
  await page.goto('./');
  const hasAdapter = await page.evaluate(async () => {
    // Asked for by name: the types of WebGPU are not part of this project.
    const gpu: unknown = Reflect.get(navigator, 'gpu');
    if (typeof gpu !== 'object' || gpu === null || !('requestAdapter' in gpu)) return false;
    const { requestAdapter } = gpu as { requestAdapter: () => Promise<unknown> };
    return Boolean(await requestAdapter.call(gpu));
  });
  expect(hasAdapter).toBe(project.name === 'webgpu');
});

test('requests to another host are blocked and seen, from the page and from a worker', async ({
  page,
  watch,
}, testInfo) => {
  const root = testInfo.outputPath('site');
  await mkdir(root, { recursive: true });
  const ask = (name: string) => `fetch('https://example.test/${name}').catch(() => 'blocked')`;
  await writeFile(path.join(root, 'worker.js'), `${ask('worker')}.then((answer) => postMessage(answer));`);
  await writeFile(path.join(root, 'index.html'), '<!doctype html><title>Two requests</title>');
  const server = await startServer({ root, csp: false });
  try {
    await page.goto(server.url);
    const answers = await page.evaluate(async () => {
      const worker = new Worker('worker.js', { type: 'module' });
      const fromWorker = new Promise((resolve) =>
        worker.addEventListener('message', ({ data }) => resolve(data)),
      );
      const fromPage = fetch('https://example.test/page').catch(() => 'blocked');
      return Promise.all([fromPage, fromWorker]);
    });
    expect(answers).toEqual(['blocked', 'blocked']);
  } finally {
    await server.close();
  }
  expect(watch.foreignRequests.sort()).toEqual(['https://example.test/page', 'https://example.test/worker']);
  // They were meant to happen here.
  watch.foreignRequests.length = 0;
  watch.errors.length = 0;
});

test('the site works from a path of its own', async ({ page }) => {
  const server = await startServer({ root: 'dist', base: '/some/where/' });
  try {
    await page.goto(server.url);
    await expect(page.getByRole('main')).toBeVisible();
    const runtime = await page.evaluate(async () => {
      const response = await fetch('ort/ort-wasm-simd-threaded.asyncify.wasm', { method: 'HEAD' });
      return response.headers.get('content-type');
    });
    expect(runtime).toBe('application/wasm');
  } finally {
    await server.close();
  }
});

test('the page states the policy that the server sends', async ({ page, request, baseURL }) => {
  const response = await request.get(baseURL ?? '');
  expect(response.headers()['content-security-policy']).toBe(contentSecurityPolicy);
  await page.goto('./');
  const meta = page.locator('meta[http-equiv="Content-Security-Policy"]');
  await expect(meta).toHaveAttribute('content', contentSecurityPolicy);
});

test('files that are not there are 404s, not the page', async ({ request }) => {
  for (const file of ['static-models/none/onnx/model.onnx', 'ort/none.wasm', 'none', '.inputs-sha256']) {
    const response = await request.get(file);
    expect(response.status(), file).toBe(404);
    expect(response.headers()['content-type'], file).toContain('text/plain');
  }
});
