import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filesFor, loadedFiles, readManifest, type ManifestModel } from '../../../src/formats/manifest.ts';

const file = (path: string, bytes = 10) => ({ path, bytes, sha256: 'ab'.repeat(32) });

const GRAPH = 'standard/onnx/model_quantized.onnx';
const FILES = [
  file('standard/LICENSE'),
  file('standard/NOTICE'),
  file('standard/config.json'),
  file('standard/tokenizer.json', 800),
  file(GRAPH, 200),
  file(`${GRAPH}_data`, 40_000),
  file(`${GRAPH}_data_1`, 30_000),
  file('standard/onnx/model_q4.onnx', 100),
  file('standard/onnx/model_q4.onnx_data', 20_000),
];

const standard = {
  id: 'standard',
  title: 'Standard: free text',
  roles: ['generator', 'prm', 'orm'],
  adapter: { kind: 'fused-rewards', output: 'rewards', prmIndex: 0, ormIndex: 1, separator: '\n' },
  context: 512,
  licence: 'Apache-2.0',
  attribution: [
    {
      title: 'SmolLM2-135M-Instruct',
      url: 'https://example.test/model',
      licence: 'Apache-2.0',
      text: 'By somebody.',
    },
  ],
  range: 'Problems as people write them.',
  files: FILES,
  variants: [
    { dtype: 'q4', file: 'standard/onnx/model_q4.onnx', backends: ['webgpu'] },
    { dtype: 'q8', file: GRAPH, backends: ['wasm', 'webgpu'] },
  ],
  canary: { prompt: 'p', solution: ['a'], wrong: ['b'], rewards: { solution: [1], wrong: [0] } },
};

const listOf = (...models: object[]) => ({ schemaVersion: 1, models });

function read(...models: object[]): readonly ManifestModel[] {
  const result = readManifest(listOf(...models));
  if (!result.ok) throw new Error(result.message);
  return result.manifest.models;
}

describe('the list of bundled models', () => {
  it('is the one in the repository', () => {
    const result = readManifest(JSON.parse(readFileSync('static-models/manifest.json', 'utf8')));
    expect(result).toMatchObject({ ok: true });
  });

  it('keeps whose work a model is, and what it can do', () => {
    const [model] = read(standard);
    expect(model?.attribution).toEqual(standard.attribution);
    expect(model?.range).toBe(standard.range);
  });

  it('reads models without them', () => {
    const { attribution: _, range: __, ...plain } = standard;
    expect(read(plain)[0]).not.toHaveProperty('range');
  });

  it.each([
    ['a file outside the folder', { ...standard, files: [...FILES, file('pocket/config.json')] }],
    ['a variant without its file', { ...standard, files: FILES.filter(({ path }) => path !== GRAPH) }],
    ['an address that is no https one', withUrl('javascript:alert(1)')],
    ['an address with a quote', withUrl('https://a.test/"onclick=')],
    ['an endless range', { ...standard, range: 'x'.repeat(301) }],
    ['too many attributions', { ...standard, attribution: Array(11).fill(standard.attribution[0]) }],
  ])('refuses %s', (_what, model) => {
    expect(readManifest(listOf(model))).toMatchObject({ ok: false });
  });

  it('refuses two models of one id', () => {
    expect(readManifest(listOf(standard, standard))).toMatchObject({ ok: false });
  });
});

function withUrl(url: string): object {
  return { ...standard, attribution: [{ ...standard.attribution[0], url }] };
}

describe('the files of a model', () => {
  const [model] = read(standard) as [ManifestModel];

  it('are those of the variant of a backend, with the pieces of its weights', () => {
    const wasm = filesFor(model, 'wasm');
    expect(wasm?.files.map(({ path }) => path)).toEqual([
      'standard/config.json',
      'standard/tokenizer.json',
      GRAPH,
      `${GRAPH}_data`,
      `${GRAPH}_data_1`,
    ]);
    expect(wasm?.bytes).toBe(10 + 800 + 200 + 40_000 + 30_000);
    expect(filesFor(model, 'webgpu')?.bytes).toBe(10 + 800 + 100 + 20_000);
  });

  it('are without the licence and the notice, which nothing loads', () => {
    expect(loadedFiles(model).map(({ path }) => path)).toEqual(FILES.slice(2).map(({ path }) => path));
  });
});
