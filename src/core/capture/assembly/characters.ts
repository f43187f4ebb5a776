/** What a character may be part of: looked up, because several comparisons cost more than one. */

const NAME_START: u8 = 1;
const NAME_REST: u8 = 2;
const BLANK: u8 = 4;
const NO_DIGIT: u32 = 0x10000;

/** Nothing of what is beyond ASCII: it may stand in a name, but never does in those of events. */
const classes: usize = memory.data(256);
for (let code: u32 = 0; code < 128; code++) {
  const isStart = (code | 32) - 97 < 26 || code == 95 || code == 58;
  const isRest = isStart || code - 48 < 10 || code - 45 < 2;
  const isBlank = code == 32 || code - 9 < 2 || code == 13;
  store<u8>(classes + code, (isStart ? NAME_START : 0) | (isRest ? NAME_REST : 0) | (isBlank ? BLANK : 0));
}

/** What a hexadecimal digit is worth; of any other character more than four of them can write. */
const hexDigits: usize = memory.data(256 * sizeof<u32>());
for (let code: u32 = 0; code < 256; code++) {
  const letter = (code | 32) - 97;
  store<u32>(hexDigits + code * sizeof<u32>(), code - 48 < 10 ? code - 48 : letter < 6 ? letter + 10 : NO_DIGIT);
}

export function readHex(at: usize): u32 {
  return load<u32>(hexDigits + load<u8>(at) * sizeof<u32>());
}

export function isNameStart(at: usize): bool {
  return (load<u8>(classes + load<u8>(at)) & NAME_START) != 0;
}

/** Letters, underscore, colon, digits, dash and dot. */
export function isNameRest(at: usize): bool {
  return (load<u8>(classes + load<u8>(at)) & NAME_REST) != 0;
}

export function isBlank(at: usize): bool {
  return (load<u8>(classes + load<u8>(at)) & BLANK) != 0;
}
