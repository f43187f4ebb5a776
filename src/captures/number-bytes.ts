/** Columns of numbers as little-endian bytes, copied whole: a million numbers one by one would hold up the extension host. */

type Numbers = Float64Array | Uint32Array | Int32Array | Uint16Array | Uint8Array;

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

export function copyNumbers(numbers: Numbers, bytes: Uint8Array, at: number): void {
  const own = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  bytes.set(orderBytes(own, numbers.BYTES_PER_ELEMENT), at);
}

/** Fills the numbers from the bytes. */
export function readNumbers<T extends Numbers>(numbers: T, bytes: Uint8Array, from: number): T {
  const own = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  own.set(orderBytes(bytes.subarray(from, from + numbers.byteLength), numbers.BYTES_PER_ELEMENT));
  return numbers;
}

/** The same bytes, those of each number turned round where the machine has them the other way. */
function orderBytes(bytes: Uint8Array, size: number): Uint8Array {
  if (IS_LITTLE_ENDIAN || size === 1) return bytes;
  const turned = bytes.slice();
  for (let at = 0; at < turned.length; at += size) turned.subarray(at, at + size).reverse();
  return turned;
}
