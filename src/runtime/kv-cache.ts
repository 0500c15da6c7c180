import { Tensor } from 'onnxruntime-web/webgpu';

/** GPUBufferUsage: STORAGE | COPY_SRC | COPY_DST, the flags that the runtime gives its own buffers. */
const STORAGE_AND_COPY = 0x80 | 0x04 | 0x08;

/** Keys and values of all layers by the name of the graph's input; shape `[batch, heads, length, size]` each. */
export type KvCache = ReadonlyMap<string, Tensor>;

/** Types that a cache may have: graphs with 16-bit weights keep 16-bit keys and values. */
export type CacheType = 'float32' | 'float16';

/** @throws RangeError if a tensor's type is not a cache's */
export function cacheTypeOf(type: string): CacheType {
  if (type === 'float32' || type === 'float16') return type;
  throw new RangeError(`The model keeps its cache as ${type}; only 32-bit and 16-bit floats can be kept.`);
}

/**
 * A new cache whose batch consists of the given rows of `cache`, in that order; rows may repeat. `cache` stays as it is.
 * Tensors stay where they are, in memory or on the GPU: rows are contiguous, so each is one copy.
 */
export function selectRows(cache: KvCache, rows: readonly number[], device: GPUDevice | null): KvCache {
  const selected = new Map<string, Tensor>();
  const encoder = device?.createCommandEncoder();
  for (const [name, tensor] of cache) {
    const [batch = 1, ...rest] = tensor.dims;
    const dims = [rows.length, ...rest];
    const type = cacheTypeOf(tensor.type);
    if (tensor.location === 'gpu-buffer' && device !== null && encoder !== undefined) {
      const rowBytes = (tensor.size / batch) * (type === 'float32' ? 4 : 2);
      const from = tensor.gpuBuffer;
      const to = device.createBuffer({ size: Math.max(16, rowBytes * rows.length), usage: STORAGE_AND_COPY });
      for (const [i, row] of rows.entries()) {
        encoder.copyBufferToBuffer(from, row * rowBytes, to, i * rowBytes, rowBytes);
      }
      selected.set(name, Tensor.fromGpuBuffer(to, { dataType: type, dims, dispose: () => to.destroy() }));
    } else {
      // 16-bit floats are opaque here, so their bits are copied.
      const data = tensor.data as Float32Array | Uint16Array;
      const width = data.length / batch;
      const copy = new (data.constructor as new (length: number) => typeof data)(width * rows.length);
      for (const [i, row] of rows.entries())
        copy.set(data.subarray(row * width, (row + 1) * width), i * width);
      selected.set(name, new Tensor(type, copy, dims));
    }
  }
  if (encoder !== undefined) device?.queue.submit([encoder.finish()]);
  return selected;
}

/** Frees all tensors of a cache. */
export function disposeCache(cache: KvCache): void {
  for (const tensor of cache.values()) tensor.dispose();
}
