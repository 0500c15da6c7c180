import type { Tier } from '../domain/model-choice.ts';

/** What a browser tells of its device, as far as it decides which models fit. */
export interface DeviceReport {
  /** Largest buffer on the GPU in bytes; `null` if there is no WebGPU. */
  readonly gpuBuffer: number | null;
  readonly shaderF16: boolean;
  /** GiB of memory, rounded and capped by the browser; `null` if it does not say. */
  readonly memory: number | null;
  readonly phone: boolean;
  /** Bytes that the browser will still store; `null` if it does not say. */
  readonly space: number | null;
}

interface GpuNavigator {
  readonly gpu?: {
    requestAdapter(): Promise<{
      readonly features: ReadonlySet<string>;
      readonly limits: { readonly maxBufferSize?: number };
    } | null>;
  };
  readonly deviceMemory?: number;
  readonly userAgentData?: { readonly mobile?: boolean };
}

/** Asks the browser; never rejects. */
export async function reportDevice(): Promise<DeviceReport> {
  const { gpu, deviceMemory, userAgentData } = navigator as GpuNavigator;
  const adapter = (await gpu?.requestAdapter().catch(() => null)) ?? null;
  // Absent on an address that is not secure, whatever its type says.
  const storage = navigator.storage as StorageManager | undefined;
  const space = await storage?.estimate().catch(() => null);
  return {
    gpuBuffer: adapter === null ? null : (adapter.limits.maxBufferSize ?? 2 ** 28),
    shaderF16: adapter?.features.has('shader-f16') ?? false,
    memory: deviceMemory ?? null,
    phone: userAgentData?.mobile ?? /Android|iPhone|iPad|Mobile/u.test(navigator.userAgent),
    space: space?.quota === undefined ? null : Math.max(0, space.quota - (space.usage ?? 0)),
  };
}

/**
 * The largest models that are worth a try on a device. The limits are rules of thumb: weights, cache and a copy while
 * they load must fit, and a phone's browser ends a page that takes more than about a gigabyte.
 */
export function suggestTier({ gpuBuffer, memory, phone }: DeviceReport): Tier {
  if (gpuBuffer === null) return 'bundled';
  if (phone || gpuBuffer < 2 ** 29 || (memory ?? 8) < 4) return 'small';
  return (memory ?? 8) >= 8 && gpuBuffer >= 2 ** 31 ? 'large' : 'medium';
}
