import { describe, expect, it } from 'vitest';
import { float16ToFloat32 } from '../../../src/runtime/float16.ts';

/** By the definition of binary16, through the bits of a binary32: another way than the one tested. */
function widened(bits: number): number {
  const view = new DataView(new ArrayBuffer(4));
  const sign = (bits >>> 15) * 2 ** 31;
  const exponent = (bits >>> 10) & 31;
  let fraction = bits & 1023;
  if (exponent === 31) view.setUint32(0, sign + 0x7f800000 + fraction * 2 ** 13);
  else if (exponent > 0) view.setUint32(0, sign + (exponent + 112) * 2 ** 23 + fraction * 2 ** 13);
  else if (fraction === 0) view.setUint32(0, sign);
  else {
    // Shifted until the leading one is the hidden one.
    let shift = 0;
    for (; fraction < 1024; shift++) fraction *= 2;
    view.setUint32(0, sign + (113 - shift) * 2 ** 23 + (fraction - 1024) * 2 ** 13);
  }
  return view.getFloat32(0);
}

describe('16-bit floats', () => {
  it('of every one of the 65,536 patterns are widened', () => {
    const bits = Uint16Array.from({ length: 0x1_0000 }, (_, i) => i);
    const wide = float16ToFloat32(bits);
    const wrong = [...bits].filter((each) => !Object.is(wide[each], widened(each)));
    expect(wrong).toEqual([]);
  });

  it('are what the standard says of some', () => {
    const known = [
      [0x0000, 0],
      [0x8000, -0],
      [0x0001, 2 ** -24],
      [0x03ff, 2 ** -14 - 2 ** -24],
      [0x0400, 2 ** -14],
      [0x3555, 0.333251953125],
      [0x3c00, 1],
      [0xc000, -2],
      [0x7bff, 65_504],
      [0x7c00, Infinity],
      [0xfc00, -Infinity],
    ] as const;
    const wide = float16ToFloat32(Uint16Array.from(known, ([bits]) => bits));
    expect([...wide]).toEqual(known.map(([, value]) => value));
    expect(float16ToFloat32(Uint16Array.of(0x7c01, 0xffff))).toEqual(Float32Array.of(NaN, NaN));
  });

  it('come as numbers where the browser has an array for them', () => {
    class Float16Array extends Float32Array {}
    expect(float16ToFloat32(Float16Array.of(0.5, -2))).toEqual(Float32Array.of(0.5, -2));
  });

  it('in another form are refused', () => {
    for (const data of [Float32Array.of(1), new Uint8Array(2), [15_360], null, undefined, 'x'])
      expect(() => float16ToFloat32(data)).toThrow(/unknown form/);
  });
});
