import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { wat } from './tools/vite/wat.ts';

export default defineConfig({
  plugins: [svelte(), wat()],
  test: {
    include: ['tests/unit/**/*.test.ts'],
    environment: 'node',
    // The machines that run this are slow, and busy with browsers.
    testTimeout: 30_000,
  },
});
