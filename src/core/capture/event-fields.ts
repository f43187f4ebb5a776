/**
 * Reads what stands between the fixed texts of event rows (event-shape.ts) into a register. What seldom changes from row to row, the minute and the GUID, is compared
 * with the last one read.
 */
import type { EventRegister } from './event-register';

const WORD = 8;
const LETTER_B = 98;
/** "egin" and "end" as they stand in memory, the latter in three bytes of four. */
const [EGIN, END] = [0x6e696765, 0x646e65] as const;
const [AMPERSAND, DASH, ZERO, COLON, LESS, GREATER, LETTER_T] = [38, 45, 48, 58, 60, 62, 84] as const;
const GUID_LENGTH = 36;
const TIME_LENGTH = 24;
const MINUTE_LENGTH = 16;
/** ":ss." and "fffZ" as they stand in memory, without the lower half of each digit. */
const [SECONDS, SECONDS_MASK] = [0x2e30303a, 0xfff0f0ff | 0] as const;
const [FRACTION, FRACTION_MASK] = [0x5a303030, 0xfff0f0f0 | 0] as const;
/** As the walk takes them: docs/facts.md, SQL Server 3, on clocks that moved. */
const FIRST_YEAR = 2000;
const LAST_YEAR = 2199;
/** Digits of a number that surely fits into 32 bits, and of one that a float holds exactly. */
const FEW_DIGITS = 9;
const MOST_DIGITS = 15;
/** The field does not stand there. */
export const NO_FIELD = -1;
/** Arrays of up to 64 bytes are moved about, and are no constants for the compiler. */
const LASTING = 16;

/** What a hexadecimal digit is worth; 255 for any other byte. */
const HEX = Uint8Array.from({ length: 256 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase());
  return digit < 0 ? 255 : digit;
});
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Reads the field that begins there. @returns where it ends, or NO_FIELD */
export type ReadField = (from: number, register: EventRegister) => number;

export interface FieldReaders {
  /** begin or end */
  readonly readKind: ReadField;
  /** yyyy-mm-ddThh:mi:ss.fffZ */
  readonly readTime: ReadField;
  /** A number of up to nine digits that is not 0. */
  readonly readDatabase: ReadField;
  /** GUID, dash and a number of up to fifteen digits. */
  readonly readActivity: ReadField;
  /** Text without markup, up to the next tag. */
  readonly skipUnread: (from: number, end: number) => number;
}

/** Readers of these bytes. */
export function createFieldReaders(bytes: Uint8Array, view: DataView): FieldReaders {
  const readGuid = createGuidReader(bytes, view);
  return {
    readKind(from, register) {
      register.isEnd = bytes[from] !== LETTER_B;
      if (register.isEnd) return (view.getInt32(from, true) & 0xffffff) === END ? from + 3 : NO_FIELD;
      return view.getInt32(from + 1, true) === EGIN ? from + 5 : NO_FIELD;
    },
    readTime: createTimeReader(bytes, view),
    readDatabase(from, register) {
      let value = 0;
      let to = from;
      for (const most = (from + FEW_DIGITS) | 0; to < most; to = (to + 1) | 0) {
        const digit = ((bytes[to] as number) - ZERO) | 0;
        if (digit >>> 0 > 9) break;
        value = (Math.imul(value, 10) + digit) | 0;
      }
      register.databaseId = value;
      return value === 0 ? NO_FIELD : to;
    },
    readActivity(from, register) {
      if (readGuid(from, register) !== true) return NO_FIELD;
      const first = (from + GUID_LENGTH + 1) | 0;
      let value = 0;
      let to = first;
      for (const most = (first + FEW_DIGITS) | 0; to < most; to = (to + 1) | 0) {
        const digit = ((bytes[to] as number) - ZERO) | 0;
        if (digit >>> 0 > 9) break;
        value = (Math.imul(value, 10) + digit) | 0;
      }
      register.sequence = value;
      return to - first < FEW_DIGITS ? (to > first ? to : NO_FIELD) : readFurtherDigits(bytes, to, register);
    },
    skipUnread(from, end) {
      for (let to = from; to < end; to++) {
        const code = bytes[to];
        if (code === LESS) return to;
        if (code === AMPERSAND || code === GREATER) return NO_FIELD;
      }
      return NO_FIELD;
    },
  };
}

/** The rest of a number that is longer than most. */
function readFurtherDigits(bytes: Uint8Array, from: number, register: EventRegister): number {
  let to = from;
  for (; to < from + MOST_DIGITS - FEW_DIGITS; to++) {
    const digit = (bytes[to] as number) - ZERO;
    if (digit < 0 || digit > 9) break;
    register.sequence = register.sequence * 10 + digit;
  }
  return to;
}

