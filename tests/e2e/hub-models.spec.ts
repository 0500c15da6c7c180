import { readdir, readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import type { ModelRef, PinnedModel } from '../../src/domain/model-choice.ts';
import { readConverted } from '../../src/formats/model-recipe.ts';
import type { LoadedModel, Outcome, ScoredSolution } from '../../src/worker/protocol.ts';
import { expect, test } from './hub/hub-test.ts';
import { addWorkerCaller, type WithWorkerCaller } from './worker-caller.ts';

/** Made by `python -m training.random_models`: what PyTorch computes for each model, without our graphs. */
interface Expected {
  readonly generator: {
    readonly id: string;
    readonly problem: string;
    readonly tokens: readonly number[];
    readonly top: readonly (readonly [token: number, logit: number])[];
  };
  readonly verifiers: readonly {
    readonly id: string;
    readonly problem: string;
    readonly solutions: readonly (readonly string[])[];
    readonly scores: readonly (readonly number[])[];
  }[];
}

/** Largest differences that are allowed: 32-bit weights are computed by other kernels, no more. */
const TOLERANCE = { logit: 2e-3, score: 1e-3 };

const FOLDER = 'tests/fixtures/hub';

/** A model as the page would have pinned it, with its 32-bit weights. */
async function pinned(id: string): Promise<PinnedModel> {
  const recipe = readConverted(JSON.parse(await readFile(`${FOLDER}/${id}/steplight.json`, 'utf8')), id);
  if (!recipe.ok) throw new Error(recipe.message);
  const entries = await readdir(`${FOLDER}/${id}`, { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const file = `${entry.parentPath}/${entry.name}`;
        const content = await readFile(file);
        return {
          path: file.slice(`${FOLDER}/${id}/`.length),
          bytes: content.length,
          sha256: createHash('sha256').update(content).digest('hex'),
        };
      }),
  );
  const dtypes = (['webgpu', 'wasm'] as const).map(
    (backend) => ({ dtype: 'fp32', backend, needsShaderF16: false }) as const,
  );
  return {
    recipe: { ...recipe.value, dtypes },
    origin: { kind: 'hub', hub: 'https://huggingface.co', commit: 'c0ffee'.padEnd(40, '0') },
    files,
  };
}

test('random models of each architecture score on the page as they do in PyTorch', async ({ page, hub }, {
  project,
}) => {
  const expected = JSON.parse(await readFile(`${FOLDER}/expected.json`, 'utf8')) as Expected;
  expect(expected.verifiers.map(({ id }) => id.split('/')[1]).sort()).toEqual([
    'tiny-llama-causal-prm',
    'tiny-llama-prm',
    'tiny-qwen2-value-prm',
    'tiny-qwen3-orm',
  ]);
  const workerFile = (await readdir('dist/assets')).find((name) => /^main-[\w-]+\.js$/.test(name));
  await addWorkerCaller(page);
  await page.goto('./');
  const generator = await pinned(expected.generator.id);
  for (const { id, problem, solutions, scores } of expected.verifiers) {
    const verifier = await pinned(id);
    const reads = verifier.recipe.verifier?.reads;
    const { loaded, inspected, scored } = await page.evaluate(scoreAll, {
      worker: `assets/${workerFile ?? ''}`,
      backend: project.name,
      generator,
      verifier,
      role: reads === 'solution' ? 'orm' : 'prm',
      tokens: expected.generator.tokens,
      problem,
      solutions,
    } as const);
    if (!loaded.ok) throw new Error(`${id}: ${loaded.fault.message}`);
    if (!scored.ok) throw new Error(`${id}: ${scored.fault.message}`);
    expect(loaded.value.backend).toBe(project.name);
    let worst = 0;
    expect(scored.value).toHaveLength(scores.length);
    for (const [i, { steps, outcome }] of scored.value.entries()) {
      const computed = reads === 'solution' ? [outcome ?? Number.NaN] : steps;
      expect(computed, `${id}, solution ${i}`).toHaveLength(scores[i]!.length);
      for (const [step, score] of computed.entries())
        worst = Math.max(worst, Math.abs(score - scores[i]![step]!));
    }
    let logit = 0;
    for (const [token, known] of expected.generator.top)
      logit = Math.max(logit, Math.abs((inspected[token] ?? Infinity) - known));
    console.log(
      `${project.name}, ${id}: scores within ${worst.toExponential(1)}, logits within ${logit.toExponential(1)}`,
    );
    expect(worst, id).toBeLessThan(TOLERANCE.score);
    expect(logit, expected.generator.id).toBeLessThan(TOLERANCE.logit);
  }
  expect(hub.requests.some((each) => each.startsWith('cas-bridge.xethub.hf.co/'))).toBe(true);
});

interface Request {
  readonly worker: string;
  readonly backend: string;
  readonly generator: PinnedModel;
  readonly verifier: PinnedModel;
  readonly role: 'prm' | 'orm';
  readonly tokens: readonly number[];
  readonly problem: string;
  readonly solutions: readonly (readonly string[])[];
}

/** Runs in the page. */
async function scoreAll({
  worker: file,
  backend,
  generator,
  verifier,
  role,
  tokens,
  problem,
  solutions,
}: Request) {
  const { call, end } = (globalThis as WithWorkerCaller).startWorker(file);
  const ref = (model: PinnedModel): ModelRef => ({ from: 'elsewhere', model });
  const models = { generator: ref(generator), prm: null, orm: null, [role]: ref(verifier) };
  const baseUrl = new URL('./', document.baseURI).href;
  const loaded = (await call('load', { baseUrl, models, backend })) as Outcome<LoadedModel>;
  const inspected = loaded.ok
    ? ((await call('inspect', tokens)) as Outcome<{ logits: Float32Array }>)
    : loaded;
  const scored = (loaded.ok ? await call('score', { problem, solutions }) : loaded) as Outcome<
    readonly ScoredSolution[]
  >;
  end();
  return { loaded, inspected: inspected.ok ? Array.from(inspected.value.logits) : [], scored };
}
