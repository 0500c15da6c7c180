/**
 * Widens 16-bit floats (IEEE 754 binary16), which the runtime gives as their bits, or as numbers where the browser has
 * an array for them.
 *
 * @throws RangeError if the data is neither
 */
export function float16ToFloat32(data: unknown): Float32Array {
  if (data instanceof Uint16Array) return Float32Array.from(data, widen);
  if (ArrayBuffer.isView(data) && data.constructor.name === 'Float16Array')
    return Float32Array.from(data as unknown as ArrayLike<number>);
  throw new RangeError('The model returned 16-bit floats in an unknown form.');
}

function widen(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
