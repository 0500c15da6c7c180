import type { Page } from '@playwright/test';

/** Calls a method of a worker; what it returns comes as it crossed the border. */
export type WorkerCall = (name: string, ...values: readonly unknown[]) => Promise<unknown>;

export interface CalledWorker {
  readonly call: WorkerCall;
  readonly end: () => void;
}

export type WithWorkerCaller = typeof globalThis & { startWorker(file: string): CalledWorker };

/** Gives the page `startWorker`, which speaks comlink's wire format to a worker of the site's own. */
export async function addWorkerCaller(page: Page): Promise<void> {
  await page.addInitScript(() => {
    (globalThis as WithWorkerCaller).startWorker = (file) => {
      const worker = new Worker(new URL(file, document.baseURI), { type: 'module' });
      return {
        call: (name, ...values) =>
          new Promise((resolve, reject) => {
            const id = crypto.randomUUID();
            const listen = ({ data }: MessageEvent<{ id: string; value: unknown }>) => {
              if (data.id !== id) return;
              worker.removeEventListener('message', listen);
              resolve(data.value);
            };
            worker.addEventListener('message', listen);
            worker.addEventListener('error', (event) => {
              reject(new Error(event.message));
            });
            const argumentList = values.map((value) => ({ type: 'RAW', value }));
            worker.postMessage({ id, type: 'APPLY', path: [name], argumentList });
          }),
        end: () => {
          worker.terminate();
        },
      };
    };
  });
}
