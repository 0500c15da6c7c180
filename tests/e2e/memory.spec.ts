import { expect, test } from './fixtures.ts';
import { TYPED } from './playground.ts';
import { SourceServer } from './source-server.ts';

// The page must be cross-origin isolated to be told how much memory it and its workers hold.
let server: SourceServer;
test.beforeAll(async () => {
  server = await SourceServer.start({
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
  });
});
test.afterAll(() => server.close());

/** Not in TypeScript's own libraries. */
interface MeasuredMemory {
  readonly bytes: number;
  readonly breakdown: readonly {
    readonly bytes: number;
    readonly attribution: readonly { readonly scope: string }[];
  }[];
}

const MB = 1_000_000;

// Seconds where nothing else runs, minutes where much does: each measurement waits for a garbage collection.
test.setTimeout(420_000);

test('fifty runs in one session hold no more memory than ten, and unloading gives the models back', async ({
  page,
}) => {
  const driven = await server.openSession(page);
  const run = (count: number, firstSeed: number): Promise<void> =>
    driven.evaluate(
      async ({ start }, [text, count, firstSeed]) => {
        for (let i = 0; i < count; i++) {
          const run = await start(text, { n: 4, maxTokens: 24, seed: firstSeed + i });
          if (run?.status.kind !== 'complete') throw new Error(JSON.stringify(run?.status));
        }
      },
      [TYPED, count, firstSeed] as const,
    );
  /** After a garbage collection, by the specification. */
  const measure = async (): Promise<{ all: number; workers: number }> => {
    const { bytes, breakdown } = await page.evaluate(() => {
      const { measureUserAgentSpecificMemory } = performance as unknown as {
        measureUserAgentSpecificMemory: () => Promise<MeasuredMemory>;
      };
      return measureUserAgentSpecificMemory.call(performance);
    });
    const workers = breakdown
      .filter(({ attribution }) => attribution.some(({ scope }) => scope.includes('Worker')))
      .reduce((sum, part) => sum + part.bytes, 0);
    return { all: bytes, workers };
  };

  await run(10, 1);
  const ten = await measure();
  await run(40, 11);
  const fifty = await measure();
  await driven.evaluate(({ session }) => session.unload());
  const unloaded = await measure();
  console.log(
    [ten, fifty, unloaded].map(
      ({ all, workers }) => `${(all / MB).toFixed(1)} MB, workers ${(workers / MB).toFixed(1)} MB`,
    ),
  );
  // A cache that one run leaves behind would be 3 MB, forty times.
  expect(fifty.all - ten.all).toBeLessThan(5 * MB);
  expect(ten.workers).toBeGreaterThan(10 * MB);
  expect(unloaded.workers).toBe(0);
});
