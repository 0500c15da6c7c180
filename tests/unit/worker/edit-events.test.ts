import { expect, test } from 'vitest';
import { fold, eventsOf, type Run, type RunEvent } from '../../../src/domain/run.ts';
import { encodeScript } from '../../../src/sampling/lane-script.ts';
import { tokenLogprob } from '../../../src/sampling/token-probabilities.ts';
import { editEvents } from '../../../src/worker/edit-events.ts';
import { answerOf, hashedLogits, tokenizer } from '../sampling/fake-model.ts';
import { FakeEngine } from './fake-engine.ts';

const prompt = tokenizer.encode('abc\n');

function edit(run: Run, lane: number, lines: readonly string[]) {
  const script = encodeScript(tokenizer, lines, '');
  const rows = Array.from({ length: script.tokens.length + 1 }, (_, length) =>
    hashedLogits([...prompt, ...script.tokens.slice(0, length)]),
  );
  const events = editEvents({
    source: run.solutions[lane]!,
    lane: run.solutions.length,
    script,
    logits: new Float32Array(rows.flat()),
    vocabulary: rows[0]!.length,
    rewards: {
      steps: script.stepEnds.map((end) => (end - 1) / 100),
      outcome: (script.tokens.length - 1) / 1000,
    },
    answerOf,
  });
  const finished: RunEvent = { type: 'finished', status: { kind: 'complete' }, stats: run.stats! };
  return { script, rows, run: fold(run, [...events, finished])!, events };
}

test('an edited solution shares what was not changed, and has rewards and likelihoods of its own after it', async () => {
  const run = await new FakeEngine().start({ n: 3, seed: 4 });
  const lane = run.solutions.findIndex(({ steps }) => steps.length > 2);
  const source = run.solutions[lane]!;
  const lines = [source.steps[0]!.text, 'a7', '#77'];
  const { run: after, script, rows } = edit(run, lane, lines);
  const added = after.solutions[3]!;
  expect(added.forkedFrom).toEqual({ lane, steps: 1, edited: true });
  expect(added.steps[0]).toEqual(source.steps[0]);
  expect(added.steps.map(({ text }) => text)).toEqual(lines);
  expect(added).toMatchObject({ answer: '77', end: { kind: 'answer' } });
  const [, begin = 0, end = 0] = [0, ...script.stepEnds];
  let logprob = 0;
  for (let i = begin; i < end; i++)
    logprob += tokenLogprob(new Float32Array(rows[i]!), 0, rows[i]!.length, script.tokens[i]!);
  expect(added.steps[1]).toMatchObject({ tokens: 3, reward: (end - 1) / 100 });
  expect(added.steps[1]!.logprob).toBeCloseTo(logprob, 9);
  expect(added.outcomeReward).toBe((script.tokens.length - 1) / 1000);
  expect(fold(null, eventsOf(after))).toEqual(after);
});

test('without an answer in its last line there is none, and no outcome', async () => {
  const run = await new FakeEngine().start({ n: 2, seed: 4 });
  const { run: after } = edit(run, 0, ['#7', 'ab']);
  expect(after.solutions[2]).toMatchObject({
    answer: null,
    end: { kind: 'no-answer' },
    outcomeReward: null,
    forkedFrom: { lane: 0, steps: 0, edited: true },
  });
});

test('unchanged steps that had no reward get one', async () => {
  const run = await new FakeEngine().start({ n: 2, seed: 4 });
  const bare: Run = {
    ...run,
    solutions: run.solutions.map((s) => ({ ...s, steps: s.steps.map((t) => ({ ...t, reward: null })) })),
  };
  const lines = bare.solutions[0]!.steps.map(({ text }) => text);
  const { events, run: after } = edit(bare, 0, lines);
  expect(events.filter(({ type }) => type === 'step')).toEqual([]);
  expect(after.solutions[2]!.steps.every(({ reward }) => reward !== null)).toBe(true);
  expect(fold(null, eventsOf(after))).toEqual(after);
});
