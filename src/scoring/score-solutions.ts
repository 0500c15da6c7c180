import { readRewards, type FusedRewards } from './read-rewards.ts';

/** What scoring needs of a loaded verifier. */
export interface ScoringDecoder {
  readonly rewardWidth: number;
  /** One pass over right-padded sequences; `rewards` holds every position, padding included. */
  score(sequences: readonly (readonly number[])[]): Promise<{ readonly rewards: Float32Array | null }>;
}

/** Rewards of one whole solution. */
export interface SolutionRewards {
  /** One step reward per line. */
  readonly steps: readonly number[];
  /** Outcome reward at the end of the last line. */
  readonly outcome: number | null;
}

/**
 * Scores finished solutions of one problem in a single padded pass.
 *
 * @param prompt token ids of the problem, as the sampler feeds them
 * @param solutions lines of each solution, without newlines
 * @param encode tokenises a line together with its newline; the newline must be a token of its own
 */
export async function scoreSolutions(
  decoder: ScoringDecoder,
  adapter: FusedRewards,
  prompt: readonly number[],
  solutions: readonly (readonly string[])[],
  encode: (text: string) => number[],
): Promise<SolutionRewards[]> {
  if (solutions.length === 0) return [];
  const sequences: number[][] = [];
  const ends: number[][] = [];
  for (const lines of solutions) {
    const sequence = [...prompt];
    const newlines: number[] = [];
    for (const line of lines) {
      sequence.push(...encode(`${line}\n`));
      newlines.push(sequence.length - 1);
    }
    sequences.push(sequence);
    ends.push(newlines);
  }
  const longest = Math.max(...sequences.map((sequence) => sequence.length));
  const { rewards } = await decoder.score(sequences);
  return ends.map((newlines, row) => {
    const at = (position: number) =>
      readRewards(adapter, rewards, row * longest + position, decoder.rewardWidth);
    return {
      steps: newlines.flatMap((position) => at(position).step ?? []),
      outcome: newlines.length === 0 ? null : at(newlines.at(-1)!).outcome,
    };
  });
}
