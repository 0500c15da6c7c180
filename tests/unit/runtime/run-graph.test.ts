import { Tensor } from 'onnxruntime-web/webgpu';
import { describe, expect, it } from 'vitest';
import { floatsOf, runGraph } from '../../../src/runtime/run-graph.ts';
import { FakeSession, whole, zeros, type FakeSessionOptions, type Outputs } from './fake-session.ts';

const run = (options: FakeSessionOptions, sequences: readonly (readonly number[])[] = [[1, 2]]) =>
  runGraph(new FakeSession(options).session, sequences, null, 0, 0);

describe('one pass', () => {
  it('pads to the longest row, and masks the padding', async () => {
    const fake = new FakeSession();
    const pass = await runGraph(fake.session, [[1, 2, 3], [4]], null, 0, 0);
    const [feeds] = fake.fed;
    expect(whole(feeds?.['input_ids'])).toEqual([1, 2, 3, 4, 0, 0]);
    expect(whole(feeds?.['attention_mask'])).toEqual([1, 1, 1, 1, 0, 0]);
    expect(whole(feeds?.['position_ids'])).toEqual([0, 1, 2, 0, 1, 2]);
    expect(feeds?.['past_key_values.0.key']).toMatchObject({ type: 'float32', dims: [2, 1, 0, 1] });
    expect(pass.width).toBe(3);
    expect([...pass.cache.keys()]).toEqual(['past_key_values.0.key', 'past_key_values.0.value']);
  });

  it('goes on from a cache: positions and mask count what it holds, padding or not', async () => {
    const fake = new FakeSession();
    const first = await runGraph(fake.session, [[1, 2, 3]], null, 0, 0);
    const second = await runGraph(fake.session, [[4, 5]], first.cache, 3, 0);
    const feeds = fake.fed[1];
    expect(whole(feeds?.['position_ids'])).toEqual([3, 4]);
    expect(whole(feeds?.['attention_mask'])).toEqual([1, 1, 1, 1, 1]);
    expect(feeds?.['past_key_values.0.key']).toBe(first.cache.get('past_key_values.0.key'));
    expect(Array.from(floatsOf(second.outputs, 'scores'))).toEqual(
      Array.from(Float32Array.of(10, 10.1, 15, 15.1)),
    );
    // The old cache is the caller's to free.
    expect(fake.live.size).toBe(4);
  });

  it('feeds only what the graph declares', async () => {
    const fake = new FakeSession({ inputs: ['input_ids', 'num_logits_to_keep'], cache: null });
    const pass = await runGraph(fake.session, [[1]], null, 0, 7);
    expect(Object.keys(fake.fed[0]!).sort()).toEqual(['input_ids', 'num_logits_to_keep']);
    expect(whole(fake.fed[0]?.['num_logits_to_keep'])).toEqual([7]);
    expect(pass.cache.size).toBe(0);
  });

  it('starts with an empty cache of the type that the graph declares', async () => {
    const fake = new FakeSession({ cache: 'float16' });
    const { cache } = await runGraph(fake.session, [[1]], null, 0, 0);
    expect(fake.fed[0]?.['past_key_values.0.value']).toMatchObject({ type: 'float16', dims: [1, 1, 0, 1] });
    expect(cache.get('past_key_values.0.key')?.type).toBe('float16');
  });

  it('refuses an input that it does not know', async () => {
    await expect(run({ inputs: ['input_ids', 'token_type_ids'] })).rejects.toThrow(/token_type_ids/);
  });

  const keys = (dims: readonly number[]) => (o: Outputs) => ({ ...o, 'present.0.key': zeros(dims) });
  it.each([
    ['more rows', keys([2, 1, 2, 1])],
    ['another length', keys([1, 1, 3, 1])],
    ['fewer axes', keys([1, 2])],
  ])('refuses a cache of %s', async (_, spoil) => {
    await expect(run({ spoil })).rejects.toThrow(/cache of an unexpected shape/);
  });
});

describe('an output', () => {
  it('of 32-bit or 16-bit floats is read', async () => {
    const { outputs } = await run({
      spoil: (o) => ({ ...o, half: new Tensor('float16', Uint16Array.of(0x3c00, 0xc000), [2]) }),
    });
    expect(floatsOf(outputs, 'scores')).toBeInstanceOf(Float32Array);
    expect(Array.from(floatsOf(outputs, 'half'))).toEqual([1, -2]);
  });

  it('that is not there, or holds no floats, is refused by name', async () => {
    const { outputs } = await run({ spoil: (o) => ({ ...o, ids: new Tensor('int32', [1], [1]) }) });
    expect(() => floatsOf(outputs, 'values')).toThrow(/no numbers for "values"/);
    expect(() => floatsOf(outputs, 'ids')).toThrow(/no numbers for "ids"/);
  });
});
