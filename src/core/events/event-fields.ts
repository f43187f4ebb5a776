/**
 * The row that is being read, as bytes, and the fields of a plain event in it. Each function reads a field into the
 * register and returns the position after it, or NO_FIELD if there is none written in the common way. Then the walk
 * (event-xml.ts) reads the row; it would read the same as these functions.
 */
import { composeUtcMs } from '../time';
import type { EventRegister } from './event-register';
import { BEYOND_ASCII, XmlBytes } from './xml-bytes';

/** There is no field written in the common way. */
export const NO_FIELD = -1;
/** Extended Events exist since SQL Server 2008. A time before that, or far in the future, comes from a broken clock. */
export const EARLIEST_UTC_MS = Date.UTC(2000, 0, 1);
export const LATEST_UTC_MS = Date.UTC(2200, 0, 1);

const [AMPERSAND, DASH, DOT, ZERO, COLON, LESS, GREATER, LETTER_T, LETTER_Z, BRACKET] = [
  38, 45, 46, 48, 58, 60, 62, 84, 90, 93,
] as const;
const [TIME_LENGTH, GUID_LENGTH] = [24, 36] as const;
/** Characters compared at a time, as a float. */
const WORD = 8;
/** Where a GUID has its groups of four digits, and its dashes. */
const FOURS = [0, 4, 9, 14, 19, 24, 28, 32] as const;
const DASHES = [8, 13, 18, 23] as const;
/** The most digits of a number that surely fits into 32 bits, and of one that a float holds exactly. */
const [FEW_DIGITS, MOST_DIGITS] = [9, 15] as const;
/** The value of a hexadecimal digit. Any other byte gets a number above what four digits can write. */
const NO_DIGIT = 0x10000;
const HEX = Int32Array.from({ length: 256 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase());
  return digit < 0 ? NO_DIGIT : digit;
});

const copied = new XmlBytes();
const bytes = copied.short;
const words = new DataView(bytes.buffer);
/**
 * The minute and the GUID read last, as text and as values: most rows repeat them. Arrays of 64 bytes or less are
 * slower.
 */
const minuteText = new Float64Array(16).fill(NaN);
let minuteUtcMs = NaN;
const guidText = new Float64Array(16).fill(NaN);
const guid = new Int32Array(32);

/** Takes the next row, of less than 4,096 characters. */
export function takeRow(text: string): void {
  copied.copy(text);
}

/**
 * A text of the row as words, to be compared with other rows. The last word may overlap the one before. null if the
 * text is shorter than a word, or has a NUL or a character beyond ASCII: without those, two words are equal as floats
 * exactly if all their characters are.
 */
export function packText(from: number, to: number): Float64Array | null {
  if (to - from < WORD || !bytes.subarray(from, to).every((byte) => byte > 0 && byte < BEYOND_ASCII))
    return null;
  return Float64Array.from({ length: Math.ceil((to - from) / WORD) }, (_, i) =>
    wordAt(Math.min(from + i * WORD, to - WORD)),
  );
}

/**
 * Whether the row has the text of these words from `from` up to `to`. `| 0` tells the compiler that a sum fits into 32
 * bits.
 */
export function isText(from: number, to: number, text: Float64Array): boolean {
  const last = (text.length - 1) | 0;
  for (let i = 0, at = from | 0; i < last; i = (i + 1) | 0, at = (at + WORD) | 0)
    if (wordAt(at) !== text[i]) return false;
  return wordAt((to - WORD) | 0) === text[last];
}

function wordAt(at: number): number {
  return words.getFloat64(at, true);
}

/** Reads `yyyy-mm-ddThh:mi:ss.fffZ`. */
export function readTime(from: number, register: EventRegister): number {
  if ((wordAt(from) !== minuteText[0] || wordAt(from + WORD) !== minuteText[1]) && !readMinute(from))
    return NO_FIELD;
  if (bytes[from + 16] !== COLON || bytes[from + 19] !== DOT || bytes[from + 23] !== LETTER_Z)
    return NO_FIELD;
  const second = readPair(from + 17);
  const millisecond = readPair(from + 20) * 10 + readDigit(from + 22);
  if (!(second < 60 && millisecond < 1000)) return NO_FIELD;
  register.atUtcMs = minuteUtcMs + second * 1000 + millisecond;
  return from + TIME_LENGTH;
}

