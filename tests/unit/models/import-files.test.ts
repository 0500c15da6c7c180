import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FileStore, storeKey } from '../../../src/models/file-store.ts';
import { importFiles, type WantedFile } from '../../../src/models/import-files.ts';
import { MemoryCaches } from './memory-caches.ts';

const folderUrl = 'https://example.test/static-models/';

const wanted = (path: string, content: string): WantedFile => ({
  folderUrl,
  file: { path, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') },
});

/** A file as a browser gives it; `path` is set where a folder was chosen. */
function chosen(name: string, content: string, path = ''): File {
  const file = new File([content], name);
  Object.defineProperty(file, 'webkitRelativePath', { value: path });
  return file;
}

const config = wanted('pocket/config.json', '{"a":1}');
const other = wanted('large/config.json', '{"a":22}');
const graph = wanted('pocket/onnx/model.onnx', 'weights');
const all = [config, other, graph];

let caches: MemoryCaches;
let store: FileStore;

beforeEach(async () => {
  caches = new MemoryCaches();
  vi.stubGlobal('caches', caches);
  store = (await FileStore.open())!;
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('files from a disk', () => {
  it('are told apart by content, whatever they are called', async () => {
    const result = await importFiles(
      store,
      all,
      [chosen('1.bin', 'weights'), chosen('2', '{"a":22}'), chosen('config.json', '{"a":1}')],
      () => {},
    );
    expect(result).toEqual({ kept: [graph, other, config], refused: [], wrong: [], missing: [] });
    expect([...caches.entries.keys()].sort()).toEqual(
      all.map(({ file }) => storeKey(folderUrl, file)).sort(),
    );
  });

  it('are named where they are wrong, each in its folder, and where they are missing', async () => {
    const result = await importFiles(
      store,
      all,
      [
        chosen('config.json', '{"b":1}', 'static-models/pocket/config.json'),
        chosen('model.onnx', 'weig', 'static-models/pocket/onnx/model.onnx'),
        chosen('unrelated.txt', '1234567', 'static-models/unrelated.txt'),
      ],
      () => {},
    );
    expect(result.kept).toEqual([]);
    expect(result.wrong).toEqual([
      { name: 'pocket/config.json', reason: 'has another content than the model list says' },
      { name: 'pocket/onnx/model.onnx', reason: 'has 4 bytes and should have 7' },
    ]);
    expect(result.missing).toEqual(all);
    expect(caches.entries.size).toBe(0);
  });

  it('are not missed where they were stored before', async () => {
    await importFiles(store, all, [chosen('model.onnx', 'weights')], () => {});
    const { missing, wrong } = await importFiles(store, all, [chosen('config.json', '{"a":1}')], () => {});
    expect(missing).toEqual([other]);
    // It is right, if not for the other model.
    expect(wrong).toEqual([]);
    const files = all.map(({ file }) => file);
    expect(await store.missing(folderUrl, files)).toBe(other.file.bytes);
  });

  it('are refused by a full disk', async () => {
    caches.full = true;
    const { kept, refused } = await importFiles(store, all, [chosen('model.onnx', 'weights')], () => {});
    expect([kept, refused]).toEqual([[], [graph]]);
  });
});
