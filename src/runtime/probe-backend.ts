import type { Backend } from '../domain/run.ts';

/** What this device can run. */
export interface ProbedBackend {
  readonly backend: Backend;
  /** Whether shaders may use 16-bit floats; false on WASM. */
  readonly shaderF16: boolean;
  /** Threads for the WASM runtime. */
  readonly threads: number;
  /** Why the backend is not the one that was asked for or hoped for; `null` if it is. */
  readonly note: string | null;
}

/**
 * Decides once, before anything is loaded, what to run on: a failed WebGPU start would spoil the worker. `auto` takes
 * WebGPU where there is an adapter. WASM uses threads only where the page is cross-origin isolated.
 */
export async function probeBackend(choice: 'auto' | Backend): Promise<ProbedBackend> {
  const threads = globalThis.crossOriginIsolated
    ? Math.max(1, Math.min(4, navigator.hardwareConcurrency >> 1))
    : 1;
  const wasm = (note: string | null): ProbedBackend => ({ backend: 'wasm', shaderF16: false, threads, note });
  if (choice === 'wasm') return wasm(null);
  // Declared as always there.
  const { gpu } = navigator as { readonly gpu?: GPU };
  if (gpu === undefined) {
    return wasm(
      globalThis.isSecureContext
        ? 'This browser has no WebGPU; the models run on the processor instead.'
        : 'WebGPU needs a secure address (https or localhost); the models run on the processor instead.',
    );
  }
  try {
    const adapter = await gpu.requestAdapter();
    if (adapter === null) return wasm('No GPU adapter was found; the models run on the processor instead.');
    return { backend: 'webgpu', shaderF16: adapter.features.has('shader-f16'), threads, note: null };
  } catch (error) {
    return wasm(`WebGPU could not be asked (${String(error)}); the models run on the processor instead.`);
  }
}
