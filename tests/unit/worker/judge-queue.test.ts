import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/domain/run.ts';
import type { LaneEnd } from '../../../src/domain/solution.ts';
import type { VerifierAdapter } from '../../../src/domain/verifier.ts';
import { encodeScript } from '../../../src/sampling/lane-script.ts';
import { freshLane, type LaneStart } from '../../../src/sampling/sample-lanes.ts';
import { layOut } from '../../../src/scoring/verifier-layout.ts';
import { Verifier } from '../../../src/scoring/verifier.ts';
import { JudgeQueue } from '../../../src/worker/judge-queue.ts';
import { tokenizer as laneTokenizer } from '../sampling/fake-model.ts';
import { RecordingGraph, scoreOf } from '../scoring/recording-graph.ts';
import { wordTokenizer } from '../scoring/word-tokenizer.ts';

const tokenizer = wordTokenizer([...'abc#7 p?\n\u{10fffd}']);
const PROBLEM = 'p?';

function adapterOf(reads: VerifierAdapter['reads']): VerifierAdapter {
  return {
    reads,
    layout: { joined: false, prompt: ['{problem}\n'], step: ['{step}\n'], between: [], probe: [] },
    head: { kind: 'probability', output: 'scores', index: 0, width: 1 },
    comparable: 'everywhere',
  };
}

/** What either judge must say of the last of some lines. */
const score = (...lines: string[]): number =>
  Math.fround(scoreOf(layOut(adapterOf('steps').layout, tokenizer, PROBLEM, lines).stem));

interface Judges {
  readonly prm?: RecordingGraph;
  readonly orm?: RecordingGraph;
}

function queueOf({ prm, orm }: Judges, starts: readonly LaneStart[] = [freshLane(0), freshLane(1)]) {
  const events: RunEvent[] = [];
  const queue = new JudgeQueue(
    {
      prm: prm === undefined ? null : new Verifier(adapterOf('steps'), prm, tokenizer),
      orm: orm === undefined ? null : new Verifier(adapterOf('solution'), orm, tokenizer),
    },
    PROBLEM,
    (event) => events.push(event),
  );
  const seeded = starts.map((start) => queue.seed(start));
  return { queue, events, seeded };
}

const step = (lane: number, text: string): RunEvent => ({ type: 'step', lane, text, tokens: 2, logprob: -1 });
const ended = (lane: number, kind: 'answer' | 'length' | 'no-answer' | 'cancelled'): RunEvent => ({
  type: 'ended',
  lane,
  end: { kind } satisfies LaneEnd,
  answer: kind === 'answer' ? '7' : null,
});
const reward = (lane: number, index: number, ...lines: string[]): RunEvent => ({
  type: 'reward',
  lane,
  step: index,
  reward: score(...lines),
});
const outcome = (lane: number, ...lines: string[]): RunEvent => ({
  type: 'outcome',
  lane,
  reward: score(...lines),
});

const always = () => Promise.resolve(true);
/** Says no after so many times. */
const times = (count: number) => {
  let left = count;
  return () => Promise.resolve(left-- > 0);
};

describe('a PRM that reads on', () => {
  it('judges each step as soon as it is written, lane after lane', async () => {
    const prm = new RecordingGraph();
    const { queue, events } = queueOf({ prm });
    queue.take(step(0, 'a'));
    queue.take(step(1, 'b'));
    expect(await queue.judge(always)).toBe(true);
    expect(events).toEqual([reward(0, 0, 'a'), reward(1, 0, 'b')]);
    queue.take(step(1, 'c'));
    expect(await queue.judge(always)).toBe(true);
    expect(events.slice(2)).toEqual([reward(1, 1, 'b', 'c')]);
    // The problem once, then each line once.
    expect(prm.tokensRead).toBe(tokenizer.encode('p?\na\nb\nc\n').length);
  });

  it('judges nothing twice, and nothing where nothing was written', async () => {
    const prm = new RecordingGraph();
    const { queue, events } = queueOf({ prm });
    expect(await queue.judge(always)).toBe(true);
    queue.take(step(0, 'a'));
    await queue.judge(always);
    await queue.judge(always);
    expect(events).toHaveLength(1);
  });

  it('forgets a lane that has ended, though its last step was judged before', async () => {
    const prm = new RecordingGraph();
    const { queue } = queueOf({ prm });
    queue.take(step(0, 'a'));
    queue.take(step(1, 'b'));
    await queue.judge(always);
    expect(prm.held).toBe(3);
    queue.take(ended(0, 'length'));
    await queue.judge(always);
    expect(prm.held).toBe(2);
    queue.take(ended(1, 'answer'));
    await queue.judge(always);
    // What all lanes begin with.
    expect(prm.held).toBe(1);
    queue.release();
    expect(prm.held).toBe(0);
  });
});

