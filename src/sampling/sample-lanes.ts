import type { LaneEnd } from '../domain/solution.ts';
import type { FinishedStatus, RunEvent } from '../domain/run.ts';
import type { StepRule } from '../domain/model-choice.ts';
import type { RunSettings } from '../domain/settings.ts';
import type { ChosenToken, RowRequest } from '../domain/token-choice.ts';
import { chooseTokens } from './choose-tokens.ts';
import type { Frame, LaneDecoder } from './lane-decoder.ts';
import { EMPTY_SCRIPT, type LaneScript } from './lane-script.ts';
import { LineWriter } from './line-writer.ts';
import { laneUniform } from './random.ts';
import type { LaneTokenizer } from './tokenizer.ts';

/** What surrounds the sampler. */
export interface SamplerHooks {
  /** What ends a step. */
  readonly stepRule: StepRule;
  /** Receives events as they happen. */
  emit(event: RunEvent): void;
  /** Called for each token that was sampled; tokens that a lane brought with it do not count. */
  sampled(): void;
  /** The answer that a finished line declares, or `null`. The line that declares one ends its lane. */
  answerOf(line: string): string | null;
  /** Step and outcome reward of a row whose last token was the newline of a step; `null` where a head is missing. */
  rewardsOf(frame: Frame, row: number): { readonly step: number | null; readonly outcome: number | null };
  /** Called between passes: lets messages arrive. Resolves to false to cancel. */
  proceed(): Promise<boolean>;
}

/** How a lane ends, with the answer that it declares. */
export interface Ending {
  readonly end: LaneEnd;
  readonly answer: string | null;
}

/** A lane as the sampler takes it up: what it holds is not written again, only read by the model. */
export interface LaneStart {
  /** Index of the lane; its random stream goes on at the position that its tokens have reached. */
  readonly lane: number;
  readonly script: LaneScript;
  /** Indices of steps whose rewards are missing, in order. */
  readonly unjudged: readonly number[];
  /** Set if nothing is left to write, and only rewards are missing. */
  readonly ending: Ending | null;
}

/** A lane that starts from the problem alone. */
export function freshLane(lane: number): LaneStart {
  return { lane, script: EMPTY_SCRIPT, unjudged: [], ending: null };
}

/** How a sampling loop finished, and what its lanes hold then. */
export interface Sampled {
  readonly status: FinishedStatus;
  readonly scripts: ReadonlyMap<number, LaneScript>;
}

interface Lane {
  readonly index: number;
  /** What it began with. */
  readonly held: LaneScript;
  readonly writer: LineWriter;
  /** All tokens of the lane: those that were fed, then the one to feed next. */
  readonly tokens: number[];
  readonly stepEnds: number[];
  readonly lines: string[];
  /** Position at which the line being written began. */
  lineStart: number;
  /** Sum of log-probabilities of the line being written. */
  logprob: number;
  /** Steps to judge, each when its newline has been fed. */
  readonly unjudged: number[];
  /** Set when the last line is written; the lane ends once its steps have been judged. */
  ending: Ending | null;
}

/** Batch sizes that a batch may shrink to: few sizes bound the copies and the shaders that a GPU must compile. */
const BATCH_SIZES = [64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2, 1];

/** Tokens that one pass reads at most while lanes are replayed: a cancel must not wait for long. */
const REPLAY_TOKENS = 256;

function batchSizeFor(live: number): number {
  return BATCH_SIZES.findLast((size) => size >= live) ?? live;
}

/**
 * Drives lanes through one batch: a single prefill of the prompt, its cache repeated for each lane, then one pass per
 * token for all live lanes. Each pass also judges the tokens that it reads, so a step has its reward one decoding
 * step after its newline was sampled.
 *
 * Lanes that hold tokens already are replayed: they are fed what they hold, in wide passes as long as all lanes do,
 * and sample from where it ends. All rows are at one position at any time, whatever each of them brought along.
 *
 * A lane's tokens depend on the model, the settings other than N, (seed, lane) and what it began with alone: a lane
 * that was cut and taken up again becomes what it would have been.
 *
 * Emits `text`, `step`, `reward`, `outcome` and `ended` events; every lane gets exactly one `ended`. Resolves to how
 * the loop finished; rejects only if the decoder does, or computes something that is no number.
 */
