/**
 * Checksums that find damage, not malice: FNV-1a, 32 bits. In steps, because captures of millions of checkpoints are
 * long.
 */
import type { Steps } from '../core/steps';

export const CHECKSUM_BYTES = 4;

const START = 0x811c9dc5;
const PRIME = 0x01000193;
/** About 5 ms. */
const BYTES_A_STEP = 4 * 2 ** 20;

/** Writes the checksum of all bytes but the last four into the last four. */
export function* sealBytes(bytes: Uint8Array): Steps<void> {
  const end = bytes.length - CHECKSUM_BYTES;
  viewFrom(bytes, end).setUint32(0, yield* computeWordChecksum(bytes, end), true);
}

/** Whether the last four bytes are the checksum of all others. @param isOld as files of version 1 have it */
export function* isSealed(bytes: Uint8Array, isOld = false): Steps<boolean> {
  const end = bytes.length - CHECKSUM_BYTES;
  const checksum = yield* isOld ? computeByteChecksum(bytes, end) : computeWordChecksum(bytes, end);
  return viewFrom(bytes, end).getUint32(0, true) === checksum;
}

function viewFrom(bytes: Uint8Array, offset: number): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset + offset, bytes.length - offset);
}

/** Byte by byte, for files of version 1. */
export function* computeByteChecksum(bytes: Uint8Array, end: number): Steps<number> {
  let hash = START;
  for (let from = 0; from < end; from += BYTES_A_STEP) {
    if (from > 0) yield;
    hash = hashBytes(hash, bytes, from, Math.min(end, from + BYTES_A_STEP));
  }
  return hash >>> 0;
}

/**
 * Four bytes at a time, because long captures are kept every few minutes; the rest byte by byte. The high half is
 * folded in, so that every bit counts.
 */
function* computeWordChecksum(bytes: Uint8Array, end: number): Steps<number> {
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
