/**
 * Reads what stands between the fixed texts of event rows (event-shape.ts), one kind of field of many rows at a time: a short loop over columns costs a third of
 * going through all fields of one row after the other.
 */
const WORD = 8;
const [LETTER_B, LETTER_D, LETTER_E, LETTER_G, LETTER_I, LETTER_N] = [98, 100, 101, 103, 105, 110] as const;
const AMPERSAND = 38;
const DASH = 45;
const [DOT, ZERO, COLON, LESS, GREATER] = [46, 48, 58, 60, 62] as const;
const [LETTER_T, LETTER_Z] = [84, 90] as const;
const GUID_LENGTH = 36;
const TIME_LENGTH = 24;
/** As the walk takes them: docs/facts.md, SQL Server 3, on clocks that moved. */
const FIRST_YEAR = 2000;
const LAST_YEAR = 2199;

/** What a hexadecimal digit is worth; 255 for any other byte. */
const HEX = Uint8Array.from({ length: 256 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase());
  return digit < 0 ? 255 : digit;
});
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Rows that are being read, by their places. */
export interface RowColumns {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Where each row begins, and where the last one ends. */
  readonly starts: Int32Array;
  /** How far each row is read. */
  readonly at: Int32Array;
  /** The places of the rows that have fitted so far. */
  readonly left: Int32Array;
  readonly isEnd: Uint8Array;
  readonly atUtcMs: Float64Array;
  readonly databaseId: Int32Array;
  readonly guid: Int32Array;
  readonly sequence: Float64Array;
}

/** Reads one field of the first `count` rows left. @returns how many of them have it; only those are left */
export type ReadFields = (count: number) => number;

/** begin or end */
export function createKindReader({ bytes, at, left, isEnd }: RowColumns): ReadFields {
  return (count) => {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const place = left[i] as number;
      const from = at[place] as number;
      const isBegin = bytes[from] === LETTER_B;
      const to = from + (isBegin ? 5 : 3);
      if (isBegin) {
        if (bytes[from + 1] !== LETTER_E || bytes[from + 2] !== LETTER_G || bytes[from + 3] !== LETTER_I || bytes[from + 4] !== LETTER_N)
          continue;
      } else if (bytes[from] !== LETTER_E || bytes[from + 1] !== LETTER_N || bytes[from + 2] !== LETTER_D) continue;
      isEnd[place] = isBegin ? 0 : 1;
      at[place] = to;
      left[kept++] = place;
    }
    return kept;
  };
}

/** yyyy-mm-ddThh:mi:ss.fffZ; the last minute read is remembered, because most rows are of the same one. */
export function createTimeReader({ bytes, view, at, left, atUtcMs }: RowColumns): ReadFields {
  /** Two words of characters, and the time that they say. */
  const minute = new Float64Array(3).fill(NaN);
  return (count) => {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const place = left[i] as number;
      const from = at[place] as number;
      if (view.getFloat64(from, true) !== minute[0] || view.getFloat64(from + WORD, true) !== minute[1]) {
        const minuteUtcMs = readMinute(bytes, from);
        if (minuteUtcMs < 0) continue;
        minute[0] = view.getFloat64(from, true);
        minute[1] = view.getFloat64(from + WORD, true);
        minute[2] = minuteUtcMs;
      }
      if (bytes[from + 16] !== COLON || bytes[from + 19] !== DOT || bytes[from + 23] !== LETTER_Z) continue;
      const tenSeconds = (bytes[from + 17] as number) - ZERO;
      const seconds = (bytes[from + 18] as number) - ZERO;
      const hundreds = (bytes[from + 20] as number) - ZERO;
      const tens = (bytes[from + 21] as number) - ZERO;
      const ones = (bytes[from + 22] as number) - ZERO;
      if (tenSeconds < 0 || tenSeconds > 5 || seconds < 0 || seconds > 9 || hundreds < 0 || hundreds > 9) continue;
      if (tens < 0 || tens > 9 || ones < 0 || ones > 9) continue;
      atUtcMs[place] = (minute[2] as number) + (tenSeconds * 10000 + seconds * 1000 + hundreds * 100 + tens * 10 + ones);
      at[place] = from + TIME_LENGTH;
      left[kept++] = place;
    }
    return kept;
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

/** A number of up to nine digits that is not 0. */
export function createDatabaseReader({ bytes, at, left, databaseId }: RowColumns): ReadFields {
  return (count) => {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const place = left[i] as number;
      const from = at[place] as number;
      let to = from;
      let value = 0;
      for (; to < from + 9; to++) {
        const digit = (bytes[to] as number) - ZERO;
        if (digit < 0 || digit > 9) break;
        value = value * 10 + digit;
      }
      if (value === 0) continue;
      databaseId[place] = value;
      at[place] = to;
      left[kept++] = place;
    }
    return kept;
  };
}

