import type { RunEvent } from '../domain/run.ts';
import type { LaneStart } from '../sampling/sample-lanes.ts';
import { TooLong, type Verifier } from '../scoring/verifier.ts';

/** A lane as its judges know it. */
interface JudgedLane {
  readonly lines: string[];
  /** Indices of steps that the PRM has not judged, in order. */
  readonly unjudged: number[];
  ended: 'no' | 'without-answer' | 'with-answer';
  /** Whether the ORM still has to read it. */
  outcomeDue: boolean;
}

/**
 * Judges what lanes write with verifiers of their own, between the passes of the sampler: a step as soon as it is
 * written where the PRM can read on, else when its lane has ended; a solution when it has an answer. What is too long
 * for a judge stays without a reward; the other lanes go on.
 */
export class JudgeQueue {
  readonly #prm: Verifier | null;
  readonly #orm: Verifier | null;
  readonly #problem: string;
  readonly #emit: (event: RunEvent) => void;
  readonly #lanes = new Map<number, JudgedLane>();

  /**
   * @param judges `null` where there is none, or where the generator's own graph gives the rewards
   * @param emit receives `reward` and `outcome` events
   */
  constructor(
    judges: { readonly prm: Verifier | null; readonly orm: Verifier | null },
    problem: string,
    emit: (event: RunEvent) => void,
  ) {
    this.#prm = judges.prm;
    this.#orm = judges.orm;
    this.#problem = problem;
    this.#emit = emit;
  }

  /** What of a lane the sampler need not judge; the rest is remembered here. */
  seed(start: LaneStart): LaneStart {
    const { lines } = start.script;
    this.#lanes.set(start.lane, {
      lines: [...lines],
      unjudged: this.#prm === null ? [] : [...start.unjudged],
      ended: 'no',
      outcomeDue: false,
    });
    return this.#prm === null ? start : { ...start, unjudged: [] };
  }

  /** Takes note of what the sampler tells. */
  take(event: RunEvent): void {
    if (event.type === 'step') {
      const lane = this.#lanes.get(event.lane);
      if (this.#prm !== null) lane?.unjudged.push(lane.lines.length);
      lane?.lines.push(event.text);
    } else if (event.type === 'ended') {
      const lane = this.#lanes.get(event.lane);
      if (lane === undefined || event.end.kind === 'cancelled') return;
      lane.ended = event.end.kind === 'answer' ? 'with-answer' : 'without-answer';
      lane.outcomeDue = this.#orm !== null && lane.ended === 'with-answer' && lane.lines.length > 0;
    }
  }

  /**
   * Judges what is due.
   *
   * @param proceed called between two judgements; false stops
   * @returns whether nothing is due any more
   */
  async judge(proceed: () => Promise<boolean>): Promise<boolean> {
    for (const [index, lane] of this.#lanes) {
      if (!(await this.#judgeSteps(index, lane, proceed))) return false;
      if (lane.outcomeDue && this.#orm !== null) {
        const reward = await orNull(this.#orm.judge(index, this.#problem, lane.lines));
        this.#orm.forget(index);
        lane.outcomeDue = false;
        if (reward !== null) this.#emit({ type: 'outcome', lane: index, reward });
        if (!(await proceed())) return false;
      }
    }
    return true;
  }

  /** Frees what the judges have read. */
  release(): void {
    this.#prm?.release();
    this.#orm?.release();
  }

  async #judgeSteps(index: number, lane: JudgedLane, proceed: () => Promise<boolean>): Promise<boolean> {
    const prm = this.#prm;
    if (prm === null) return true;
    if (!prm.live) {
      if (lane.ended === 'no' || lane.unjudged.length === 0) return true;
      const rewards = await orNull(prm.judgeSteps(index, this.#problem, lane.lines));
      const due = lane.unjudged.splice(0);
      if (rewards !== null)
        for (const step of due) this.#emit({ type: 'reward', lane: index, step, reward: rewards[step]! });
      return proceed();
    }
    while (lane.unjudged[0] !== undefined) {
      const step = lane.unjudged[0];
      const reward = await orNull(prm.judge(index, this.#problem, lane.lines.slice(0, step + 1)));
      if (reward === null) {
        // Nor do the steps after it fit.
        lane.unjudged.length = 0;
        break;
      }
      lane.unjudged.shift();
      this.#emit({ type: 'reward', lane: index, step, reward });
      if (!(await proceed())) return false;
    }
    // The last step of a lane is often judged before it is known to have ended.
    if (lane.ended !== 'no') prm.forget(index);
    return true;
  }
}

/** What is judged, or `null` if it is too long to be. */
async function orNull<T>(judged: Promise<T>): Promise<T | null> {
  try {
    return await judged;
  } catch (error) {
    if (error instanceof TooLong) return null;
    throw error;
  }
}
