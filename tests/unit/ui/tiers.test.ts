import { describe, expect, it } from 'vitest';
import { siteModel, soleModel, type ModelRef } from '../../../src/domain/model-choice.ts';
import type { BundledModel } from '../../../src/session/session.svelte.ts';
import { furtherTier, rangeOf, tiersOf } from '../../../src/ui/models/tiers.ts';

const model = (id: string, more: Partial<BundledModel> = {}): BundledModel => ({
  id,
  name: id,
  title: id,
  roles: ['generator', 'prm', 'orm'],
  licence: 'MIT',
  attribution: [],
  range: null,
  bytes: 10,
  toFetch: 10,
  ...more,
});
const pocket = model('pocket');
const standard = model('standard', { range: 'Free text.' });

describe('the tiers', () => {
  it('are a choice only if there are two', () => {
    expect(tiersOf([])).toEqual([]);
    expect(tiersOf([pocket])).toEqual([]);
    expect(tiersOf([pocket, standard])).toEqual([pocket, standard]);
    expect(furtherTier([pocket])).toBeNull();
    expect(furtherTier([pocket, standard])).toBe(standard);
  });

  it('have all roles', () => {
    expect(tiersOf([pocket, model('judge', { roles: ['prm'] })])).toEqual([]);
  });

  it('say what they can do, by the manifest where it does', () => {
    expect(rangeOf(standard)).toBe('Free text.');
    expect(rangeOf(pocket)).toMatch(/word problems/);
    expect(rangeOf(model('other'))).not.toBe(rangeOf(pocket));
  });
});

describe('the one model of a choice', () => {
  const site = (id: string): ModelRef => ({ from: 'site', id });

  it('has all roles', () => {
    expect(soleModel(siteModel('standard'))).toBe('standard');
    expect(soleModel({ generator: site('pocket'), prm: site('standard'), orm: site('pocket') })).toBeNull();
    expect(soleModel({ generator: site('pocket'), prm: site('pocket'), orm: null })).toBeNull();
  });
});
