import { describe, expect, it } from 'vitest';
import type { VerifierAdapter } from '../../../src/domain/verifier.ts';
import { layOut } from '../../../src/scoring/verifier-layout.ts';
import { Verifier } from '../../../src/scoring/verifier.ts';
import { RecordingGraph, scoreOf } from './recording-graph.ts';
import { wordTokenizer } from './word-tokenizer.ts';

const CHARACTERS = [...new Set('abcdefghijklmnopqrstuvwxyz ABCP0123456789?.:\n!=\u{10fffd}')];
const tokenizer = wordTokenizer(CHARACTERS);

/** The problem, steps that end in a newline, and a probe if one is given. */
function adapterOf(change: Partial<VerifierAdapter> & { probe?: readonly string[] } = {}): VerifierAdapter {
  const { probe = [], ...rest } = change;
  return {
    reads: 'steps',
    layout: { joined: false, prompt: ['P: {problem}\n'], step: ['{step}\n'], between: [], probe },
    head: { kind: 'probability', output: 'scores', index: 0, width: 1 },
    comparable: 'everywhere',
    ...rest,
  };
}

const asked = adapterOf({ probe: ['good?'] });
const PROBLEM = 'how many?';
const STEPS = ['a = 1', 'b = 2', 'c = 3'];

/** What a verifier must say of the last of some steps. */
function expected(adapter: VerifierAdapter, problem: string, steps: readonly string[]): number {
  const { stem, probe } = layOut(adapter.layout, tokenizer, problem, steps);
  return Math.fround(scoreOf([...stem, ...probe]));
}

const stemOf = (steps: readonly string[]): readonly number[] =>
  layOut(adapterOf().layout, tokenizer, PROBLEM, steps).stem;

describe('a lane', () => {
  it('goes on from where it is: no token is read twice, and the prompt is read once for all lanes', async () => {
    const graph = new RecordingGraph();
    const verifier = new Verifier(adapterOf(), graph, tokenizer);
    const lanes = [STEPS, ['a = 1', 'b = 3'], ['z']];
    for (let step = 1; step <= 3; step++)
      for (const [lane, steps] of lanes.entries())
        if (step <= steps.length)
          expect(await verifier.judge(lane, PROBLEM, steps.slice(0, step))).toBe(
            expected(adapterOf(), PROBLEM, steps.slice(0, step)),
          );
    const prompt = tokenizer.encode(`P: ${PROBLEM}\n`).length;
    const own = lanes.map((steps) => stemOf(steps).length - prompt);
    expect(graph.tokensRead).toBe(prompt + own.reduce((a, b) => a + b, 0));
    expect(graph.passes[0]).toEqual({ after: [], tokens: tokenizer.encode(`P: ${PROBLEM}\n`) });
    expect(graph.passes.filter(({ after }) => after.length === 0)).toHaveLength(1);
    expect(graph.held).toBe(lanes.length + 1);
  });

  it('gives what judging a whole solution at once gives', async () => {
    for (const adapter of [adapterOf(), asked])
      for (const cached of [true, false]) {
        const graph = new RecordingGraph({ cached });
        const verifier = new Verifier(adapter, graph, tokenizer);
        const one: number[] = [];
        for (const i of STEPS.keys()) one.push(await verifier.judge(0, PROBLEM, STEPS.slice(0, i + 1)));
        expect(await verifier.judgeSteps(1, PROBLEM, STEPS)).toEqual(one);
        expect(one).toEqual(STEPS.map((_, i) => expected(adapter, PROBLEM, STEPS.slice(0, i + 1))));
        // The same lane again, although it has been read to its end.
        expect(await verifier.judgeSteps(0, PROBLEM, STEPS)).toEqual(one);
        verifier.release();
        expect(graph.held).toBe(0);
      }
  });

  it('that changed is read anew, after the prompt', async () => {
    const graph = new RecordingGraph();
    const verifier = new Verifier(adapterOf(), graph, tokenizer);
    await verifier.judge(0, PROBLEM, STEPS);
    const other = ['a = 1', 'x'];
    expect(await verifier.judge(0, PROBLEM, other)).toBe(expected(adapterOf(), PROBLEM, other));
    expect(graph.passes.at(-1)!.after).toEqual(tokenizer.encode(`P: ${PROBLEM}\n`));
    // Shorter than what was read, or the same again.
    for (const steps of [['a = 1'], ['a = 1']])
      expect(await verifier.judge(0, PROBLEM, steps)).toBe(expected(adapterOf(), PROBLEM, steps));
    expect(graph.held).toBe(2);
  });

  it('that was forgotten is freed, once, and can be read again', async () => {
    const graph = new RecordingGraph();
    const verifier = new Verifier(adapterOf(), graph, tokenizer);
    await verifier.judge(0, PROBLEM, STEPS);
    await verifier.judge(1, PROBLEM, STEPS);
    verifier.forget(0);
    verifier.forget(0);
    verifier.forget(7);
    expect(graph.held).toBe(2);
    expect(await verifier.judge(0, PROBLEM, STEPS)).toBe(expected(adapterOf(), PROBLEM, STEPS));
    verifier.release();
    verifier.release();
    expect(graph.held).toBe(0);
  });

  it('of another problem is read with that problem; what was read of the first is freed', async () => {
    const graph = new RecordingGraph();
    const verifier = new Verifier(adapterOf(), graph, tokenizer);
    await verifier.judge(0, PROBLEM, STEPS);
    await verifier.judge(1, PROBLEM, STEPS);
    for (const problem of ['other?', PROBLEM]) {
      expect(await verifier.judge(0, problem, STEPS)).toBe(expected(adapterOf(), problem, STEPS));
      expect(graph.held).toBe(2);
    }
  });

  it('that cannot be read is not held', async () => {
    const graph = new RecordingGraph();
    const verifier = new Verifier(asked, graph, tokenizer);
    await verifier.judge(0, PROBLEM, STEPS.slice(0, 1));
    graph.broken = true;
    await expect(verifier.judge(0, PROBLEM, STEPS.slice(0, 2))).rejects.toThrow('the device is gone');
    verifier.release();
    expect(graph.held).toBe(0);
  });
});