/** GUID and dash; the last GUID read is remembered, because one long-lived task runs most checkpoints (docs/facts.md, SQL Server 3). */
export function createGuidReader({ bytes, view, at, left, guid }: RowColumns): ReadFields {
  const text = new Float64Array(5).fill(NaN);
  const words = new Int32Array(4);
  return (count) => {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const place = left[i] as number;
      const from = at[place] as number;
      const isSame =
        view.getFloat64(from, true) === text[0] &&
        view.getFloat64(from + WORD, true) === text[1] &&
        view.getFloat64(from + 2 * WORD, true) === text[2] &&
        view.getFloat64(from + 3 * WORD, true) === text[3] &&
        view.getFloat64(from + GUID_LENGTH - WORD, true) === text[4];
      if (!isSame) {
        text.fill(NaN);
        if (!readGuid(bytes, from, words)) continue;
        for (let word = 0; word < 5; word++) text[word] = view.getFloat64(from + Math.min(word * WORD, GUID_LENGTH - WORD), true);
      }
      if (bytes[from + GUID_LENGTH] !== DASH) continue;
      guid[place * 4] = words[0] as number;
      guid[place * 4 + 1] = words[1] as number;
      guid[place * 4 + 2] = words[2] as number;
      guid[place * 4 + 3] = words[3] as number;
      at[place] = from + GUID_LENGTH + 1;
      left[kept++] = place;
    }
    return kept;
  };
}

/** 8-4-4-4-12 hexadecimal digits; false where they are not. */
function readGuid(bytes: Uint8Array, from: number, words: Int32Array): boolean {
  let digits = 0;
  for (let i = 0; i < GUID_LENGTH; i++) {
    const code = bytes[from + i] as number;
    if (i === 8 || i === 13 || i === 18 || i === 23) {
      if (code !== DASH) return false;
      continue;
    }
    const digit = HEX[code] as number;
    if (digit > 15) return false;
    words[digits >> 3] = ((words[digits >> 3] as number) << 4) | digit;
    digits++;
  }
  return true;
}

/** A number of up to fifteen digits. */
export function createSequenceReader({ bytes, at, left, sequence }: RowColumns): ReadFields {
  return (count) => {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const place = left[i] as number;
      const from = at[place] as number;
      let to = from;
      let value = 0;
      for (; to < from + 15; to++) {
        const digit = (bytes[to] as number) - ZERO;
        if (digit < 0 || digit > 9) break;
        value = value * 10 + digit;
      }
      if (to === from) continue;
      sequence[place] = value;
      at[place] = to;
      left[kept++] = place;
    }
    return kept;
  };
}

/** Text without markup, up to the next tag. */
export function createUnreadSkipper({ bytes, starts, at, left }: RowColumns): ReadFields {
  return (count) => {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const place = left[i] as number;
      const end = starts[place + 1] as number;
      let to = at[place] as number;
      let code = 0;
      for (; to < end; to++) {
        code = bytes[to] as number;
        if (code === LESS || code === AMPERSAND || code === GREATER) break;
      }
      if (code !== LESS) continue;
      at[place] = to;
      left[kept++] = place;
    }
    return kept;
  };
}