export async function sampleLanes(
  decoder: LaneDecoder,
  tokenizer: LaneTokenizer,
  prompt: readonly number[],
  settings: RunSettings,
  starts: readonly LaneStart[],
  hooks: SamplerHooks,
): Promise<Sampled> {
  const room = decoder.context - prompt.length;
  const budget = Math.min(settings.maxTokens, room);
  const lanes = starts.map(({ lane, script, unjudged, ending }): Lane => ({
    index: lane,
    held: script,
    writer: new LineWriter(tokenizer, hooks.stepRule),
    tokens: [...script.tokens],
    stepEnds: [...script.stepEnds],
    lines: [...script.lines],
    lineStart: script.lineStart,
    logprob: 0,
    unjudged: [...unjudged],
    ending,
  }));
  const done = (status: FinishedStatus): Sampled => ({
    status,
    scripts: new Map(lanes.map((lane) => [lane.index, scriptOf(lane)])),
  });
  const end = (lane: Lane, { end, answer }: Ending): void =>
    hooks.emit({ type: 'ended', lane: lane.index, end, answer });

  if (budget < 1) {
    const message = `The problem has ${prompt.length} tokens; this model reads at most ${decoder.context - 1}. Shorten it.`;
    for (const lane of lanes) end(lane, { end: { kind: 'error', message }, answer: null });
    return done({ kind: 'failed', message });
  }

  /** Number of tokens after the prompt that every row has been fed. */
  let fed = 0;

  /**
   * Takes what a pass says of the lanes that its rows hold: rewards that were due, and the next tokens of lanes that
   * brought none.
   */
  const take = async (
    frame: Frame,
    held: readonly (Lane | null)[],
    rowOf: (i: number) => number,
  ): Promise<void> => {
    const asked: { readonly lane: Lane; readonly request: RowRequest }[] = [];
    for (const [i, lane] of held.entries()) {
      if (lane === null) continue;
      const row = rowOf(i);
      if (lane.unjudged[0] !== undefined && lane.stepEnds[lane.unjudged[0]] === fed) judge(lane, frame, row);
      const request = requestOf(lane, row);
      if (request !== null) asked.push({ lane, request });
    }
    const requests = asked.map(({ request }) => request);
    const choices = await chooseTokens(frame.logits, decoder.vocabulary, requests, settings);
    for (const [i, { lane, request }] of asked.entries()) {
      if (request.kind === 'draw') sample(lane, choices[i]!);
      else {
        // The line that was open goes on as if it had just been sampled.
        lane.logprob += choices[i]!.logprob;
        lane.writer.write(request.token);
      }
    }
  };

  /** What a lane needs of the logits of its row. */
  const requestOf = (lane: Lane, row: number): RowRequest | null => {
    if (fed < lane.tokens.length)
      return fed < lane.lineStart ? null : { kind: 'read', row, token: lane.tokens[fed]! };
    if (lane.ending !== null) return null;
    return { kind: 'draw', row, u: laneUniform(settings.seed, lane.index, lane.tokens.length) };
  };

  const sample = (lane: Lane, choice: ChosenToken): void => {
    hooks.sampled();
    lane.logprob += choice.logprob;
    const ended = tokenizer.ends.includes(choice.token);
    if (ended && lane.writer.length === 0) {
      lane.ending = { end: { kind: 'no-answer' }, answer: null };
      return;
    }
    // An end token closes the line that is open; the newline that the model owed is fed in its place.
    const change = ended ? lane.writer.close() : lane.writer.write(choice.token);
    lane.tokens.push(ended ? tokenizer.newline : choice.token);
    if (change.finished === null) {
      if (change.appended !== '') hooks.emit({ type: 'text', lane: lane.index, text: change.appended });
      if (lane.tokens.length >= budget) lane.ending = { end: { kind: 'length' }, answer: null };
      return;
    }
    finishLine(lane, change.finished, change.raw, ended);
  };

  const finishLine = (lane: Lane, line: string, raw: string | undefined, last: boolean): void => {
    const answer = hooks.answerOf(line);
    if (answer !== null) lane.ending = { end: { kind: 'answer' }, answer };
    else if (last) lane.ending = { end: { kind: 'no-answer' }, answer: null };
    else if (lane.tokens.length >= budget) lane.ending = { end: { kind: 'length' }, answer: null };
    // A blank line is no step: nothing to judge.
    if (line.trim() !== '') {
      const count = lane.tokens.length - lane.lineStart;
      hooks.emit({
        type: 'step',
        lane: lane.index,
        text: line,
        tokens: count,
        logprob: lane.logprob,
        ...(raw === undefined ? {} : { raw }),
      });
      lane.unjudged.push(lane.lines.length);
      lane.lines.push(line);
      lane.stepEnds.push(lane.tokens.length);
    }
    lane.lineStart = lane.tokens.length;
    lane.logprob = 0;
  };

  /** Reads the rewards of a step whose newline this frame has seen. */
  const judge = (lane: Lane, frame: Frame, row: number): void => {
    const index = lane.unjudged.shift()!;
    const { step, outcome } = hooks.rewardsOf(frame, row);
    if (step !== null) hooks.emit({ type: 'reward', lane: lane.index, step: index, reward: step });
    const last = index === lane.lines.length - 1;
    if (outcome !== null && last && lane.ending?.end.kind === 'answer') {
      hooks.emit({ type: 'outcome', lane: lane.index, reward: outcome });
    }
  };

  for (const lane of lanes) {
    // A text may have more tokens than the lane that wrote it had, and a file more text than the model can read.
    if (lane.ending === null && lane.tokens.length >= budget)
      lane.ending = { end: { kind: 'length' }, answer: null };
    if (lane.tokens.length > room) lane.unjudged.length = 0;
  }
  const live = (lane: Lane): boolean => {
    if (lane.ending === null || lane.unjudged.length > 0) return true;
    end(lane, lane.ending);
    return false;
  };
  let batch = lanes.filter(live);
  if (batch.length === 0) return done({ kind: 'complete' });

  try {
    let frame = await decoder.prefill(prompt);
    // The lanes of the frame's rows; the prefill has one row for all.
    let rows: (Lane | null)[] = [];
    await take(frame, batch, () => 0);
    for (;;) {
      batch = batch.filter(live);
      if (batch.length === 0) return done({ kind: 'complete' });
      if (!(await hooks.proceed())) {
        for (const lane of batch) end(lane, lane.ending ?? { end: { kind: 'cancelled' }, answer: null });
        return done({ kind: 'cancelled' });
      }
      rows = arrange(decoder, rows, batch);
      const width = passWidth(batch, rows.length, fed);
      frame = await decoder.feed(
        rows.map(
          (lane) =>
            lane?.tokens.slice(fed, fed + width) ?? Array.from({ length: width }, () => tokenizer.newline),
        ),
      );
      fed += width;
      await take(frame, rows, (row) => row);
    }
  } finally {
    decoder.release();
  }
}

