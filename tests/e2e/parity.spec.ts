import { readdir, readFile } from 'node:fs/promises';
import type { LoadedModel, Outcome } from '../../src/worker/protocol.ts';
import { expect, test } from './fixtures.ts';

interface Output {
  readonly top: readonly (readonly [token: number, logit: number])[];
  readonly rewards: readonly number[];
}

/** Made by `python -m training.parity` from the shipped files. */
interface Fixture {
  readonly model: string;
  readonly cases: readonly { readonly problem: string; readonly tokens: readonly number[] }[];
  readonly variants: Readonly<
    Record<string, { readonly sha256: string; readonly outputs: readonly Output[] }>
  >;
}

/**
 * Largest absolute differences that are allowed. int8 weights are multiplied in float32 on both sides; 4-bit products
 * round their activations, each runtime in its own way.
 */
const TOLERANCE: Readonly<Record<string, { readonly logit: number; readonly reward: number }>> = {
  q8: { logit: 2e-3, reward: 1e-3 },
  q4: { logit: 0.5, reward: 0.25 },
};

test('20 prompts get the logits and rewards that the model has where it was made', async ({ page }, {
  project,
}) => {
  const fixture = JSON.parse(await readFile('tests/fixtures/parity.json', 'utf8')) as Fixture;
  expect(fixture.cases).toHaveLength(20);
  const workerFile = (await readdir('dist/assets')).find((name) => /^main-[\w-]+\.js$/.test(name));
  await page.goto('./');
  const { loaded, outputs } = await page.evaluate(inspectAll, {
    worker: `assets/${workerFile ?? ''}`,
    modelId: fixture.model,
    backend: project.name,
    sequences: fixture.cases.map(({ tokens }) => tokens),
  });
  if (!loaded.ok) throw new Error(loaded.fault.message);
  expect(loaded.value.backend).toBe(project.name);
  const { dtype } = loaded.value;
  const tolerance = TOLERANCE[dtype];
  const expected = fixture.variants[dtype]?.outputs ?? [];
  if (tolerance === undefined) throw new Error(`no tolerance is stated for ${dtype}`);
  let [worstLogit, worstReward] = [0, 0];
  for (const [index, { top, rewards }] of expected.entries()) {
    const output = outputs[index];
    for (const [token, logit] of top) {
      worstLogit = Math.max(worstLogit, Math.abs((output?.logits[token] ?? Infinity) - logit));
    }
    for (const [role, reward] of rewards.entries()) {
      worstReward = Math.max(worstReward, Math.abs((output?.rewards[role] ?? Infinity) - reward));
    }
  }
  console.log(
    `${project.name}, ${dtype}: logits within ${worstLogit.toExponential(1)}, rewards within ${worstReward.toExponential(1)}`,
  );
  expect(outputs).toHaveLength(20);
  expect(worstLogit).toBeLessThan(tolerance.logit);
  expect(worstReward).toBeLessThan(tolerance.reward);
});

interface Request {
  readonly worker: string;
  readonly modelId: string;
  readonly backend: string;
  readonly sequences: readonly (readonly number[])[];
}

/** Runs in the page: speaks comlink's wire format to a worker of the site's own. */
async function inspectAll({ worker: file, modelId, backend, sequences }: Request) {
  const worker = new Worker(new URL(file, document.baseURI), { type: 'module' });
  const call = (name: string, ...values: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = crypto.randomUUID();
      const listen = ({ data }: MessageEvent<{ id: string; value: unknown }>) => {
        if (data.id !== id) return;
        worker.removeEventListener('message', listen);
        resolve(data.value);
      };
      worker.addEventListener('message', listen);
      worker.addEventListener('error', (event) => {
        reject(new Error(event.message));
      });
      const argumentList = values.map((value) => ({ type: 'RAW', value }));
      worker.postMessage({ id, type: 'APPLY', path: [name], argumentList });
    });
  const baseUrl = new URL('./', document.baseURI).href;
  const loaded = (await call('load', { baseUrl, modelId, backend })) as Outcome<LoadedModel>;
  const outputs: { logits: number[]; rewards: number[] }[] = [];
  for (const tokens of loaded.ok ? sequences : []) {
    const inspected = (await call('inspect', tokens)) as Outcome<{
      logits: Float32Array;
      rewards: Float32Array | null;
    }>;
    if (!inspected.ok) throw new Error(inspected.fault.message);
    outputs.push({
      logits: Array.from(inspected.value.logits),
      rewards: Array.from(inspected.value.rewards ?? []),
    });
  }
  worker.terminate();
  return { loaded, outputs };
}
