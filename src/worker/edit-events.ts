import { unchangedSteps } from '../domain/change.ts';
import type { RunEvent } from '../domain/run.ts';
import type { Solution } from '../domain/solution.ts';
import type { LaneScript } from '../sampling/lane-script.ts';
import { tokenLogprob } from '../sampling/token-probabilities.ts';
import type { ScoredSolution } from './protocol.ts';

/** An edited solution with what one pass over all its tokens gave. */
export interface ReadEdit {
  readonly source: Solution;
  /** Index of the lane that it becomes. */
  readonly lane: number;
  readonly script: LaneScript;
  /** Logits after the last token of the prompt, then after each token of the script. */
  readonly logits: Float32Array;
  readonly vocabulary: number;
  /** Rewards of its steps, as far as there is a PRM, and of the whole. */
  readonly rewards: ScoredSolution;
  readonly answerOf: (line: string) => string | null;
}

/** The events of a lane that holds an edited solution: it shares the leading steps that the edit left as they were. */
export function editEvents({
  source,
  lane,
  script,
  logits,
  vocabulary,
  rewards,
  answerOf,
}: ReadEdit): RunEvent[] {
  const { lines, stepEnds, tokens } = script;
  const shared = unchangedSteps(source, lines);
  const events: RunEvent[] = [{ type: 'forked', lane, from: source.lane, steps: shared, edited: true }];
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
    const reward = rewards.steps[step];
    if (reward !== undefined) events.push({ type: 'reward', lane, step, reward });
  }
  const answer = answerOf(lines.at(-1) ?? '');
  const outcome = answer === null ? null : rewards.outcome;
  if (outcome !== null) events.push({ type: 'outcome', lane, reward: outcome });
  events.push({ type: 'ended', lane, end: { kind: answer === null ? 'no-answer' : 'answer' }, answer });
  return events;
}
