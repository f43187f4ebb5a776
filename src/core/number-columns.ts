/**
 * Columns of numbers: made longer, or read and written as little-endian bytes. In pieces: ten million at once would
 * hold up the extension host.
 */
import type { Steps } from './steps';

export type Numbers = Float64Array | Float32Array | Uint32Array | Int32Array | Uint16Array | Uint8Array;

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
/** About 3 ms, mostly for memory that the system hands out for the first time. */
const BYTES_A_STEP = 4 * 2 ** 20;
const NUMBERS_A_STEP = 2 ** 21;

/** The same numbers, followed by zeros. */
export function lengthen<T extends Numbers>(numbers: T, length: number): T {
  const longer = new (numbers.constructor as new (length: number) => T)(length);
  longer.set(numbers);
  return longer;
}

export function copyNumbers(numbers: Numbers, bytes: Uint8Array, at: number): Steps<void> {
  const own = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  return copyBytes(own, bytes, at, numbers.BYTES_PER_ELEMENT);
}

/** Fills the numbers from the bytes. */
export function* readNumbers<T extends Numbers>(numbers: T, bytes: Uint8Array, from: number): Steps<T> {
  const own = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  yield* copyBytes(bytes.subarray(from, from + numbers.byteLength), own, 0, numbers.BYTES_PER_ELEMENT);
  return numbers;
}

/** Pauses after each piece. @param size bytes of a number; 1: no numbers */
export function* copyBytes(from: Uint8Array, to: Uint8Array, at: number, size = 1): Steps<void> {
  for (let done = 0; done < from.length; done += BYTES_A_STEP) {
    to.set(orderBytes(from.subarray(done, done + BYTES_A_STEP), size), at + done);
    yield;
  }
}

/** The same bytes; those of each number are turned round on a machine with the other byte order. */
function orderBytes(bytes: Uint8Array, size: number): Uint8Array {
  if (IS_LITTLE_ENDIAN || size === 1) return bytes;
  const turned = bytes.slice();
  for (let at = 0; at < turned.length; at += size) turned.subarray(at, at + size).reverse();
  return turned;
}

/** Whether each number is one of these, both included; NaN is not. In steps of about 2 ms. */
export function* areWithin(numbers: Numbers, least: number, most: number): Steps<boolean> {
  for (let from = 0; from < numbers.length; from += NUMBERS_A_STEP) {
    if (from > 0) yield;
    const to = Math.min(numbers.length, from + NUMBERS_A_STEP);
    for (let at = from; at < to; at++)
      if (!((numbers[at] as number) >= least && (numbers[at] as number) <= most)) return false;
  }
  return true;
}
