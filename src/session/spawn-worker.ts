/** Starts the engine's worker from the file that the build makes of it. */
export function spawnWorker(): Worker {
  return new Worker(new URL('../worker/main.ts', import.meta.url), { type: 'module' });
}
