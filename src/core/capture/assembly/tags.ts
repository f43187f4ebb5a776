/** Names and attributes of the tag that is read. */
import { isBlank, isNameRest, isNameStart } from './characters';
import { NOWHERE } from './layout';
import { findOneOf, isSameShort } from './text';

const LESS: u8 = 60;
const EQUAL: u8 = 61;
const QUOTE: u8 = 39;
const DOUBLE_QUOTE: u8 = 34;
const AMPERSAND: u8 = 38;
const EQUAL_AND_QUOTE: u16 = 0x223d;
const UNDERSCORE: u8 = 95;
const GRAVE: u8 = 96;
const LETTER_Z: u8 = 122;

/** A tag of more is not read. */
const MOST_ATTRIBUTES: u32 = 16;
export const LONGEST_NAME: usize = 16;

@unmanaged
export class Attribute {
  nameFrom: usize;
  nameTo: usize;
  from: usize;
  to: usize;
}

const attributes: usize = memory.data(MOST_ATTRIBUTES * offsetof<Attribute>(), 16);
let count: u32 = 0;

/** Begins with the next tag. */
export function forgetAttributes(): void {
  count = 0;
}

function attributeAt(i: u32): Attribute {
  return changetype<Attribute>(attributes + i * offsetof<Attribute>());
}

/** Reads the attribute that begins here. @returns where it ends */
export function readAttribute(nameFrom: usize, end: usize): usize {
  const nameTo = skipName(nameFrom);
  const from = load<u16>(nameTo) == EQUAL_AND_QUOTE ? nameTo + 2 : findValue(nameTo);
  // Longer names do not occur, and would not fit a comparison.
  if (nameTo == nameFrom || nameTo - nameFrom > LONGEST_NAME || from == NOWHERE) return NOWHERE;
  const quote = load<u8>(from - 1);
  const to = findOneOf(from, end, quote, LESS, AMPERSAND);
  if (to >= end || load<u8>(to) != quote) return NOWHERE;
  if (count > 0 && (count == MOST_ATTRIBUTES || findAttribute(nameFrom, <u32>(nameTo - nameFrom)) != null)) return NOWHERE;
  const attribute = attributeAt(count++);
  attribute.nameFrom = nameFrom;
  attribute.nameTo = nameTo;
  attribute.from = from;
  attribute.to = to;
  return to + 1;
}

/** Where the value of an attribute begins whose name ends here, where blanks may stand between. */
function findValue(nameTo: usize): usize {
  let at = skipBlanks(nameTo);
  if (load<u8>(at) != EQUAL) return NOWHERE;
  at = skipBlanks(at + 1);
  const quote = load<u8>(at);
  return quote == DOUBLE_QUOTE || quote == QUOTE ? at + 1 : NOWHERE;
}

/** The attribute of that name. */
export function findAttribute(name: usize, length: u32): Attribute | null {
  for (let i: u32 = 0; i < count; i++) {
    const attribute = attributeAt(i);
    if (isWord(attribute.nameFrom, attribute.nameTo, name, length)) return attribute;
  }
  return null;
}

/** Whether that word of up to sixteen characters stands there, and nothing more. */
export function isWord(from: usize, to: usize, word: usize, length: u32): bool {
  return <u32>(to - from) == length && isSameShort(from, word, length);
}

/** Behind the name that begins here; here where none does, or one beyond ASCII. */
export function skipName(from: usize): usize {
  // Small letters and underscores, of which SQL Server makes names: they stand together, with a grave accent between them.
  const text = v128.load(from);
  const isBetween = i8x16.lt_u(i8x16.sub(text, i8x16.splat(UNDERSCORE)), i8x16.splat(LETTER_Z - UNDERSCORE + 1));
  const isPlain = v128.andnot(isBetween, i8x16.eq(text, i8x16.splat(GRAVE)));
  const at = from + ctz(~i8x16.bitmask(isPlain));
  return isNameRest(at) ? skipAnyName(from) : at;
}

function skipAnyName(from: usize): usize {
  if (!isNameStart(from)) return from;
  let at = from + 1;
  while (isNameRest(at)) at++;
  return at;
}

/** Behind the blanks that begin here. */
export function skipBlanks(from: usize): usize {
  let at = from;
  while (isBlank(at)) at++;
  return at;
}
