import type { Page, Route } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { PlaygroundPage, TYPED, forgive } from './playground.ts';

// Requests of a service worker would pass by the routes below.
test.use({ serviceWorkers: 'block' });

type Spoil = (route: Route) => Promise<void>;

const missing: Spoil = (route) => route.fulfill({ status: 404, body: '404 Not found' });
const unreachable: Spoil = (route) => route.abort('connectionrefused');

/** The file as it is, changed on the way. */
const changed =
  (change: (body: Buffer) => Buffer | string): Spoil =>
  async (route) => {
    const response = await route.fetch();
    const body = change(await response.body());
    // Not the headers of the original: its length is another.
    await route.fulfill({ status: 200, contentType: response.headers()['content-type'] ?? '', body });
  };

const truncated = changed((body) => body.subarray(0, Math.floor(body.length / 2)));
const altered = changed((body) => {
  const copy = Buffer.from(body);
  copy[copy.length >> 1] = copy[copy.length >> 1]! ^ 1;
  return copy;
});
const longer = changed((body) => Buffer.concat([body, Buffer.from('x')]));

const GRAPH = '**/static-models/**/*.onnx';
const TOKENIZER = '**/static-models/**/tokenizer.json';
const MANIFEST = '**/static-models/manifest.json';

/** What to do must be said: one of these, beside what is wrong. */
const ADVICE = /reload|try again|build it again|built again|built|fetch it again/i;

const cases: readonly { name: string; url: string; spoil: Spoil; says: RegExp }[] = [
  { name: 'a missing graph', url: GRAPH, spoil: missing, says: /\.onnx is missing.*404/ },
  {
    name: 'a truncated graph',
    url: GRAPH,
    spoil: truncated,
    says: /\.onnx is damaged: [\d,]+ of [\d,]+ bytes/,
  },
  { name: 'an altered graph', url: GRAPH, spoil: altered, says: /\.onnx is damaged: it does not match/ },
  { name: 'a graph that is too long', url: GRAPH, spoil: longer, says: /\.onnx is damaged/ },
  { name: 'a graph out of reach', url: GRAPH, spoil: unreachable, says: /\.onnx could not be fetched/ },
  { name: 'a missing tokenizer', url: TOKENIZER, spoil: missing, says: /tokenizer\.json is missing/ },
  { name: 'a truncated tokenizer', url: TOKENIZER, spoil: truncated, says: /tokenizer\.json is damaged/ },
  {
    name: 'a model list with a wrong sha256',
    url: MANIFEST,
    spoil: changed((body) => body.toString().replace(/"sha256": *"[0-9a-f]{8}/g, '"sha256": "00000000')),
    says: /is damaged: it does not match the model list/,
  },
  { name: 'a missing model list', url: MANIFEST, spoil: missing, says: /model list|list of bundled models/ },
  {
    name: 'a truncated model list',
    url: MANIFEST,
    spoil: truncated,
    says: /model list|list of bundled models/,
  },
  {
    name: 'a model list of a later version',
    url: MANIFEST,
    spoil: changed((body) => body.toString().replace(/"schemaVersion": *1/, '"schemaVersion": 2')),
    says: /version 2/,
  },
  {
    name: 'a model list that names another host',
    url: MANIFEST,
    spoil: changed((body) => body.toString().replaceAll('"pocket/', '"https://example.test/pocket/')),
    says: /model list.*not a plain relative path/,
  },
];

async function expectKept(playground: PlaygroundPage): Promise<void> {
  await expect(playground.problem).toHaveValue(TYPED);
  await expect(playground.answer).toHaveValue('30');
  await expect(playground.field('Solutions (N)')).toHaveValue('3');
  await expect(playground.field('Seed')).toHaveValue('41');
}

async function openTyped(page: Page): Promise<PlaygroundPage> {
  const playground = new PlaygroundPage(page);
  await playground.open();
  await playground.type(TYPED, { n: 3, seed: 41, answer: '30' });
  return playground;
}

for (const { name, url, spoil, says } of cases) {
  test(`${name} is said with what to do, and a retry works once it is mended`, async ({ page, watch }) => {
    await page.route(url, spoil);
    const playground = await openTyped(page);
    await playground.runButton.click();
    await expect(playground.fault).toContainText(says);
    expect(await playground.faultText()).toMatch(ADVICE);
    await expect(playground.runButton).toBeEnabled();
    await expectKept(playground);
    expect(await playground.countOf('started')).toBe(0);
    // Refused files are errors on the console too.
    forgive(watch, /static-models/);

    await page.unroute(url);
    const run = await playground.run();
    expect(run.status.kind).toBe('complete');
    await expect(playground.fault).toHaveCount(0);
    await expectKept(playground);
  });
}

test('a damaged entry of the cache is fetched again', async ({ page }) => {
  const playground = await openTyped(page);
  const first = await playground.run();
  const spoilt = await page.evaluate(async () => {
    let count = 0;
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        await cache.put(request, new Response(new Uint8Array([1, 2, 3])));
        count++;
      }
    }
    return count;
  });
  expect(spoilt).toBeGreaterThan(0);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const again = await openTyped(page);
  expect((await again.run()).solutions).toEqual(first.solutions);
  expect(asked.filter((url) => url.endsWith('.onnx'))).toHaveLength(1);
});

test('a second visit loads the models from the cache', async ({ page }) => {
  const playground = await openTyped(page);
  await playground.run();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const again = await openTyped(page);
  await again.run();
  expect(asked.filter((url) => url.endsWith('.onnx'))).toEqual([]);
});

test('without storage the models load from the network', async ({ page, watch }) => {
  // What a browser does that denies storage, in the page; the worker has its own copy of the interface.
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('denied', 'SecurityError');
      },
    });
  });
  const playground = await openTyped(page);
  expect((await playground.run()).status.kind).toBe('complete');
  expect(watch.errors).toEqual([]);
});
