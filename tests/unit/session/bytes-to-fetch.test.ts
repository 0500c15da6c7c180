import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { siteModel, type ModelRef } from '../../../src/domain/model-choice.ts';
import type { Manifest, ManifestModel } from '../../../src/formats/manifest.ts';
import { FileStore, storeKey } from '../../../src/models/file-store.ts';
import { bytesToFetch, isStored } from '../../../src/session/bytes-to-fetch.ts';
import { MemoryCaches } from '../models/memory-caches.ts';

const BASE = 'https://site.test/';
const file = (path: string, bytes: number) => ({ path, bytes, sha256: 'cd'.repeat(32) });

const modelOf = (id: string, q8: number, q4: number | null): ManifestModel => ({
  id,
  title: id,
  roles: ['generator', 'prm', 'orm'],
  adapter: { kind: 'fused-rewards', output: 'rewards', prmIndex: 0, ormIndex: 1, separator: '\n' },
  context: 512,
  licence: 'MIT',
  files: [
    file(`${id}/LICENSE`, 1_000),
    file(`${id}/tokenizer.json`, 5),
    file(`${id}/onnx/model_quantized.onnx`, 1),
    file(`${id}/onnx/model_quantized.onnx_data`, q8),
    ...(q4 === null ? [] : [file(`${id}/onnx/model_q4.onnx`, q4)]),
  ],
  variants: [
    ...(q4 === null
      ? []
      : [{ dtype: 'q4' as const, file: `${id}/onnx/model_q4.onnx`, backends: ['webgpu' as const] }]),
    { dtype: 'q8', file: `${id}/onnx/model_quantized.onnx`, backends: ['wasm', 'webgpu'] },
  ],
  canary: { prompt: '', solution: ['a'], wrong: ['b'], rewards: { solution: [], wrong: [] } },
});

const manifest: Manifest = {
  schemaVersion: 1,
  models: [modelOf('pocket', 60, 40), modelOf('standard', 900, null)],
};
const site = (id: string): ModelRef => ({ from: 'site', id });

let caches: MemoryCaches;
let store: FileStore | null;

beforeEach(async () => {
  caches = new MemoryCaches();
  vi.stubGlobal('caches', caches);
  store = await FileStore.open();
});
afterEach(() => vi.unstubAllGlobals());

/** Puts files into the store by their length alone. */
function keep(id: string, name: RegExp): void {
  const files = manifest.models.find((model) => model.id === id)?.files ?? [];
  for (const each of files.filter(({ path }) => name.test(path))) {
    caches.entries.set(
      storeKey(`${BASE}static-models/`, each),
      new Response('', { headers: { 'content-length': String(each.bytes) } }),
    );
  }
}

describe('what a run fetches of several bundled models', () => {
  it('is the variant of the device, with the pieces of its weights and without the licence', async () => {
    const of = (id: string, backends: readonly ('wasm' | 'webgpu')[]) =>
      bytesToFetch(siteModel(id), manifest, BASE, store, backends);
    expect(await of('standard', ['wasm', 'webgpu'])).toEqual({ site: 906, elsewhere: 0 });
    expect((await of('pocket', ['webgpu'])).site).toBe(45);
    // Where the device is not known yet, the largest counts.
    expect((await of('pocket', ['wasm', 'webgpu'])).site).toBe(66);
    keep('standard', /onnx/);
    expect((await of('standard', ['wasm'])).site).toBe(5);
  });

  it('adds up over the models of a choice', async () => {
    const mixed = { generator: site('pocket'), prm: site('standard'), orm: site('standard') };
    expect((await bytesToFetch(mixed, manifest, BASE, store, ['wasm'])).site).toBe(66 + 906);
  });
});

describe('a model is stored', () => {
  const check = (id: string) => isStored(site(id), manifest, BASE, store, ['wasm', 'webgpu']);

  it('with all files that one backend needs', async () => {
    expect(await check('standard')).toBe(false);
    keep('standard', /onnx/);
    expect(await check('standard')).toBe(false);
    keep('standard', /tokenizer/);
    expect(await check('standard')).toBe(true);
    expect(await check('pocket')).toBe(false);
    keep('pocket', /q4|tokenizer/);
    expect(await check('pocket')).toBe(true);
  });

  it('never where storage is denied, nor if nobody lists it', async () => {
    keep('standard', /./);
    expect(await isStored(site('standard'), manifest, BASE, null, ['wasm'])).toBe(false);
    expect(await check('other')).toBe(false);
  });
});
