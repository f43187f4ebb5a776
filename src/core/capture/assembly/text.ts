/** Texts compared and looked through sixteen bytes at a time. */
import { NOWHERE } from './layout';

/** Whether both texts of that length are the same. */
export function isSame(one: usize, other: usize, length: u32): bool {
  return length > 16 ? isSameLong(one, other, length) : isSameShort(one, other, length);
}

/** Of up to sixteen bytes. */
export function isSameShort(one: usize, other: usize, length: u32): bool {
  const different = ~i8x16.bitmask(i8x16.eq(v128.load(one), v128.load(other)));
  return (different & ((1 << length) - 1)) == 0;
}

function isSameLong(one: usize, other: usize, length: u32): bool {
  let at: u32 = 0;
  for (; at + 16 < length; at += 16) if (!isSameShort(one + at, other + at, 16)) return false;
  return isSameShort(one + at, other + at, length - at);
}

/** Where the first of these three characters stands; at the end or behind it where none stands before. */
export function findOneOf(from: usize, end: usize, a: u8, b: u8, c: u8): usize {
  for (let at = from; at < end; at += 16) {
    const text = v128.load(at);
    const isA = i8x16.eq(text, i8x16.splat(a));
    const isB = i8x16.eq(text, i8x16.splat(b));
    const hits = i8x16.bitmask(v128.or(v128.or(isA, isB), i8x16.eq(text, i8x16.splat(c))));
    if (hits != 0) return at + ctz(hits);
  }
  return end;
}

/** Where "]]>" begins; the end where none does before. */
export function findCdataEnd(from: usize, end: usize): usize {
  let at = findOneOf(from, end, 0x5d, 0x5d, 0x5d);
  while (at < end && (load<u32>(at) & 0xffffff) != 0x3e5d5d) at = findOneOf(at + 1, end, 0x5d, 0x5d, 0x5d);
  return at;
}

/** Where text without markup ends; NOWHERE where it holds an entity, or what might end CDATA. */
export function findTextEnd(from: usize, end: usize): usize {
  const to = findOneOf(from, end, 60, 38, 62);
  return load<u8>(to) == 60 ? to : NOWHERE;
}
