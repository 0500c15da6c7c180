import { describe, expect, it } from 'vitest';
import { ScoreGraph } from '../../../src/runtime/score-graph.ts';
import { FakeSession, whole, zeros, type FakeSessionOptions } from './fake-session.ts';

function graphOf(options: FakeSessionOptions = {}): { fake: FakeSession; graph: ScoreGraph } {
  const fake = new FakeSession(options);
  return { fake, graph: new ScoreGraph(fake.session, 100) };
}

/** The score after a text: the sum of its tokens, and a tenth more. */
const score = (...tokens: number[]): Float32Array => {
  const sum = tokens.reduce((a, b) => a + b, 0);
  return Float32Array.of(sum, sum + 0.1);
};

describe('a graph with a cache', () => {
  it('reads on from any place, as often as asked', async () => {
    const { fake, graph } = graphOf();
    expect(graph.cached).toBe(true);
    const prompt = await graph.read(null, [1, 2], 'scores');
    expect(prompt.row).toEqual(score(1, 2));
    const a = await graph.read(prompt.state, [3, 4], 'scores');
    const b = await graph.read(prompt.state, [5], 'scores');
    const c = await graph.read(a.state, [6], 'scores');
    expect([a.row, b.row, c.row]).toEqual([score(1, 2, 3, 4), score(1, 2, 5), score(1, 2, 3, 4, 6)]);
    expect(whole(fake.fed[3]?.['position_ids'])).toEqual([4]);
    expect(graph.forwardMs).toBeGreaterThanOrEqual(0);
  });

  it('asks for the last position only, where the graph declares the choice', async () => {
    const { fake, graph } = graphOf({ inputs: ['input_ids', 'num_logits_to_keep'] });
    await graph.read(null, [1, 2], 'scores');
    await graph.readAt([1, 2], [0], 'scores');
    expect(fake.fed.map((feeds) => whole(feeds['num_logits_to_keep']))).toEqual([[1], [0]]);
  });

  it('frees what was read, each once, and nothing for nothing', async () => {
    const { fake, graph } = graphOf();
    const prompt = await graph.read(null, [1, 2], 'scores');
    const lane = await graph.read(prompt.state, [3], 'scores');
    expect(fake.live.size).toBe(4);
    graph.free(lane.state);
    expect(fake.live.size).toBe(2);
    // What the lane went on from is still there.
    const again = await graph.read(prompt.state, [4], 'scores');
    expect(again.row).toEqual(score(1, 2, 4));
    graph.free(again.state);
    graph.free(prompt.state);
    graph.free(null);
    expect(fake.live.size).toBe(0);
  });

  it('frees what a pass kept whose scores cannot be read', async () => {
    const { fake, graph } = graphOf({ spoil: (o) => ({ ...o, scores: zeros([2, 1, 2]) }) });
    await expect(graph.read(null, [1], 'scores')).rejects.toThrow(/unexpected shape/);
    await expect(graph.readAt([1], [0], 'scores')).rejects.toThrow(/unexpected shape/);
    await expect(graph.read(null, [1], 'values')).rejects.toThrow(/no numbers for "values"/);
    expect(fake.live.size).toBe(0);
  });
});

describe.each([null, 'float32', 'float16'] as const)('in one pass (cache: %s)', (cache) => {
  it('the scores at some positions are read, and nothing is kept', async () => {
    const { fake, graph } = graphOf({ cache });
    expect(graph.cached).toBe(cache !== null);
    expect(await graph.readAt([1, 2, 3, 4], [1, 3], 'scores')).toEqual([score(1, 2), score(1, 2, 3, 4)]);
    expect(fake.fed).toHaveLength(1);
    expect(fake.live.size).toBe(0);
  });

  it('a text of one token has one score', async () => {
    expect(await graphOf({ cache }).graph.readAt([7], [0], 'scores')).toEqual([score(7)]);
  });
});

describe('a graph with one score for a whole text', () => {
  it('gives it at the end', async () => {
    const { graph } = graphOf({ pooled: true, cache: null });
    expect(await graph.readAt([1, 2, 3], [2], 'scores')).toEqual([score(1, 2, 3)]);
  });

  it('gives none for a step before the end', async () => {
    const { graph } = graphOf({ pooled: true, cache: null });
    await expect(graph.readAt([1, 2, 3], [1, 2], 'scores')).rejects.toThrow(/one score for a whole text/);
  });

  it('gives it on a cache too', async () => {
    const { graph } = graphOf({ pooled: true });
    const { state } = await graph.read(null, [1, 2], 'scores');
    expect((await graph.read(state, [3], 'scores')).row).toEqual(score(1, 2, 3));
  });
});

describe('scores of an unexpected shape are refused', () => {
  it.each([[[2, 3, 2]], [[1, 3, 0]], [[1, 2, 2]], [[]]])('%j', async (dims) => {
    const { graph } = graphOf({ spoil: (o) => ({ ...o, scores: zeros(dims) }) });
    await expect(graph.readAt([1, 2, 3], [2], 'scores')).rejects.toThrow(RangeError);
  });
});
