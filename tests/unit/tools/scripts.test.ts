import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Rolldown } from 'vite';
import { describe, expect, it } from 'vitest';
import { hashFiles } from '../../../tools/build.mjs';
import { matchesLock } from '../../../tools/install.mjs';
import { atLeastOneFailure, fromPlaywright, fromUnittest, fromVitest, total } from '../../../tools/tally.mjs';
import { initialChunks } from '../../../tools/vite/budget.ts';

describe('matchesLock', () => {
  const wanted = {
    '': {},
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '2.0.0', optional: true },
  };

  it('accepts what is installed, without the optional packages of other systems', () => {
    expect(matchesLock(wanted, { 'node_modules/a': { version: '1.0.0' } })).toBe(true);
  });

  it.each([
    ['nothing is installed', null],
    ['a package is missing', {}],
    ['a version differs', { 'node_modules/a': { version: '1.0.1' } }],
    [
      'an optional version differs',
      { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '1.9.0' } },
    ],
  ])('notices that %s', (_name, installed) => {
    expect(matchesLock(wanted, installed)).toBe(false);
  });
});

describe('hashFiles', () => {
  it('changes with contents, new files and missing files, and with nothing else', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'steplight-hash-'));
    const hash = () => hashFiles(folder, ['a.txt', 'missing']);
    await writeFile(path.join(folder, 'a.txt'), 'one');
    const first = hash();
    await writeFile(path.join(folder, 'other.txt'), 'not an input');
    expect(hash()).toBe(first);
    await writeFile(path.join(folder, 'a.txt'), 'two');
    expect(hash()).not.toBe(first);
    await rm(path.join(folder, 'a.txt'));
    expect(hash()).not.toBe(first);
    await rm(folder, { recursive: true });
  });
});

describe('counting tests', () => {
  it('reads the reports of the runners', () => {
    expect(fromVitest({ numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 })).toEqual(
      {
        passed: 5,
        failed: 1,
        skipped: 3,
      },
    );
    expect(fromPlaywright({ stats: { expected: 3, flaky: 1, unexpected: 2, skipped: 4 } })).toEqual({
      passed: 4,
      failed: 2,
      skipped: 4,
    });
  });

  it.each([
    ['Ran 12 tests in 3.1s\n\nOK', { passed: 12, failed: 0, skipped: 0 }],
    ['Ran 12 tests in 3.1s\n\nOK (skipped=2)', { passed: 10, failed: 0, skipped: 2 }],
    ['Ran 1 test in 0.1s\n\nFAILED (errors=1)', { passed: 0, failed: 1, skipped: 0 }],
    ['Ran 9 tests in 1s\n\nFAILED (failures=1, errors=2, skipped=3)', { passed: 3, failed: 3, skipped: 3 }],
    ['Ran 3 tests in 1s\n\nFAILED (unexpected successes=1)', { passed: 2, failed: 1, skipped: 0 }],
    ['ImportError', { passed: 0, failed: 0, skipped: 0 }],
  ])('reads unittest: %j', (output, tally) => {
    expect(fromUnittest(output)).toEqual(tally);
  });

  it('counts a runner that broke as a failure', () => {
    expect(atLeastOneFailure(fromVitest(null), 1).failed).toBe(1);
    expect(atLeastOneFailure({ passed: 1, failed: 2, skipped: 0 }, 1).failed).toBe(2);
    expect(atLeastOneFailure({ passed: 1, failed: 0, skipped: 0 }, 0).failed).toBe(0);
  });

  it('sums up', () => {
    expect(
      total([
        { passed: 1, failed: 2, skipped: 3 },
        { passed: 10, failed: 20, skipped: 30 },
      ]),
    ).toEqual({ passed: 11, failed: 22, skipped: 33 });
  });
});

describe('initialChunks', () => {
  it('follows static imports of the page, once each, and no dynamic ones', () => {
    const chunk = (fileName: string, imports: string[], more: object = {}) => [
      fileName,
      { type: 'chunk', fileName, imports, dynamicImports: [], isEntry: false, facadeModuleId: null, ...more },
    ];
    const bundle = Object.fromEntries([
      chunk('page.js', ['shared.js', 'ui.js'], {
        isEntry: true,
        facadeModuleId: '/repo/index.html',
        dynamicImports: ['lazy.js'],
      }),
      chunk('ui.js', ['shared.js']),
      chunk('shared.js', []),
      chunk('lazy.js', []),
      chunk('embed.js', [], { isEntry: true, facadeModuleId: '/repo/embed.html' }),
    ]) as unknown as Rolldown.OutputBundle;
    expect(initialChunks(bundle, 'index.html').map(({ fileName }) => fileName)).toEqual([
      'page.js',
      'shared.js',
      'ui.js',
    ]);
  });
});
