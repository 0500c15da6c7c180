import { readdirSync } from 'node:fs';
import path from 'node:path';
import { Linter } from 'eslint';
import typescript from 'typescript-eslint';
import { describe, expect, it } from 'vitest';
import { importTable } from '../../../tools/eslint/import-table.mjs';
import { cyclesIn, importsRule, packageName, partOf } from '../../../tools/eslint/imports.mjs';
import { root } from '../../../tools/run.mjs';

const linter = new Linter({ cwd: root });

/** Lints a text as if it were a file under src/; gives the messages. */
function lint(file: string, code: string): string[] {
  const messages = linter.verify(
    code,
    [
      {
        files: ['**/*.ts'],
        languageOptions: { parser: typescript.parser },
        plugins: { steplight: { rules: { imports: importsRule } } },
        rules: { 'steplight/imports': ['error', { table: importTable, source: path.join(root, 'src') }] },
      },
    ],
    { filename: path.join(root, 'src', file) },
  );
  return messages.map(({ message }) => message);
}

describe('the import table', () => {
  it('has no circles', () => {
    expect(cyclesIn(importTable)).toEqual([]);
  });

  it('would be told of a circle', () => {
    expect(cyclesIn({ a: { parts: ['b'] }, b: { parts: ['c'] }, c: { parts: ['a'] } })).toEqual([
      ['a', 'b', 'c', 'a'],
    ]);
  });

  it('has a row for every folder under src', () => {
    const folders = readdirSync(path.join(root, 'src'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect(folders.map(({ name }) => name).filter((name) => !Object.hasOwn(importTable, name))).toEqual([]);
  });

  it('names only parts that have a row', () => {
    const named = Object.values(importTable).flatMap(({ parts }) => parts);
    expect(named.filter((part) => !Object.hasOwn(importTable, part))).toEqual([]);
  });
});

describe('partOf', () => {
  it('prefers the row of a file to that of its folder', () => {
    expect(partOf('worker/protocol.ts', importTable)).toBe('worker/protocol.ts');
    expect(partOf('worker/main.ts', importTable)).toBe('worker');
    expect(partOf('main.ts', importTable)).toBe('main.ts');
    expect(partOf('stray.ts', importTable)).toBeNull();
    expect(partOf('elsewhere/a.ts', importTable)).toBeNull();
  });
});

describe('packageName', () => {
  it.each([
    ['svelte/reactivity', 'svelte'],
    ['@huggingface/transformers', '@huggingface/transformers'],
    ['@scope/name/deep/file.js', '@scope/name'],
  ])('%s is of %s', (specifier, name) => {
    expect(packageName(specifier)).toBe(name);
  });
});

describe('the lint rule accepts', () => {
  it.each([
    ['domain/run.ts', `import { a } from './solution.ts';`],
    ['answers/compare.ts', `import Fraction from 'fraction.js';`],
    ['runtime/load.ts', `import { env } from '@huggingface/transformers';`],
    [
      'worker/main.ts',
      `import type { EngineApi } from './protocol.ts'; import { run } from '../sampling/a.ts';`,
    ],
    [
      'session/session.svelte.ts',
      `new Worker(new URL('../worker/main.ts', import.meta.url), { type: 'module' });`,
    ],
    ['session/session.svelte.ts', `import type { EngineApi } from '../worker/protocol.ts';`],
    [
      'ui/lanes/order.ts',
      `const katex = import('katex'); import './style.css'; import a from '../a.svg?url';`,
    ],
    ['main.ts', `import { mount } from 'svelte'; import App from './ui/App.svelte';`],
  ])('%s: %s', (file, code) => {
    expect(lint(file, code)).toEqual([]);
  });
});

describe('the lint rule refuses', () => {
  it.each([
    ['a part that is not in the row', 'domain/run.ts', `import { a } from '../answers/compare.ts';`],
    ['types as well as values', 'picks/pick.ts', `import type { A } from '../formats/file.ts';`],
    ['a type written in place', 'picks/pick.ts', `let a: import('../formats/file.ts').A;`],
    ['an export from elsewhere', 'domain/run.ts', `export { a } from '../picks/pick.ts';`],
    ['an export of everything', 'domain/run.ts', `export * from '../picks/pick.ts';`],
    ['a dynamic import', 'domain/run.ts', `void import('../picks/pick.ts');`],
    ['a path that is made up at run time', 'domain/run.ts', `void import(name);`],
    ['a glob', 'ui/a.ts', `import.meta.glob(['./a.ts', '../runtime/*.ts']);`],
    ['a package that is not in the row', 'ui/a.ts', `import { env } from '@huggingface/transformers';`],
    ['the runtime from elsewhere', 'scoring/a.ts', `import { Tensor } from 'onnxruntime-web';`],
    ['modules of Node', 'formats/a.ts', `import fs from 'node:fs';`],
    ['files outside src', 'ui/a.ts', `import run from '../../public/run.json';`],
    ['absolute paths', 'ui/a.ts', `import run from '/recorded/run.json';`],
    ['more of the worker than its protocol', 'session/a.ts', `import { a } from '../worker/engine.ts';`],
    [
      'the start of a worker elsewhere',
      'ui/a.ts',
      `new Worker(new URL('../worker/main.ts', import.meta.url));`,
    ],
    ['a folder without a row', 'extras/a.ts', `export const a = 1;`],
    ['a file without a row', 'stray.ts', `export const a = 1;`],
    ['an import from a folder without a row', 'ui/a.ts', `import { a } from '../extras/a.ts';`],
    ['a barrel', 'picks/index.ts', `export const a = 1;`],
  ])('%s', (_name, file, code) => {
    expect(lint(file, code)).toHaveLength(1);
  });
});
