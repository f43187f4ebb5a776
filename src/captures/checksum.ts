/** Checksums that find damage, not malice: FNV-1a, 32 bits. */

const START = 0x811c9dc5;
const PRIME = 0x01000193;

/** Byte by byte: files of version 1. */
export function computeByteChecksum(bytes: Uint8Array, end: number): number {
  let hash = START;
  for (let at = 0; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), PRIME);
  return hash >>> 0;
}

/** Four bytes at a time, because a capture of millions is kept every few minutes; what is left over byte by byte. The high half is folded in, so that every bit counts. */
export function computeWordChecksum(bytes: Uint8Array, end: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, end);
  const words = end - (end % 4);
  let hash = START;
  for (let at = 0; at < words; at += 4) {
    hash = Math.imul(hash ^ view.getUint32(at, true), PRIME);
    hash ^= hash >>> 15;
  }
  for (let at = words; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), PRIME);
  return hash >>> 0;
}