/** Tokens that the next pass may feed to each lane: one, or more while no lane needs what lies between. */
function passWidth(batch: readonly Lane[], rows: number, fed: number): number {
  let until = fed + Math.max(1, Math.floor(REPLAY_TOKENS / rows));
  for (const { lineStart, unjudged, stepEnds } of batch) {
    until = Math.min(until, lineStart, unjudged[0] === undefined ? Infinity : stepEnds[unjudged[0]]!);
  }
  return Math.max(1, until - fed);
}

function scriptOf({ held, tokens, stepEnds, lineStart, lines, writer }: Lane): LaneScript {
  // Nothing was added: the writer may not even have seen all of it.
  if (tokens.length === held.tokens.length) return held;
  return { tokens, stepEnds, lineStart, lines, partial: writer.shown };
}

/**
 * Makes the decoder's batch hold the live lanes. Rows of lanes that ended are kept as idle ones until the batch can
 * shrink to the next smaller size, since dropping a row copies the whole cache.
 */
function arrange(
  decoder: LaneDecoder,
  rows: readonly (Lane | null)[],
  live: readonly Lane[],
): (Lane | null)[] {
  if (rows.length === 0) {
    decoder.select(live.map(() => 0));
    return [...live];
  }
  const size = batchSizeFor(live.length);
  if (size >= rows.length) return rows.map((lane) => (lane !== null && live.includes(lane) ? lane : null));
  const kept = rows.flatMap((lane, row) => (lane !== null && live.includes(lane) ? [row] : []));
  // Idle rows fill the batch up to its size; they repeat the first live row.
  const chosen = [...kept, ...Array.from({ length: size - kept.length }, () => kept[0]!)];
  decoder.select(chosen);
  return chosen.map((row, i) => (i < kept.length ? rows[row]! : null));
}
