import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { modelRecipe, readConverted, readSavedModels } from '../../../src/formats/model-recipe.ts';
import { readRegistry, type RegistryEntry } from '../../../src/formats/model-registry.ts';
import { suggestTier, type DeviceReport } from '../../../src/models/device-report.ts';
import { recipeOfEntry, recipeOfForm } from '../../../src/ui/models/recipes.ts';
import REGISTRY from '../../../src/ui/models/registry.json';
import { VERIFIER_ADAPTERS, type AdapterName } from '../../../src/domain/verifier-adapters.ts';

const registry = readRegistry(REGISTRY);
const entries: readonly RegistryEntry[] = registry.ok ? registry.value : [];

describe('the recommended models', () => {
  it('are valid, and each named once', () => {
    expect(registry).toMatchObject({ ok: true });
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    expect(entries.length).toBeGreaterThan(5);
  });

  it('have recipes that can be saved', () => {
    for (const entry of entries)
      expect(v.safeParse(modelRecipe, recipeOfEntry(entry)).success, entry.id).toBe(true);
  });

  it('stay below what their tier says', () => {
    const most = { bundled: 0, small: 0.8e9, medium: 1.5e9, large: Infinity };
    for (const { id, tier, bytes } of entries)
      for (const size of Object.values(bytes)) expect(size, id).toBeLessThanOrEqual(most[tier]);
  });

  it('is damaged data in words where it is', () => {
    expect(readRegistry([{ ...entries[0], tier: 'huge' }])).toMatchObject({ ok: false });
    expect(readRegistry([])).toMatchObject({ ok: false });
  });
});

describe('a recipe from the form', () => {
  it.each(Object.keys(VERIFIER_ADAPTERS) as AdapterName[])('with the adapter %s can be saved', (verifier) => {
    const recipe = recipeOfForm('owner/name', { generator: null, verifier, context: 512 });
    const model = {
      recipe,
      origin: { kind: 'hub', hub: 'https://huggingface.co', commit: 'c'.repeat(40) },
      files: [{ path: 'config.json', bytes: 3, gitSha1: 'a'.repeat(40) }],
    } as const;
    const saved = {
      version: 1,
      models: [model],
      choice: {
        generator: { from: 'site', id: 'pocket' },
        prm: { from: 'elsewhere', model },
        orm: null,
      },
    };
    expect(readSavedModels(JSON.parse(JSON.stringify(saved)))).toEqual({ ok: true, value: saved });
  });

  it.each([
    ['an address that is no hub', { kind: 'hub', hub: 'https://a.example/x', commit: 'c'.repeat(40) }],
    ['a hub without encryption', { kind: 'hub', hub: 'http://huggingface.co', commit: 'c'.repeat(40) }],
    ['a branch in place of a commit', { kind: 'hub', hub: 'https://huggingface.co', commit: 'main' }],
  ])('is not read back from %s', (_, origin) => {
    const recipe = recipeOfForm('owner/name', { generator: null, verifier: 'judge', context: 512 });
    const files = [{ path: 'config.json', bytes: 3, gitSha1: 'a'.repeat(40) }];
    const saved = { version: 1, models: [{ recipe, origin, files }], choice: null };
    expect(readSavedModels(saved)).toMatchObject({ ok: false });
  });

  it('is not read back with a path that leaves its folder', () => {
    const recipe = recipeOfForm('owner/name', { generator: null, verifier: 'judge', context: 512 });
    const origin = { kind: 'folder', key: '0123456789abcdef' };
    const files = [{ path: '../config.json', bytes: 3, gitSha1: 'a'.repeat(40) }];
    expect(readSavedModels({ version: 1, models: [{ recipe, origin, files }], choice: null })).toMatchObject({
      ok: false,
    });
  });
});

describe('what the converter wrote', () => {
  const { id: _, ...recipe } = recipeOfForm('owner/name', {
    generator: null,
    verifier: 'skywork-prm',
    context: 512,
  });

  it('is a recipe of the model that it stands beside', () => {
    expect(readConverted({ version: 1, ...recipe, licence: null, files: [] }, 'owner/name')).toEqual({
      ok: true,
      value: { id: 'owner/name', ...recipe },
    });
  });

  it('is refused in another version, or damaged', () => {
    expect(readConverted({ version: 2, ...recipe }, 'a/b')).toMatchObject({ ok: false });
    expect(readConverted({ version: 1, ...recipe, context: -1 }, 'a/b')).toMatchObject({ ok: false });
    expect(readConverted(undefined, 'a/b')).toMatchObject({ ok: false });
  });
});

describe('what a device can try', () => {
  const desktop: DeviceReport = {
    gpuBuffer: 2 ** 32,
    shaderF16: true,
    memory: 8,
    phone: false,
    space: null,
  };

  it.each([
    ['nothing but the bundled models without WebGPU', { gpuBuffer: null }, 'bundled'],
    ['small ones on a phone', { phone: true }, 'small'],
    ['small ones with little memory', { memory: 2 }, 'small'],
    ['middle ones on a GPU with small buffers', { gpuBuffer: 2 ** 30 }, 'medium'],
    ['large ones on a desktop', {}, 'large'],
    ['large ones where the browser does not tell its memory', { memory: null }, 'large'],
  ] as const)('is %s', (_, report, tier) => {
    expect(suggestTier({ ...desktop, ...report })).toBe(tier);
  });
});