describe('a PRM that cannot read on', () => {
  it('judges a lane when it has ended, in one pass', async () => {
    const prm = new RecordingGraph({ cached: false });
    const { queue, events } = queueOf({ prm });
    queue.take(step(0, 'a'));
    queue.take(step(0, 'b'));
    queue.take(step(1, 'c'));
    expect(await queue.judge(always)).toBe(true);
    expect(events).toEqual([]);
    queue.take(ended(0, 'no-answer'));
    expect(await queue.judge(always)).toBe(true);
    expect(events).toEqual([reward(0, 0, 'a'), reward(0, 1, 'a', 'b')]);
    expect(prm.passes).toHaveLength(1);
  });

  it('tells of an earlier step only what is not known', async () => {
    const prm = new RecordingGraph({ cached: false });
    const script = encodeScript(laneTokenizer, ['a', 'b'], '');
    const { queue, events } = queueOf({ prm }, [{ lane: 0, script, unjudged: [1], ending: null }]);
    queue.take(step(0, 'c'));
    queue.take(ended(0, 'answer'));
    await queue.judge(always);
    expect(events).toEqual([reward(0, 1, 'a', 'b'), reward(0, 2, 'a', 'b', 'c')]);
  });
});

describe('an ORM', () => {
  it('reads a solution only when it has an answer, after the PRM has judged its steps', async () => {
    const [prm, orm] = [new RecordingGraph(), new RecordingGraph()];
    const { queue, events } = queueOf({ prm, orm });
    queue.take(step(0, 'a'));
    queue.take(step(0, '#7'));
    queue.take(ended(0, 'answer'));
    queue.take(step(1, 'b'));
    await queue.judge(always);
    expect(events).toEqual([
      reward(0, 0, 'a'),
      reward(0, 1, 'a', '#7'),
      outcome(0, 'a', '#7'),
      reward(1, 0, 'b'),
    ]);
    await queue.judge(always);
    expect(events).toHaveLength(4);
  });

  it.each(['length', 'no-answer', 'cancelled'] as const)('reads none that ended by %s', async (kind) => {
    const orm = new RecordingGraph();
    const { queue, events } = queueOf({ orm });
    queue.take(step(0, 'a'));
    queue.take(ended(0, kind));
    expect(await queue.judge(always)).toBe(true);
    expect(events).toEqual([]);
    expect(orm.passes).toEqual([]);
  });

  it('holds no solution that it has read', async () => {
    const orm = new RecordingGraph();
    const { queue } = queueOf({ orm });
    for (const lane of [0, 1]) {
      queue.take(step(lane, '#7'));
      queue.take(ended(lane, 'answer'));
    }
    await queue.judge(always);
    expect(orm.held).toBe(1);
    queue.release();
    expect(orm.held).toBe(0);
  });
});

describe('a cancel between two judgements', () => {
  it('keeps the rewards so far; the rest is due, and comes when it goes on', async () => {
    const [prm, orm] = [new RecordingGraph(), new RecordingGraph()];
    const { queue, events } = queueOf({ prm, orm });
    const whole = [step(0, 'a'), step(0, '#7'), ended(0, 'answer'), step(1, 'b'), ended(1, 'length')];
    for (const event of whole) queue.take(event);
    const expected = [reward(0, 0, 'a'), reward(0, 1, 'a', '#7'), outcome(0, 'a', '#7'), reward(1, 0, 'b')];
    for (const count of expected.keys()) {
      expect(await queue.judge(times(0))).toBe(false);
      expect(events).toEqual(expected.slice(0, count + 1));
    }
    expect(await queue.judge(always)).toBe(true);
    expect(events).toEqual(expected);
    queue.release();
    expect([prm.held, orm.held]).toEqual([0, 0]);
  });

  it('stops a PRM that cannot read on after the lane that it reads', async () => {
    const { queue, events } = queueOf({ prm: new RecordingGraph({ cached: false }) });
    for (const lane of [0, 1]) {
      queue.take(step(lane, 'a'));
      queue.take(ended(lane, 'length'));
    }
    expect(await queue.judge(times(0))).toBe(false);
    expect(events).toEqual([reward(0, 0, 'a')]);
    expect(await queue.judge(times(1))).toBe(true);
    expect(events).toEqual([reward(0, 0, 'a'), reward(1, 0, 'a')]);
  });

  it('frees what was read of lanes that were cut', async () => {
    const prm = new RecordingGraph();
    const { queue } = queueOf({ prm });
    queue.take(step(0, 'a'));
    queue.take(step(0, 'b'));
    await queue.judge(times(0));
    queue.take(ended(0, 'cancelled'));
    queue.release();
    expect(prm.held).toBe(0);
  });
});

