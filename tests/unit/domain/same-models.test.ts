import { expect, test } from 'vitest';
import type { RunModels } from '../../../src/domain/run.ts';
import { otherModels } from '../../../src/domain/same-models.ts';

const model = (id: string, dtype = 'q8') => ({ id, revision: dtype, dtype });
const pocket: RunModels = { generator: model('pocket'), prm: model('pocket'), orm: model('pocket') };

test('a run goes on with its own models, whatever weights a backend takes', () => {
  expect(otherModels(pocket, pocket)).toBeNull();
  const onGpu = { generator: model('pocket', 'q4'), prm: model('pocket', 'q4'), orm: model('pocket', 'q4') };
  expect(otherModels(pocket, onGpu)).toBeNull();
});

test('it does not go on with another writer or judge, or without one', () => {
  expect(otherModels(pocket, { ...pocket, prm: model('a/prm') })).toMatch(
    /“pocket” as its PRM, and “a\/prm”/,
  );
  expect(otherModels(pocket, { ...pocket, orm: null })).toMatch(/“pocket” as its ORM, and none/);
  expect(otherModels({ ...pocket, prm: null }, pocket)).toMatch(/with no PRM, and “pocket”/);
  expect(otherModels(pocket, { ...pocket, generator: model('a/b') })).toMatch(/as its generator/);
});

test('data that was opened may be judged by whoever is loaded', () => {
  const opened = { generator: model('imported'), prm: model('imported'), orm: model('imported') };
  expect(otherModels(opened, pocket)).toBeNull();
});
