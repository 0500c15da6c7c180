import { readdir, readFile } from 'node:fs/promises';
import type { LoadedModel, Outcome } from '../../src/worker/protocol.ts';
import { expect, test } from './fixtures.ts';
import { addWorkerCaller, type WithWorkerCaller } from './worker-caller.ts';

interface Output {
  readonly top: readonly (readonly [token: number, logit: number])[];
  readonly rewards: readonly number[];
}

/** Made by `python -m training.parity` from the shipped files. */
interface Fixture {
  readonly model: string;
  readonly cases: readonly { readonly problem: string; readonly tokens: readonly number[] }[];
  /** The model before quantisation, in PyTorch. */
  readonly unquantised: readonly Output[];
  readonly variants: Readonly<
    Record<string, { readonly sha256: string; readonly outputs: readonly Output[] }>
  >;
}

/**
 * Largest absolute differences that are allowed. int8 weights are multiplied in float32 on both sides; 4-bit products
 * round their activations, each runtime in its own way. `quantised...`: from the unquantised model in PyTorch, which is
 * what quantisation costs. Four bits cost much on a single hard prompt.
 */
const TOLERANCE: Readonly<
  Record<string, Difference & { readonly quantisedLogit: number; readonly quantisedReward: number }>
> = {
  q8: { logit: 2e-3, reward: 1e-3, quantisedLogit: 0.2, quantisedReward: 0.05 },
  q4: { logit: 0.5, reward: 0.4, quantisedLogit: 1.5, quantisedReward: 0.8 },
};

test('20 prompts get the logits and rewards that the model has where it was made', async ({ page }, {
  project,
}) => {
  const fixture = JSON.parse(await readFile('tests/fixtures/parity.json', 'utf8')) as Fixture;
  expect(fixture.cases).toHaveLength(20);
  const workerFile = (await readdir('dist/assets')).find((name) => /^main-[\w-]+\.js$/.test(name));
  await addWorkerCaller(page);
  await page.goto('./');
  const { loaded, outputs } = await page.evaluate(inspectAll, {
    worker: `assets/${workerFile ?? ''}`,
    modelId: fixture.model,
    backend: project.name,
    sequences: fixture.cases.map(({ tokens }) => tokens),
  });
  if (!loaded.ok) throw new Error(loaded.fault.message);
  expect(loaded.value.backend).toBe(project.name);
  const { dtype } = loaded.value.models.generator;
  const tolerance = TOLERANCE[dtype];
  const expected = fixture.variants[dtype]?.outputs ?? [];
  if (tolerance === undefined) throw new Error(`no tolerance is stated for ${dtype}`);
  const file = worst(outputs, expected);
  const model = worst(outputs, fixture.unquantised);
  console.log(
    `${project.name}, ${dtype}: from the file elsewhere ${describe(file)}; from PyTorch unquantised ${describe(model)}`,
  );
  expect(outputs).toHaveLength(20);
  expect(expected).toHaveLength(20);
  expect(fixture.unquantised).toHaveLength(20);
  expect(file.logit).toBeLessThan(tolerance.logit);
  expect(file.reward).toBeLessThan(tolerance.reward);
  expect(model.logit).toBeLessThan(tolerance.quantisedLogit);
  expect(model.reward).toBeLessThan(tolerance.quantisedReward);
});

interface Difference {
  readonly logit: number;
  readonly reward: number;
}

const describe = ({ logit, reward }: Difference): string =>
  `logits within ${logit.toExponential(1)}, rewards within ${reward.toExponential(1)}`;

/** Largest absolute differences over the listed logits and both rewards. */
function worst(
  outputs: readonly { readonly logits: readonly number[]; readonly rewards: readonly number[] }[],
  expected: readonly Output[],
): Difference {
  let [logit, reward] = [0, 0];
  for (const [index, { top, rewards }] of expected.entries()) {
    const output = outputs[index];
    for (const [token, known] of top) {
      logit = Math.max(logit, Math.abs((output?.logits[token] ?? Infinity) - known));
    }
    for (const [role, known] of rewards.entries()) {
      reward = Math.max(reward, Math.abs((output?.rewards[role] ?? Infinity) - known));
    }
  }
  return { logit, reward };
}

interface Request {
  readonly worker: string;
  readonly modelId: string;
  readonly backend: string;
  readonly sequences: readonly (readonly number[])[];
}

/** Runs in the page. */
async function inspectAll({ worker: file, modelId, backend, sequences }: Request) {
  const { call, end } = (globalThis as WithWorkerCaller).startWorker(file);
  const baseUrl = new URL('./', document.baseURI).href;
  const ref = { from: 'site', id: modelId };
  const loaded = (await call('load', {
    baseUrl,
    models: { generator: ref, prm: ref, orm: ref },
    backend,
  })) as Outcome<LoadedModel>;
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
  end();
  return { loaded, outputs };
}
