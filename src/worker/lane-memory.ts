import { beginsWith, firstSteps, type LaneScript } from '../sampling/lane-script.ts';

/**
 * The exact tokens of lanes that this worker wrote, so that a run goes on as if it had never stopped. They are found by
 * their text: a run that the page holds may have come from anywhere, and what is not known here is read anew.
 */
export class LaneMemory {
  #problem = '';
  #scripts = new Map<number, LaneScript>();

  /** Keeps what lanes hold now; those of another problem are forgotten. */
  keep(problem: string, scripts: ReadonlyMap<number, LaneScript>): void {
    if (problem !== this.#problem) this.#scripts = new Map();
    this.#problem = problem;
    for (const [lane, script] of scripts) this.#scripts.set(lane, script);
  }

  /** The tokens of a lane with exactly these steps and this line in progress, or `null`. */
  whole(problem: string, lane: number, lines: readonly string[], partial: string): LaneScript | null {
    const script = problem === this.#problem ? this.#scripts.get(lane) : undefined;
    if (script?.partial !== partial || script.lines.length !== lines.length) return null;
    return beginsWith(script, lines) ? script : null;
  }

  /** The tokens of these steps, as `lane` wrote them or, failing that, another lane; or `null`. */
  steps(problem: string, lane: number | null, lines: readonly string[]): LaneScript | null {
    if (problem !== this.#problem) return null;
    const preferred = lane === null ? undefined : this.#scripts.get(lane);
    for (const script of [...(preferred === undefined ? [] : [preferred]), ...this.#scripts.values()]) {
      if (beginsWith(script, lines)) return firstSteps(script, lines.length);
    }
    return null;
  }
}
