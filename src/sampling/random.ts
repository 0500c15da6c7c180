/**
 * The random number that chooses one token, as a pure function of (seed, lane, position): lane 3 draws the same
 * numbers at N=4 and at N=64, alone or in a batch, and after resuming from any position. Counter-based numbers also
 * have the advantage that a GPU can compute them.
 *
 * The mixing is PCG3D of Jarzynski and Olano, "Hash Functions for GPU Rendering", JCGT 9(3), 2020.
 *
 * @param seed unsigned 32-bit integer
 * @param lane index of the lane, from 0
 * @param position index of the token within the lane, from 0
 * @returns a number in the open interval (0, 1), a multiple of 2^-25 away from both ends
 */
export function laneUniform(seed: number, lane: number, position: number): number {
  let x = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  let y = (Math.imul(lane, 1_664_525) + 1_013_904_223) >>> 0;
  let z = (Math.imul(position, 1_664_525) + 1_013_904_223) >>> 0;
  x = (x + Math.imul(y, z)) >>> 0;
  y = (y + Math.imul(z, x)) >>> 0;
  z = (z + Math.imul(x, y)) >>> 0;
  x ^= x >>> 16;
  y ^= y >>> 16;
  z ^= z >>> 16;
  x = (x + Math.imul(y, z)) >>> 0;
  // The 24 high bits are the well-mixed ones; half a unit keeps the result off 0 and 1.
  return ((x >>> 8) + 0.5) / 0x1_000000;
}