describe('a lane that goes on', () => {
  const script = encodeScript(laneTokenizer, ['a', 'b'], '');
  const start: LaneStart = { lane: 3, script, unjudged: [1], ending: null };

  it('is judged here where there is a PRM, and by the sampler where there is none', () => {
    expect(queueOf({ prm: new RecordingGraph() }, [start]).seeded).toEqual([{ ...start, unjudged: [] }]);
    expect(queueOf({ orm: new RecordingGraph() }, [start]).seeded).toEqual([start]);
  });

  it('gets the rewards that are missing, then those of what it writes', async () => {
    const { queue, events } = queueOf({ prm: new RecordingGraph() }, [start]);
    expect(await queue.judge(always)).toBe(true);
    queue.take(step(3, 'c'));
    await queue.judge(always);
    expect(events).toEqual([reward(3, 1, 'a', 'b'), reward(3, 2, 'a', 'b', 'c')]);
  });

  it('gets the outcome that is missing, though nothing is left to write', async () => {
    const over: LaneStart = {
      lane: 3,
      script: encodeScript(laneTokenizer, ['a', '#7'], ''),
      unjudged: [],
      ending: { end: { kind: 'answer' }, answer: '7' },
    };
    const { queue, events } = queueOf({ prm: new RecordingGraph(), orm: new RecordingGraph() }, [over]);
    queue.take(ended(3, 'answer'));
    expect(await queue.judge(always)).toBe(true);
    expect(events).toEqual([outcome(3, 'a', '#7')]);
  });
});

describe('without judges of its own', () => {
  it('nothing is judged', async () => {
    const { queue, events } = queueOf({});
    queue.take(step(0, 'a'));
    queue.take(ended(0, 'answer'));
    expect(await queue.judge(times(0))).toBe(true);
    expect(events).toEqual([]);
    queue.release();
  });

  it('events of lanes that are not there, and other events, are let be', async () => {
    const { queue, events } = queueOf({ prm: new RecordingGraph(), orm: new RecordingGraph() });
    queue.take(step(9, 'a'));
    queue.take(ended(9, 'answer'));
    queue.take({ type: 'text', lane: 0, text: 'a' });
    expect(await queue.judge(always)).toBe(true);
    expect(events).toEqual([]);
  });
});

describe('a lane that is too long for a judge', () => {
  it.each([true, false])(
    'stays without further rewards, and the others go on (cached: %s)',
    async (cached) => {
      // The prompt is three tokens, a step of one letter two more.
      const { queue, events } = queueOf({
        prm: new RecordingGraph({ cached, context: 7 }),
        orm: new RecordingGraph({ context: 7 }),
      });
      queue.take(step(0, 'a'));
      queue.take(step(0, 'b'));
      queue.take(step(0, '#7'));
      queue.take(step(1, '#7'));
      queue.take(ended(0, 'answer'));
      queue.take(ended(1, 'answer'));
      expect(await queue.judge(always)).toBe(true);
      expect(events.filter((event) => 'lane' in event && event.lane === 1)).toEqual([
        reward(1, 0, '#7'),
        outcome(1, '#7'),
      ]);
      expect(events.filter((event) => event.type === 'outcome' && event.lane === 0)).toEqual([]);
      expect(events.filter((event) => event.type === 'reward' && event.lane === 0)).toEqual(
        cached ? [reward(0, 0, 'a'), reward(0, 1, 'a', 'b')] : [],
      );
      expect(await queue.judge(always)).toBe(true);
    },
  );
});
