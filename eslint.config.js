import path from 'node:path';
import eslint from '@eslint/js';
import { defineConfig } from 'eslint/config';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import typescript from 'typescript-eslint';
import svelteConfig from './svelte.config.js';
import { importTable } from './tools/eslint/import-table.mjs';
import { importsRule } from './tools/eslint/imports.mjs';

const root = import.meta.dirname;
const workerFiles = ['worker', 'runtime', 'sampling', 'scoring', 'offline'].map(
  (folder) => `src/${folder}/**/*.ts`,
);
const nodeFiles = ['*.config.{js,ts}', 'tests/**/*.ts', 'tools/**/*.{mjs,ts}'];

/** Type-aware rules read types from the project that a file belongs to. */
const typesFrom = (/** @type {string} */ project, /** @type {Record<string, boolean>} */ known) => ({
  languageOptions: {
    globals: known,
    parserOptions: { project: `./${project}`, tsconfigRootDir: root, extraFileExtensions: ['.svelte'] },
  },
});

export default defineConfig(
  {
    ignores: [
      'dist/',
      'dist-single/',
      'dist-classroom/',
      'tools/classroom/',
      'test-results/',
      'playwright-report/',
      'training/',
      'static-models/',
      'public/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },

  eslint.configs.recommended,
  typescript.configs.strictTypeChecked,
  svelte.configs.recommended,

  { files: ['src/**'], ...typesFrom('tsconfig.page.json', globals.browser) },
  { files: workerFiles, ...typesFrom('tsconfig.worker.json', globals.worker) },
  { files: nodeFiles, ...typesFrom('tsconfig.node.json', globals.node) },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: typescript.parser, svelteConfig } },
    rules: {
      // `let { ... } = $props()`, and state that templates assign.
      'prefer-const': 'off',
      'svelte/prefer-const': ['error', { excludedRunes: ['$props', '$state'] }],
    },
  },

  {
    rules: {
      eqeqeq: ['error', 'always'],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowNever: true }],
      // `void` for a promise that nobody waits for, and short arrow functions that call something.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_' },
      ],
      // Indexing is checked (`noUncheckedIndexedAccess`); `!` says that a bound was seen to hold.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Spreading a string walks its code points, which is what is wanted.
      '@typescript-eslint/no-misused-spread': 'off',
      // State is held raw and replaced, never a reactive copy of a built-in class.
      'svelte/prefer-svelte-reactivity': 'off',
      // `while (true)` and `for (;;)` say what they mean.
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
    },
  },
  {
    // To the linter a component is `any`; svelte-check knows what it is.
    files: ['**/*.svelte'],
    rules: Object.fromEntries(
      ['argument', 'assignment', 'call', 'member-access', 'return'].map((kind) => [
        `@typescript-eslint/no-unsafe-${kind}`,
        'off',
      ]),
    ),
  },
  {
    // The linter does not see casts in comments; the compiler checks these files all the same.
    files: ['**/*.mjs'],
    rules: { '@typescript-eslint/no-unsafe-assignment': 'off' },
  },
  {
    files: ['src/**'],
    plugins: { steplight: { rules: { imports: importsRule } } },
    rules: {
      'no-console': 'error',
      'steplight/imports': ['error', { table: importTable, source: path.join(root, 'src') }],
    },
  },
);
