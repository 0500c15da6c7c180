/** How Chromium is started by the tests and the scripts. */
import { chromium } from '@playwright/test';
import { ensureChromium } from './chromium.mjs';

const quiet = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Nothing but this machine can be reached, whoever asks.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

/** Command-line flags per backend. SwiftShader is a GPU computed by the CPU: slow, but the same on every machine. */
export const chromiumFlags = {
  webgpu: [...quiet, '--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'],
  wasm: [...quiet, '--disable-blink-features=WebGPU'],
};

/** @param {keyof typeof chromiumFlags} [backend] */
export async function launchBrowser(backend = 'webgpu') {
  return chromium.launch({ executablePath: await ensureChromium(), args: chromiumFlags[backend] });
}
