import { describe, expect, it } from 'vitest';
import type { DeclaredFile } from '../../../src/domain/declared-file.ts';
import type { DtypeOption, ModelRecipe } from '../../../src/domain/model-choice.ts';
import {
  dtypesOf,
  filesOnDevice,
  folderUrlOf,
  isModelFile,
  variantFiles,
} from '../../../src/models/model-files.ts';

const file = (path: string, bytes = 1): DeclaredFile => ({ path, bytes, gitSha1: '0'.repeat(40) });
const paths = (files: readonly DeclaredFile[] | undefined): string[] | undefined =>
  files?.map(({ path }) => path);

const LISTED = [
  file('config.json', 5),
  file('tokenizer.json', 7),
  file('onnx/model.onnx', 100),
  file('onnx/model.onnx_data', 1_000),
  file('onnx/model.onnx_data_1', 1_000),
  file('onnx/model_q4.onnx', 20),
  file('onnx/model_q4f16.onnx', 10),
  file('onnx/model_q4f16.onnx_data', 300),
];

const recipe = (dtypes: readonly DtypeOption[]): ModelRecipe => ({
  id: 'owner/name',
  title: 'Name',
  dtypes,
  context: 1_024,
  generator: null,
  verifier: null,
  canary: null,
});

describe('a file', () => {
  it.each([
    'config.json',
    'chat_template.jinja',
    'onnx/model.onnx',
    'onnx/model.onnx_data',
    'onnx/model_q4f16.onnx_data_12',
    'onnx/model_quantized.onnx',
  ])('%s belongs to a model', (path) => expect(isModelFile(file(path))).toBe(true));

  it.each([
    'README.md',
    'model.onnx',
    'onnx/config.json',
    'onnx/model_int8.onnx',
    'onnx/model_bnb4.onnx',
    'onnx/model.onnx_data_',
    'onnx/model.onnx_data_x',
    'onnx/model.onnx_database',
    'onnx/model.onnx.bak',
    'other/onnx/model.onnx',
  ])('%s does not', (path) => expect(isModelFile(file(path))).toBe(false));
});

describe('weights', () => {
  it('are those that have a graph; data alone is none', () => {
    expect(dtypesOf(LISTED)).toEqual(['fp32', 'q4', 'q4f16']);
    expect(dtypesOf([file('onnx/model_fp16.onnx_data')])).toEqual([]);
  });

  it('come with what all variants read, and with all pieces of their own', () => {
    const whole = variantFiles(LISTED, 'fp32');
    expect(paths(whole?.files)).toEqual([
      'config.json',
      'tokenizer.json',
      'onnx/model.onnx',
      'onnx/model.onnx_data',
      'onnx/model.onnx_data_1',
    ]);
    expect(whole?.bytes).toBe(5 + 7 + 100 + 2_000);
  });

  it('of one kind bring nothing of another whose name begins alike', () => {
    expect(paths(variantFiles(LISTED, 'q4')?.files)).toEqual([
      'config.json',
      'tokenizer.json',
      'onnx/model_q4.onnx',
    ]);
  });

  it('that have no graph are none', () => {
    expect(variantFiles(LISTED, 'fp16')).toBeNull();
    expect(variantFiles([file('config.json')], 'fp32')).toBeNull();
  });
});

describe('on a device', () => {
  const options: readonly DtypeOption[] = [
    { dtype: 'q4f16', backend: 'webgpu', needsShaderF16: true },
    { dtype: 'fp16', backend: 'webgpu', needsShaderF16: false },
    { dtype: 'q4', backend: 'webgpu', needsShaderF16: false },
    { dtype: 'fp32', backend: 'wasm', needsShaderF16: false },
  ];
  const model = { recipe: recipe(options), files: LISTED };

  it('the first weights are taken that it can run and that are there', () => {
    expect(filesOnDevice(model, 'webgpu', true)?.dtype).toBe('q4f16');
    expect(filesOnDevice(model, 'webgpu', false)?.dtype).toBe('q4');
    expect(filesOnDevice(model, 'wasm', false)?.dtype).toBe('fp32');
  });

  it('there may be none', () => {
    expect(filesOnDevice({ ...model, recipe: recipe(options.slice(0, 1)) }, 'webgpu', false)).toBeNull();
    expect(filesOnDevice({ ...model, recipe: recipe(options.slice(0, 3)) }, 'wasm', true)).toBeNull();
    expect(filesOnDevice({ ...model, recipe: recipe([]) }, 'wasm', true)).toBeNull();
  });
});

describe('the folder of a model', () => {
  it('on the hub is that of its commit', () => {
    const origin = { kind: 'hub', hub: 'https://hub.test', commit: 'abc' } as const;
    expect(folderUrlOf({ recipe: recipe([]), origin, files: [] })).toBe(
      'https://hub.test/owner/name/resolve/abc/',
    );
  });

  it('that was picked is only a key', () => {
    const url = folderUrlOf({ recipe: recipe([]), origin: { kind: 'folder', key: 'k1' }, files: [] });
    expect(url).toBe('https://folder.invalid/k1/');
  });
});
