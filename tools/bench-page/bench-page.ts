/** Hangs the functions of the benchmark's worker on the window, for `npm run bench`. */
import { wrap } from 'comlink';
import type { Bench } from './bench-worker.ts';

const worker = new Worker(new URL('./bench-worker.ts', import.meta.url), { type: 'module' });
const bench = wrap<Bench>(worker);
const baseUrl = new URL('/', location.href).href;

const api = {
  load: (backend: 'wasm' | 'webgpu', models: string) => bench.load(baseUrl, backend, models),
  generation: (n: number, seed: number, limits: Parameters<Bench['generation']>[2]) =>
    bench.generation(n, seed, limits),
  liveScoring: (n: number, tokens: number, ownFirst: boolean) => bench.liveScoring(n, tokens, ownFirst),
  stepScoring: (n: number, seed: number, ownFirst: boolean) => bench.stepScoring(n, seed, ownFirst),
  bigVocabulary: (request: Parameters<Bench['bigVocabulary']>[0]) => bench.bigVocabulary(request),
};
export type BenchPage = typeof api;
Object.assign(window, { benchPage: api });
