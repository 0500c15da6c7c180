import { Tensor, type InferenceSession } from 'onnxruntime-web/webgpu';
import { float16ToFloat32 } from './float16.ts';
import { cacheTypeOf, type KvCache } from './kv-cache.ts';

/** What one pass over a graph gave. */
export interface GraphPass {
  readonly outputs: InferenceSession.OnnxValueMapType;
  /** What has been read, with the new tokens; empty if the graph keeps no cache. The old one is the caller's to free. */
  readonly cache: KvCache;
  /** Tokens per row, padding included. */
  readonly width: number;
  /** Milliseconds inside the runtime. */
  readonly ms: number;
}

/**
 * One pass over a batch of token sequences, right-padded to the longest, after `past` tokens that `cache` holds for
 * each row. Inputs and outputs follow the layout of Optimum's exports: `input_ids`, `attention_mask`, `position_ids`,
 * `num_logits_to_keep` (each fed only if declared), `past_key_values.*` and `present.*`.
 *
 * @param keep trailing positions to compute outputs for, where the graph declares the choice; 0 keeps all
 * @param places tensors that outputs are written to, by name; the runtime makes the others itself
 * @throws RangeError if the graph asks for an unknown input or returns a cache of another shape
 */
export async function runGraph(
  session: InferenceSession,
  sequences: readonly (readonly number[])[],
  cache: KvCache | null,
  past: number,
  keep: number,
  places: Readonly<Record<string, Tensor>> = {},
): Promise<GraphPass> {
  const rows = sequences.length;
  const width = Math.max(...sequences.map((sequence) => sequence.length));
  const total = past + width;
  const ids = new BigInt64Array(rows * width);
  const mask = new BigInt64Array(rows * total).fill(1n);
  const positions = new BigInt64Array(rows * width);
  for (const [row, sequence] of sequences.entries()) {
    for (let i = 0; i < width; i++) {
      positions[row * width + i] = BigInt(past + i);
      if (i < sequence.length) ids[row * width + i] = BigInt(sequence[i]!);
      else mask[row * total + past + i] = 0n;
    }
  }
  const offered: Record<string, Tensor> = {
    input_ids: new Tensor('int64', ids, [rows, width]),
    attention_mask: new Tensor('int64', mask, [rows, total]),
    position_ids: new Tensor('int64', positions, [rows, width]),
    num_logits_to_keep: new Tensor('int64', BigInt64Array.of(BigInt(keep)), []),
  };
  const feeds: Record<string, Tensor> = {};
  for (const name of session.inputNames) {
    const tensor = offered[name] ?? cache?.get(name) ?? emptyPast(session, name, rows);
    if (tensor === null) throw new RangeError(`The model asks for an input that is not known: ${name}.`);
    feeds[name] = tensor;
  }

  const started = performance.now();
  const outputs =
    Object.keys(places).length === 0
      ? await session.run(feeds)
      : // An output that is not named here would not be computed.
        await session.run(feeds, {
          ...Object.fromEntries(session.outputNames.map((name) => [name, null])),
          ...places,
        });
  const ms = performance.now() - started;

  const present = new Map<string, Tensor>();
  for (const [name, tensor] of Object.entries(outputs)) {
    if (!name.startsWith('present.')) continue;
    // Rows are copied by these sizes when lanes end: a wrong one would mix lanes without an error.
    if (tensor.dims.length !== 4 || tensor.dims[0] !== rows || tensor.dims[2] !== total)
      throw new RangeError('The model returned a cache of an unexpected shape.');
    present.set(name.replace('present.', 'past_key_values.'), tensor);
  }
  return { outputs, cache: present, width, ms };
}

/** @throws RangeError if the output is not there or holds no floats */
export function floatsOf(outputs: InferenceSession.OnnxValueMapType, name: string): Float32Array {
  const tensor = outputs[name];
  if (tensor?.type === 'float16') return float16ToFloat32(tensor.data);
  const data = tensor?.data;
  if (!(data instanceof Float32Array)) throw new RangeError(`The model returned no numbers for "${name}".`);
  return data;
}

/** A cache input before the first token: the declared shape with the batch filled in and no positions. */
function emptyPast(session: InferenceSession, name: string, rows: number): Tensor | null {
  const meta = session.inputMetadata.find((input) => input.name === name);
  if (meta === undefined || !meta.isTensor || !name.startsWith('past_key_values.')) return null;
  const dims = meta.shape.map((size, axis) => (axis === 0 ? rows : typeof size === 'number' ? size : 0));
  return cacheTypeOf(meta.type) === 'float32'
    ? new Tensor('float32', new Float32Array(0), dims)
    : new Tensor('float16', new Uint16Array(0), dims);
}
