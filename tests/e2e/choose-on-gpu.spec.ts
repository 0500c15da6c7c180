import type { JSHandle } from '@playwright/test';
import type { TokenFilter } from '../../src/domain/token-choice.ts';
import { expect, test } from './fixtures.ts';
import type { Compared, GpuPage, Rows } from './gpu-page/gpu-page.ts';
import { SourceServer } from './source-server.ts';

let server: SourceServer;
test.beforeAll(async () => {
  server = await SourceServer.start();
});
test.afterAll(() => server.close());

let gpu: JSHandle<GpuPage>;
test.beforeEach(async ({ page }) => {
  gpu = await server.openGpu(page);
});

const PLAIN: TokenFilter = { temperature: 1, topK: 0, topP: 1, minP: 0 };

const compare = (
  rows: Rows,
  filter: TokenFilter,
  draws: number,
  half = false,
): Promise<readonly Compared[]> =>
  gpu.evaluate((api, [r, f, d, h]) => api.compare(r, f, d, h), [rows, filter, draws, half] as const);

/** All choices are the processor's, but for a few that rounding moved to what is drawn right beside. */
function expectSame(list: readonly Compared[]): void {
  const other = list.filter(({ gpu: { token }, processor }) => token !== processor.token);
  const wrong = other.filter(
    ({ gpu: { token }, near, probability }) => !near.includes(token) && probability > 4e-6,
  );
  expect(wrong).toEqual([]);
  expect(other.length).toBeLessThanOrEqual(0.05 * list.length);
  for (const { gpu: chosen, processor } of list) {
    if (chosen.token === processor.token) expect(chosen.logprob).toBeCloseTo(processor.logprob, 3);
  }
}

test.describe('a token is the one that the processor would choose', () => {
  const filters: readonly (readonly [string, TokenFilter])[] = [
    ['temperature 1', PLAIN],
    ['greedy', { ...PLAIN, temperature: 0 }],
    ['temperature 0.7', { ...PLAIN, temperature: 0.7 }],
    ['min-p', { ...PLAIN, temperature: 1.3, minP: 0.05 }],
    ['top-k', { ...PLAIN, topK: 50 }],
    ['top-p', { ...PLAIN, temperature: 0.7, topP: 0.9 }],
    ['all filters', { temperature: 0.9, topK: 40, topP: 0.8, minP: 0.02 }],
  ];
  test('by every filter, from flat and from peaked rows', async () => {
    for (const [name, filter] of filters) {
      await test.step(name, async () => {
        for (const spread of [0.5, 3]) {
          const rows: Rows = { kind: 'random', rows: 2, vocabulary: 5_003, spread };
          expectSame(await compare(rows, filter, 200));
        }
      });
    }
  });

  test('from rows of the largest vocabularies, in 32 and in 16 bits', async () => {
    const rows: Rows = { kind: 'random', rows: 2, vocabulary: 151_936, spread: 3 };
    for (const half of [false, true]) {
      for (const filter of [PLAIN, { temperature: 0.7, topK: 50, topP: 0.9, minP: 0 }])
        expectSame(await compare(rows, filter, 24, half));
    }
  });

  test('among equals, where the smaller id goes first', async () => {
    const equal: Rows = { kind: 'given', values: [Array.from({ length: 1_000 }, () => 3)] };
    const greedy = await compare(equal, { ...PLAIN, temperature: 0 }, 3);
    expect(greedy.map((item) => item.gpu.token)).toEqual([0, 0, 0]);
    const ten = await compare(equal, { ...PLAIN, topK: 10 }, 300);
    expect(new Set(ten.map((item) => item.gpu.token))).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
    expectSame(ten);
    const half = await compare(equal, { ...PLAIN, topP: 0.5 }, 300);
    expect(Math.max(...half.map((item) => item.gpu.token))).toBeLessThanOrEqual(500);
    expectSame(half);
    // Both zeros are one value.
    const zeros = await compare(
      { kind: 'given', values: [[-1, -0, 0, -0]] },
      { ...PLAIN, temperature: 0 },
      1,
    );
    expect(zeros[0]!.gpu.token).toBe(1);
  });

  test('from rows in which some tokens are excluded', async () => {
    const rows: Rows = { kind: 'given', values: [['-Infinity', 2, '-Infinity', 1.5, -200, 2]] };
    for (const [, filter] of filters) {
      const list = await compare(rows, filter, 60);
      expectSame(list);
      expect(list.filter((item) => ![1, 3, 5].includes(item.gpu.token))).toEqual([]);
    }
  });
});

test('a row that holds no probabilities is an error, of any kind of floats', async () => {
  for (const half of [false, true]) {
    for (const [values, message] of [
      [[1, 'NaN', 2], 'not a number'],
      [['-Infinity', '-Infinity'], 'no finite logit'],
      [[1, 'Infinity'], 'no finite logit'],
    ] as const)
      await expect(compare({ kind: 'given', values: [values] }, PLAIN, 2, half)).rejects.toThrow(message);
  }
});

test('a token that is known is read', async () => {
  const rows: Rows = { kind: 'random', rows: 1, vocabulary: 40_000, spread: 3 };
  const [read, known] = await gpu.evaluate((api, r) => api.read(r, [0, 17, 39_999]), rows);
  for (const [i, logprob] of read!.entries()) expect(logprob).toBeCloseTo(known![i]!, 3);
});

test('lanes of a graph whose logits stay on the GPU are those whose logits are read back', async () => {
  const lanes = (settings: Parameters<GpuPage['lanes']>[1], onGpu: boolean) =>
    gpu.evaluate((api, [s, on]) => api.lanes(40_000, s, on), [settings, onGpu] as const);
  const settings = { n: 5, temperature: 0.8, topK: 100, seed: 3 };
  const stayed = await lanes(settings, true);
  expect(stayed.map(({ length }) => length)).toEqual([12, 12, 12, 12, 12]);
  expect(new Set(stayed.map((tokens) => tokens.join()))).toHaveProperty('size', 5);
  expect(stayed).toEqual(await lanes(settings, false));
  // Lane 1 is the same alone or in a batch.
  expect((await lanes({ ...settings, n: 2 }, true))[1]).toEqual(stayed[1]);
});
