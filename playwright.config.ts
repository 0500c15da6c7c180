import { defineConfig, devices } from '@playwright/test';
import { chromiumFlags } from './tools/browser.mjs';
import { chromiumCandidates } from './tools/chromium.mjs';

// `npm test` chooses a free port and a Chromium that it has seen starting.
const port = Number(process.env['STEPLIGHT_E2E_PORT'] ?? 41_739);
const executablePath = chromiumCandidates()[0];
if (executablePath === undefined) {
  throw new Error('No Chromium was found: run `npm test`, which installs one, or set CHROMIUM_PATH.');
}

const onBackend = (backend: keyof typeof chromiumFlags) => ({
  name: backend,
  use: { ...devices['Desktop Chrome'], launchOptions: { executablePath, args: chromiumFlags[backend] } },
});

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results/e2e',
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  // One browser at a time: a GPU computed by the CPU takes every core there is.
  workers: 1,
  fullyParallel: false,
  forbidOnly: Boolean(process.env['CI']),
  timeout: 180_000,
  expect: { timeout: 30_000 },
  use: {
    baseURL: `http://127.0.0.1:${port}/`,
    trace: 'retain-on-failure',
    navigationTimeout: 60_000,
  },
  projects: [
    {
      ...onBackend('webgpu'),
      // A GPU that the CPU computes needs minutes where WASM needs seconds.
      timeout: 900_000,
      // What a person types, what a file holds and what was recorded do not depend on the device; how lanes depend on N
      // and how a run is cancelled is tested where it takes seconds.
      testIgnore: [
        'share',
        'classroom',
        'offline',
        'embed',
        'bad-input',
        'model-files',
        'models',
        'tiers',
        'hub',
        'recorded',
        'cancel',
        'lanes',
        'tour',
        'data',
        'present',
        'charts',
        'memory',
        'scoring',
        'steering',
        'go-on',
        'accessibility',
      ].map((name) => `**/${name}.spec.ts`),
    },
    // There is no GPU to lose or to choose tokens on.
    { ...onBackend('wasm'), testIgnore: ['**/lost-device.spec.ts', '**/choose-on-gpu.spec.ts'] },
  ],
  webServer: {
    command: `node tools/server.mjs --port ${port}`,
    url: `http://127.0.0.1:${port}/`,
    reuseExistingServer: false,
    timeout: 30_000,
  },
});