function createTimeReader(bytes: Uint8Array, view: DataView): ReadField {
  /** The minute read last, two words of characters and the time that they say: most rows are of the same one. */
  const minute = new Float64Array(LASTING).fill(NaN);
  return (from, register) => {
    const first = view.getFloat64(from, true);
    const second = view.getFloat64((from + WORD) | 0, true);
    if (first !== minute[0] || second !== minute[1]) {
      const minuteUtcMs = readMinute(bytes, from);
      if (minuteUtcMs < 0) return NO_FIELD;
      minute[0] = first;
      minute[1] = second;
      minute[2] = minuteUtcMs;
    }
    const seconds = view.getInt32((from + MINUTE_LENGTH) | 0, true);
    const fraction = view.getInt32((from + MINUTE_LENGTH + 4) | 0, true);
    if ((seconds & SECONDS_MASK) !== SECONDS || (fraction & FRACTION_MASK) !== FRACTION) return NO_FIELD;
    const tenSeconds = (seconds >> 8) & 15;
    const oneSeconds = (seconds >> 16) & 15;
    const hundreds = fraction & 15;
    const tens = (fraction >> 8) & 15;
    const ones = (fraction >> 16) & 15;
    if (tenSeconds > 5 || oneSeconds > 9 || hundreds > 9 || tens > 9 || ones > 9) return NO_FIELD;
    const sinceMinuteMs = (tenSeconds * 10000 + oneSeconds * 1000 + hundreds * 100 + tens * 10 + ones) | 0;
    register.atUtcMs = (minute[2] as number) + sinceMinuteMs;
    return (from + TIME_LENGTH) | 0;
  };
}

function readMinute(bytes: Uint8Array, at: number): number {
  const isDashed = bytes[at + 4] === DASH && bytes[at + 7] === DASH;
  if (!isDashed || bytes[at + 10] !== LETTER_T || bytes[at + 13] !== COLON) return -1;
  const [century, years, month, day] = [readPair(bytes, at), readPair(bytes, at + 2), readPair(bytes, at + 5), readPair(bytes, at + 8)];
  const [hour, minute] = [readPair(bytes, at + 11), readPair(bytes, at + 14)];
  const year = century * 100 + years;
  if (years < 0 || year < FIRST_YEAR || year > LAST_YEAR || month < 1 || month > 12 || day < 1 || day > (DAYS[month - 1] ?? 0)) return -1;
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if ((month === 2 && day === 29 && !isLeapYear) || hour < 0 || hour > 23 || minute < 0 || minute > 59) return -1;
  return Date.UTC(year, month - 1, day, hour, minute);
}

/** The number that two digits write; -1 where one is none. */
function readPair(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] as number) - ZERO;
  const ones = (bytes[at + 1] as number) - ZERO;
  return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : tens * 10 + ones;
}

/** GUID and dash; the last GUID read is remembered, because one long-lived task runs most checkpoints (docs/facts.md, SQL Server 3). */
function createGuidReader(bytes: Uint8Array, view: DataView): (from: number, register: EventRegister) => boolean {
  const text = new Float64Array(LASTING).fill(NaN);
  const guid = new Int32Array(2 * LASTING);
  /** 8-4-4-4-12 hexadecimal digits; false where they are not. */
  const parse = (from: number): boolean => {
    let word = 0;
    let digits = 0;
    for (let i = 0; i < GUID_LENGTH; i++) {
      const code = bytes[(from + i) | 0] as number;
      if (i === 8 || i === 13 || i === 18 || i === 23) {
        if (code !== DASH) return false;
        continue;
      }
      const digit = HEX[code] as number;
      if (digit > 15) return false;
      word = (word << 4) | digit;
      digits = (digits + 1) | 0;
      if ((digits & 7) === 0) guid[(digits >> 3) - 1] = word;
    }
    return true;
  };
  return (from, register) => {
    const isSame =
      view.getFloat64(from, true) === text[0] &&
      view.getFloat64((from + WORD) | 0, true) === text[1] &&
      view.getFloat64((from + 2 * WORD) | 0, true) === text[2] &&
      view.getFloat64((from + 3 * WORD) | 0, true) === text[3] &&
      view.getFloat64((from + GUID_LENGTH - WORD) | 0, true) === text[4];
    if (!isSame) {
      text.fill(NaN);
      if (!parse(from)) return false;
      for (let word = 0; word < 5; word++) text[word] = view.getFloat64(from + Math.min(word * WORD, GUID_LENGTH - WORD), true);
    }
    register.hasActivity = true;
    register.guid0 = guid[0] as number;
    register.guid1 = guid[1] as number;
    register.guid2 = guid[2] as number;
    register.guid3 = guid[3] as number;
    return bytes[(from + GUID_LENGTH) | 0] === DASH;
  };
}
