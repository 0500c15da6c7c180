import { Tensor, type InferenceSession } from 'onnxruntime-web/webgpu';
import { expect, test } from 'vitest';
import { CausalDecoder, type DecoderGpu } from '../../../src/runtime/causal-decoder.ts';

type Feeds = Readonly<Record<string, Tensor>>;
const VOCABULARY = 3;

const zeros = (dims: readonly number[]): Tensor =>
  new Tensor('float32', new Float32Array(dims.reduce((a, b) => a * b, 1)), dims);

/** The second argument of each call of the runtime. */
const placesAsked: unknown[] = [];

/** What a graph of one layer returns of the right shapes, unless `spoil` changes it. */
function decoderOf(
  spoil: (outputs: Record<string, Tensor>) => Record<string, Tensor>,
  gpu: DecoderGpu | null = null,
): CausalDecoder {
  const run = (
    { input_ids: ids, attention_mask: mask, num_logits_to_keep: keep }: Feeds,
    places?: unknown,
  ) => {
    placesAsked.push(places);
    const [rows = 0, width = 0] = ids!.dims;
    const kept = Number((keep!.data as BigInt64Array)[0]) || width;
    const cache = [rows, 2, mask!.dims[1]!, 4];
    return Promise.resolve(
      spoil({
        logits: zeros([rows, kept, VOCABULARY]),
        rewards: zeros([rows, kept, 2]),
        'present.0.key': zeros(cache),
        'present.0.value': zeros(cache),
      }),
    );
  };
  const session = {
    inputNames: [
      'input_ids',
      'attention_mask',
      'num_logits_to_keep',
      'past_key_values.0.key',
      'past_key_values.0.value',
    ],
    inputMetadata: ['key', 'value'].map((half) => ({
      name: `past_key_values.0.${half}`,
      isTensor: true,
      type: 'float32',
      shape: ['batch', 2, 'past', 4],
    })),
    outputNames: ['logits', 'rewards', 'present.0.key', 'present.0.value'],
    run,
  } as unknown as InferenceSession;
  return new CausalDecoder(
    session,
    { vocabulary: VOCABULARY, context: 8, rewardOutput: 'rewards', rewardWidth: 2 },
    gpu,
  );
}

test('rows share a prompt, take several tokens at a time, and are read at once', async () => {
  const decoder = decoderOf((outputs) => outputs);
  await decoder.prefill([1, 2]);
  decoder.select([0, 0, 0]);
  const frame = await decoder.feed([
    [1, 2],
    [2, 1],
    [1, 1],
  ]);
  expect(frame).toMatchObject({ rows: 3 });
  expect(frame.logits).toHaveLength(3 * VOCABULARY);
  expect(frame.rewards).toHaveLength(3 * 2);
  expect((await decoder.read([1, 2, 0, 1], 3)).logits).toHaveLength(3 * VOCABULARY);
});

const without =
  (name: string) =>
  ({ [name]: _, ...rest }: Record<string, Tensor>) =>
    rest;

test.each<[string, (outputs: Record<string, Tensor>) => Record<string, Tensor>, RegExp]>([
  ['no logits', without('logits'), /no numbers for "logits"/],
  ['no rewards', without('rewards'), /no numbers for "rewards"/],
  ['whole numbers for logits', (o) => ({ ...o, logits: new Tensor('int32', [1, 2, 3]) }), /no numbers/],
  ['logits of another vocabulary', (o) => ({ ...o, logits: zeros([1, 1, 4]) }), /logits of an unexpected/],
  ['rewards of another width', (o) => ({ ...o, rewards: zeros([1, 1, 3]) }), /rewards of an unexpected/],
  ['a cache of more rows', (o) => ({ ...o, 'present.0.key': zeros([2, 2, 2, 4]) }), /cache of an unexpected/],
  ['a cache of no length', (o) => ({ ...o, 'present.0.value': zeros([1, 2, 0, 4]) }), /cache of an unex/],
  ['a flat cache', (o) => ({ ...o, 'present.0.key': zeros([16]) }), /cache of an unexpected/],
])('a graph that returns %s is refused', async (_, spoil, message) => {
  await expect(decoderOf(spoil).prefill([1, 2])).rejects.toThrow(message);
});

test('nothing is fed beyond the context', async () => {
  const decoder = decoderOf((outputs) => outputs);
  await expect(decoder.prefill([1, 1, 1, 1, 1, 1, 1, 1, 1])).rejects.toThrow(/longer than the context/);
  await decoder.prefill([1, 1, 1, 1, 1, 1, 1, 1]);
  await expect(decoder.feed([[1]])).rejects.toThrow(/longer than the context/);
});

test('logits stay on the GPU where there is a place for them, and are read back where there is none', async () => {
  const tensor = zeros([1, 1, VOCABULARY]);
  const logits = { choose: () => Promise.resolve([{ token: 2, logprob: -1 }]) };
  const asked: unknown[] = [];
  const gpuLogits = {
    place: (shape: unknown) => (asked.push(shape) === 1 ? { tensor, logits } : null),
    free: () => {},
  };
  const decoder = decoderOf((outputs) => outputs, {
    device: null,
    logits: gpuLogits,
  } as unknown as DecoderGpu);
  placesAsked.length = 0;
  expect((await decoder.prefill([1, 2])).logits).toBe(logits);
  expect((await decoder.feed([[1]])).logits).toBeInstanceOf(Float32Array);
  expect((await decoder.read([1], 1)).logits).toBeInstanceOf(Float32Array);
  // The graph computes the last position only; the runtime makes the other outputs itself.
  expect(asked).toEqual([
    { rows: 1, positions: 1 },
    { rows: 1, positions: 1 },
  ]);
  expect(placesAsked).toEqual([
    { logits: tensor, rewards: null, 'present.0.key': null, 'present.0.value': null },
    undefined,
    undefined,
  ]);
});