describe('a probe', () => {
  it('is forgotten before the next step', async () => {
    const graph = new RecordingGraph();
    const verifier = new Verifier(asked, graph, tokenizer);
    for (const i of STEPS.keys()) {
      const steps = STEPS.slice(0, i + 1);
      expect(await verifier.judge(0, PROBLEM, steps)).toBe(expected(asked, PROBLEM, steps));
      // The prompt and the lane; what was read of the probe is freed at once.
      expect(graph.held).toBe(2);
    }
    const probe = tokenizer.encode('good?');
    const asks = graph.passes.filter(({ tokens }) => tokens.join() === probe.join());
    expect(asks).toHaveLength(3);
    expect(graph.tokensRead).toBe(stemOf(STEPS).length + 3 * probe.length);
    expect(graph.passes.every(({ after }) => !tokenizer.words(after).join('').includes('good?'))).toBe(true);
  });

  it('counts for the room', async () => {
    const room = stemOf(STEPS).length + 4;
    const verifier = new Verifier(asked, new RecordingGraph({ context: room }), tokenizer);
    await expect(verifier.judge(0, PROBLEM, STEPS)).rejects.toThrow(RangeError);
    const larger = new Verifier(asked, new RecordingGraph({ context: room + 1 }), tokenizer);
    expect(await larger.judge(0, PROBLEM, STEPS)).toBe(expected(asked, PROBLEM, STEPS));
  });
});

describe('a graph without a cache', () => {
  it('reads a whole solution in one pass', async () => {
    const graph = new RecordingGraph({ cached: false });
    const verifier = new Verifier(adapterOf(), graph, tokenizer);
    expect(verifier.live).toBe(false);
    await verifier.judgeSteps(0, PROBLEM, STEPS);
    expect(graph.passes).toEqual([{ after: [], tokens: stemOf(STEPS) }]);
  });

  it('reads it once for each step where a probe is asked', async () => {
    const graph = new RecordingGraph({ cached: false });
    await new Verifier(asked, graph, tokenizer).judgeSteps(0, PROBLEM, STEPS);
    expect(graph.passes).toHaveLength(3);
  });

  it('and a step whose tokens melt into the next is read as it was alone', async () => {
    const melting = wordTokenizer([...CHARACTERS, '.a', '.b']);
    const adapter = adapterOf({
      layout: { joined: true, prompt: ['{problem}'], step: ['{step}.'], between: [], probe: [] },
    });
    const graph = new RecordingGraph({ cached: false });
    const steps = ['a', 'b'];
    const alone = steps.map((_, i) =>
      Math.fround(scoreOf(layOut(adapter.layout, melting, 'p', steps.slice(0, i + 1)).stem)),
    );
    expect(await new Verifier(adapter, graph, melting).judgeSteps(0, 'p', steps)).toEqual(alone);
    const cached = new RecordingGraph();
    const verifier = new Verifier(adapter, cached, melting);
    expect(await verifier.judgeSteps(0, 'p', steps)).toEqual(alone);
    verifier.release();
    expect(cached.held).toBe(0);
  });
});

describe('judging', () => {
  it.each([true, false])('no steps gives no scores and reads nothing (cached: %s)', async (cached) => {
    const graph = new RecordingGraph({ cached });
    expect(await new Verifier(adapterOf(), graph, tokenizer).judgeSteps(0, PROBLEM, [])).toEqual([]);
    expect(graph.passes).toEqual([]);
  });

  it.each([true, false])(
    'a text that is too long is refused before it is read (cached: %s)',
    async (cached) => {
      const graph = new RecordingGraph({ cached, context: 20 });
      const verifier = new Verifier(adapterOf(), graph, tokenizer);
      await expect(verifier.judge(0, PROBLEM, STEPS)).rejects.toThrow(/reads at most 20/);
      if (!cached) await expect(verifier.judgeSteps(0, PROBLEM, STEPS)).rejects.toThrow(/reads at most 20/);
      expect(graph.passes).toEqual([]);
      expect(graph.held).toBe(0);
    },
  );

  it('happens as steps are written only by a graph with a cache that reads steps', () => {
    const live = (adapter: VerifierAdapter, cached: boolean) =>
      new Verifier(adapter, new RecordingGraph({ cached }), tokenizer).live;
    expect(live(adapterOf(), true)).toBe(true);
    expect(live(adapterOf(), false)).toBe(false);
    expect(live(adapterOf({ reads: 'solution' }), true)).toBe(false);
  });

  it('is refused at once by an adapter that does not fit the tokenizer', () => {
    const chat = adapterOf({
      layout: { joined: true, prompt: ['{chat:open}'], step: ['{step}'], between: [], probe: [] },
    });
    expect(() => new Verifier(chat, new RecordingGraph(), tokenizer)).toThrow(/no chat template/);
    const verdict = adapterOf({ head: { kind: 'tokens', output: 'logits', good: 'yes', bad: 'n' } });
    expect(() => new Verifier(verdict, new RecordingGraph(), tokenizer)).toThrow(/"yes" has 3 tokens/);
  });
});
