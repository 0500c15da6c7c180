import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Draws a whole number from 0 to `bound` - 1, each equally likely. */
export type Draw = (bound: number) => number;

/**
 * Streams of random numbers from one seed, one per call, far enough apart (2^64 draws) never to meet. The i-th
 * stream depends on the seed and i only, so that adding problems at the end changes nothing for those before.
 */
export function streams(seed: number): () => Draw {
  const source = xoroshiro128plus(seed);
  return () => {
    const own = source.clone();
    source.jump();
    return (bound) => uniformInt(own, 0, bound - 1);
  };
}
