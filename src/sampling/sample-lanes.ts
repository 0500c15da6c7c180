import type { LaneEnd } from '../domain/solution.ts';
import type { FinishedStatus, RunEvent } from '../domain/run.ts';
import type { RunSettings } from '../domain/settings.ts';
import { chooseToken } from './choose-token.ts';
import type { Frame, LaneDecoder } from './lane-decoder.ts';
import { LineWriter } from './line-writer.ts';
import { laneUniform } from './random.ts';
import type { LaneTokenizer } from './tokenizer.ts';

/** What surrounds the sampler. */
export interface SamplerHooks {
  /** Receives events as they happen. */
  emit(event: RunEvent): void;
  /** The answer that a finished line declares, or `null`. The line that declares one ends its lane. */
  answerOf(line: string): string | null;
  /** Step and outcome reward of a row whose last token was the newline of a step; `null` where a head is missing. */
  rewardsOf(frame: Frame, row: number): { readonly step: number | null; readonly outcome: number | null };
  /** Called between passes: lets messages arrive. Resolves to false to cancel. */
  proceed(): Promise<boolean>;
}

/** Counts of a sampling loop. */
export interface SampleCounts {
  /** Tokens sampled over all lanes. */
  readonly tokens: number;
  /** `performance.now()` when the first token was chosen; `null` if none was. */
  readonly firstTokenAt: number | null;
}

interface Lane {
  readonly index: number;
  readonly writer: LineWriter;
  /** Tokens sampled so far; the position of the lane's random stream. */
  position: number;
  /** The token to feed next. */
  next: number;
  /** Position at which the line being written began. */
  lineStart: number;
  /** Sum of log-probabilities of the line being written. */
  logprob: number;
  /** Index of the step whose reward is read when its newline has been fed; `null` within a line. */
  unjudged: number | null;
  steps: number;
  /** Set when the last line is written; the lane ends once it has been judged. */
  ending: { readonly end: LaneEnd; readonly answer: string | null } | null;
}

/** Batch sizes that a batch may shrink to: few sizes bound the copies and the shaders that a GPU must compile. */
const BATCH_SIZES = [64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2, 1];

function batchSizeFor(live: number): number {
  return BATCH_SIZES.findLast((size) => size >= live) ?? live;
}

/**
 * Drives N lanes through one batch: a single prefill of the prompt, its cache repeated N times, then one pass per
 * token for all live lanes. Each pass also judges the tokens that it reads, so a step has its reward one decoding
 * step after its newline was sampled.
 *
 * A lane's tokens depend on the model, the settings other than N, and (seed, lane) alone.
 *
 * Emits `text`, `step`, `reward`, `outcome` and `ended` events; every lane gets exactly one `ended`. Resolves to how
 * the loop finished; rejects only if the decoder does, or computes something that is no number.
 */
export async function sampleLanes(
  decoder: LaneDecoder,
  tokenizer: LaneTokenizer,
  prompt: readonly number[],
  settings: RunSettings,
  hooks: SamplerHooks,
): Promise<{ status: FinishedStatus; counts: SampleCounts }> {
  const budget = Math.min(settings.maxTokens, decoder.context - prompt.length);
  const lanes = Array.from({ length: settings.n }, (_, index): Lane => ({
    index,
    writer: new LineWriter(tokenizer),
    position: 0,
    next: -1,
    lineStart: 0,
    logprob: 0,
    unjudged: null,
    steps: 0,
    ending: null,
  }));
  let tokens = 0;
  let firstTokenAt: number | null = null;
  const done = (status: FinishedStatus) => ({ status, counts: { tokens, firstTokenAt } });
  const end = (lane: Lane, how: LaneEnd, answer: string | null): void =>
    hooks.emit({ type: 'ended', lane: lane.index, end: how, answer });

  if (budget < 1) {
    const message = `The problem has ${prompt.length} tokens; this model reads at most ${decoder.context - 1}. Shorten it.`;
    for (const lane of lanes) end(lane, { kind: 'error', message }, null);
    return done({ kind: 'failed', message });
  }

  /** Samples the lane's next token from a row and says what it did to the text. */
  const advance = (lane: Lane, frame: Frame, row: number): void => {
    const u = laneUniform(settings.seed, lane.index, lane.position);
    const choice = chooseToken(frame.logits, row * decoder.vocabulary, decoder.vocabulary, settings, u);
    firstTokenAt ??= performance.now();
    lane.position++;
    tokens++;
    lane.logprob += choice.logprob;
    const ended = tokenizer.ends.includes(choice.token);
    if (ended && lane.writer.length === 0) {
      lane.ending = { end: { kind: 'no-answer' }, answer: null };
      return;
    }
    // An end token closes the line that is open; the newline that the model owed is fed in its place.
    const change = ended ? lane.writer.close() : lane.writer.write(choice.token);
    lane.next = ended ? tokenizer.newline : choice.token;
    if (change.finished === null) {
      if (change.appended !== '') hooks.emit({ type: 'text', lane: lane.index, text: change.appended });
      if (lane.position >= budget) lane.ending = { end: { kind: 'length' }, answer: null };
      return;
    }
    finishLine(lane, change.finished, ended);
  };

  const finishLine = (lane: Lane, line: string, last: boolean): void => {
    const answer = hooks.answerOf(line);
    if (answer !== null) lane.ending = { end: { kind: 'answer' }, answer };
    else if (last) lane.ending = { end: { kind: 'no-answer' }, answer: null };
    else if (lane.position >= budget) lane.ending = { end: { kind: 'length' }, answer: null };
    // A blank line is no step: nothing to judge.
    if (line.trim() !== '') {
      const count = lane.position - lane.lineStart;
      hooks.emit({ type: 'step', lane: lane.index, text: line, tokens: count, logprob: lane.logprob });
      lane.unjudged = lane.steps++;
    }
    lane.lineStart = lane.position;
    lane.logprob = 0;
  };

  /** Reads the rewards of a step whose newline this frame has seen. */
  const judge = (lane: Lane, frame: Frame, row: number): void => {
    if (lane.unjudged === null) return;
    const { step, outcome } = hooks.rewardsOf(frame, row);
    if (step !== null) hooks.emit({ type: 'reward', lane: lane.index, step: lane.unjudged, reward: step });
    if (outcome !== null && lane.ending?.end.kind === 'answer') {
      hooks.emit({ type: 'outcome', lane: lane.index, reward: outcome });
    }
    lane.unjudged = null;
  };

  try {
    let frame = await decoder.prefill(prompt);
    // Row of the frame that each lane reads; the prefill has one row for all.
    for (const lane of lanes) advance(lane, frame, 0);
    let batch: Lane[] = lanes;
    let rows: (Lane | null)[] = [];
    for (;;) {
      batch = batch.filter((lane) => {
        if (lane.ending === null || lane.unjudged !== null) return true;
        end(lane, lane.ending.end, lane.ending.answer);
        return false;
      });
      if (batch.length === 0) return done({ kind: 'complete' });
      if (!(await hooks.proceed())) {
        for (const lane of batch) {
          if (lane.ending !== null) end(lane, lane.ending.end, lane.ending.answer);
          else end(lane, { kind: 'cancelled' }, null);
        }
        return done({ kind: 'cancelled' });
      }
      rows = arrange(decoder, rows, batch);
      frame = await decoder.step(rows.map((lane) => lane?.next ?? tokenizer.newline));
      for (const [row, lane] of rows.entries()) {
        if (lane === null) continue;
        judge(lane, frame, row);
        if (lane.ending === null) advance(lane, frame, row);
      }
    }
  } finally {
    decoder.release();
  }
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
