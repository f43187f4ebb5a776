/** Checksums that find damage, not malice: FNV-1a, 32 bits. In steps: captures of millions are long. */
import type { Steps } from '../core/steps';

const START = 0x811c9dc5;
const PRIME = 0x01000193;
/** Some 5 ms. */
const BYTES_A_STEP = 4 * 2 ** 20;

/** Byte by byte: files of version 1. */
export function* computeByteChecksum(bytes: Uint8Array, end: number): Steps<number> {
  let hash = START;
  for (let from = 0; from < end; from += BYTES_A_STEP) {
    if (from > 0) yield;
    hash = hashBytes(hash, bytes, from, Math.min(end, from + BYTES_A_STEP));
  }
  return hash >>> 0;
}

/** Four bytes at a time, because a capture of millions is kept every few minutes; what is left over byte by byte. The high half is folded in, so that every bit counts. */
export function* computeWordChecksum(bytes: Uint8Array, end: number): Steps<number> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, end);
  const words = end - (end % 4);
  let hash = START;
  for (let from = 0; from < words; from += BYTES_A_STEP) {
    if (from > 0) yield;
    hash = hashWords(hash, view, from, Math.min(words, from + BYTES_A_STEP));
  }
  return hashBytes(hash, bytes, words, end) >>> 0;
}

function hashBytes(begin: number, bytes: Uint8Array, from: number, to: number): number {
  let hash = begin;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), PRIME);
  return hash;
}

function hashWords(begin: number, view: DataView, from: number, to: number): number {
  let hash = begin;
  for (let at = from; at < to; at += 4) {
    hash = Math.imul(hash ^ view.getUint32(at, true), PRIME);
    hash ^= hash >>> 15;
  }
  return hash;
}
