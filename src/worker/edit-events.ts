import { unchangedSteps } from '../domain/change.ts';
import type { RunEvent } from '../domain/run.ts';
import type { Solution } from '../domain/solution.ts';
import type { LaneScript } from '../sampling/lane-script.ts';
import { tokenLogprob } from '../sampling/token-probabilities.ts';
import type { Rewards } from '../scoring/read-rewards.ts';

/** An edited solution with what one pass over all its tokens gave. */
export interface ReadEdit {
  readonly source: Solution;
  /** Index of the lane that it becomes. */
  readonly lane: number;
  readonly script: LaneScript;
  /** Logits after the last token of the prompt, then after each token of the script. */
  readonly logits: Float32Array;
  readonly vocabulary: number;
  /** Rewards after token `position` of the script, counted from 0. */
  readonly rewardsAt: (position: number) => Rewards;
  readonly answerOf: (line: string) => string | null;
}

/** The events of a lane that holds an edited solution: it shares the leading steps that the edit left as they were. */
export function editEvents({
  source,
  lane,
  script,
  logits,
  vocabulary,
  rewardsAt,
  answerOf,
}: ReadEdit): RunEvent[] {
  const { lines, stepEnds, tokens } = script;
  const shared = unchangedSteps(source, lines);
  const events: RunEvent[] = [{ type: 'forked', lane, from: source.lane, steps: shared }];
  for (const [step, text] of lines.entries()) {
    const begin = stepEnds[step - 1] ?? 0;
    const end = stepEnds[step]!;
    if (step >= shared) {
      let logprob = 0;
      for (let i = begin; i < end; i++)
        logprob += tokenLogprob(logits, i * vocabulary, vocabulary, tokens[i]!);
      events.push({ type: 'step', lane, text, tokens: end - begin, logprob });
    }
    if (step < shared && source.steps[step]?.reward !== null) continue;
    const reward = rewardsAt(end - 1).step;
    if (reward !== null) events.push({ type: 'reward', lane, step, reward });
  }
  const answer = answerOf(lines.at(-1) ?? '');
  const outcome = answer === null ? null : rewardsAt(tokens.length - 1).outcome;
  if (outcome !== null) events.push({ type: 'outcome', lane, reward: outcome });
  events.push({ type: 'ended', lane, end: { kind: answer === null ? 'no-answer' : 'answer' }, answer });
  return events;
}