/** Reads a database_id of up to nine digits, not 0. */
export function readDatabase(from: number, register: EventRegister): number {
  const to = skipDigits(from, FEW_DIGITS);
  register.databaseId = readNumber(from, to);
  return register.databaseId === 0 ? NO_FIELD : to;
}

/** Reads a GUID, a dash, and a number of up to fifteen digits. */
export function readActivity(from: number, register: EventRegister): number {
  if (!isLastGuid(from) && !readGuid(from)) return NO_FIELD;
  if (bytes[from + GUID_LENGTH] !== DASH) return NO_FIELD;
  register.guid0 = guid[0] as number;
  register.guid1 = guid[1] as number;
  register.guid2 = guid[2] as number;
  register.guid3 = guid[3] as number;
  const first = from + GUID_LENGTH + 1;
  const to = skipDigits(first, MOST_DIGITS);
  register.sequence = readNumber(first, to);
  register.hasActivity = true;
  return to > first ? to : NO_FIELD;
}

/** Skips text without markup that is not read, up to the next tag. */
export function skipText(from: number, end: number): number {
  let at = from;
  while (at < end && bytes[at] !== LESS && bytes[at] !== AMPERSAND && bytes[at] !== GREATER) at++;
  return bytes[at] === LESS ? at : NO_FIELD;
}

/** Skips CDATA that is not read, up to the first "]]>". */
export function skipCdata(from: number, end: number): number {
  for (let at = from; at < end; at++) {
    if (bytes[at] === BRACKET && bytes[at + 1] === BRACKET && bytes[at + 2] === GREATER) return at;
  }
  return NO_FIELD;
}

/** False if it is no minute, or one of another century. Then nothing is remembered. */
function readMinute(from: number): boolean {
  if (
    bytes[from + 4] !== DASH ||
    bytes[from + 7] !== DASH ||
    bytes[from + 10] !== LETTER_T ||
    bytes[from + 13] !== COLON
  )
    return false;
  const year = readPair(from) * 100 + readPair(from + 2);
  const utcMs = composeUtcMs(
    year,
    readPair(from + 5),
    readPair(from + 8),
    readPair(from + 11),
    readPair(from + 14),
    0,
    0,
  );
  if (utcMs === null || utcMs < EARLIEST_UTC_MS || utcMs >= LATEST_UTC_MS) return false;
  minuteText[0] = wordAt(from);
  minuteText[1] = wordAt(from + WORD);
  minuteUtcMs = utcMs;
  return true;
}

function isLastGuid(from: number): boolean {
  return (
    wordAt(from) === guidText[0] &&
    wordAt(from + WORD) === guidText[1] &&
    wordAt(from + 2 * WORD) === guidText[2] &&
    wordAt(from + 3 * WORD) === guidText[3] &&
    wordAt(from + GUID_LENGTH - WORD) === guidText[4]
  );
}

/** False if it is none; then nothing is remembered. */
function readGuid(from: number): boolean {
  guidText.fill(NaN);
  if (DASHES.some((at) => bytes[from + at] !== DASH)) return false;
  let seen = 0;
  FOURS.forEach((at, i) => {
    const four = readFour(from + at);
    seen |= four;
    guid[i >> 1] = ((guid[i >> 1] as number) << 16) | four;
  });
  if (seen >= NO_DIGIT) return false;
  for (let i = 0; i < 5; i++) guidText[i] = wordAt(from + Math.min(i * WORD, GUID_LENGTH - WORD));
  return true;
}

/** The number that four hexadecimal digits write; NO_DIGIT or more if one is no digit. */
function readFour(at: number): number {
  return (hexAt(at) << 12) | (hexAt(at + 1) << 8) | (hexAt(at + 2) << 4) | hexAt(at + 3);
}

function hexAt(at: number): number {
  return HEX[bytes[at] as number] as number;
}

/** The number that two digits write; NaN if one is no digit. */
function readPair(at: number): number {
  return readDigit(at) * 10 + readDigit(at + 1);
}

function readDigit(at: number): number {
  const digit = (bytes[at] as number) - ZERO;
  return digit >= 0 && digit <= 9 ? digit : NaN;
}

/** The position after the digits that begin here; at most `most` digits are skipped. */
function skipDigits(from: number, most: number): number {
  let at = from;
  while (at < from + most && (bytes[at] as number) >= ZERO && (bytes[at] as number) <= ZERO + 9) at++;
  return at;
}

/** The number that these digits write; 0 if there are none. */
function readNumber(from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = value * 10 + (bytes[at] as number) - ZERO;
  return value;
}
