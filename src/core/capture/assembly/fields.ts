/** The fields of an event: each reader puts what it reads into the row and tells where the field ends, NOWHERE where none stands there in the common way. */
import { readHex } from './characters';
import { ACTIVITY, END, EventRow, NOWHERE } from './layout';

/** yyyy-mm-ddThh:mi, the minute read last, and its time: most rows are of the same one. No text has a byte of 255. */
const lastMinute: usize = memory.data<u8>([255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255], 16);
let minuteUtcMs: f64 = 0;
/** The GUID read last, and its words: one long-lived task runs most checkpoints (docs/facts.md, SQL Server 3). */
const lastGuid: usize = memory.data<u8>([255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255], 16);
const lastGuidRest: usize = memory.data(32, 16);
const guid: usize = memory.data(16, 16);
/** Where the fours of hexadecimal digits stand in it. */
const guidFours: usize = memory.data<u8>([0, 4, 9, 14, 19, 24, 28, 32]);

const GUID_LENGTH: i32 = 36;
const TIME_LENGTH: i32 = 24;
const MINUTE_LENGTH: i32 = 16;
/** ":ss.fffZ" as it stands in memory, digits as 0; which bits are fixed, and which are digits; what makes a digit beyond 9 show. */
const SECONDS: u64 = 0x5a30_3030_2e30_303a;
const FIXED: u64 = 0xfff0_f0f0_fff0_f0ff;
const BEYOND_NINE: u64 = 0x0006_0606_0006_0600;
/** As the walk in TypeScript takes them: docs/facts.md, SQL Server 3, on clocks that moved. */
const FIRST_YEAR: i32 = 2000;
const LAST_YEAR: i32 = 2199;
const DAYS_BEFORE_1970: i32 = 719468;
const MINUTE_MS: f64 = 60_000;
/** Digits of a number that surely fits into 32 bits, and of one that a float holds exactly. */
const FEW_DIGITS: i32 = 9;
const MOST_DIGITS: i32 = 15;
const DASH: u8 = 45;

/** "begin" and "end", the latter in three bytes of four, as they stand in memory. */
const EGIN: u32 = 0x6e696765;
const END_WORD: u32 = 0x646e65;

/** begin or end */
export function readKind(from: usize, row: EventRow): usize {
  if (load<u8>(from) == 98) return load<u32>(from, 1) == EGIN ? from + 5 : NOWHERE;
  row.state |= END;
  return (load<u32>(from) & 0xffffff) == END_WORD ? from + 3 : NOWHERE;
}

/** yyyy-mm-ddThh:mi:ss.fffZ */
export function readTime(from: usize, row: EventRow): usize {
  const minute = v128.load(from);
  if (v128.any_true(v128.xor(minute, v128.load(lastMinute)))) {
    const utcMs = readMinute(from);
    if (utcMs < 0) return NOWHERE;
    v128.store(lastMinute, minute);
    minuteUtcMs = utcMs;
  }
  const rest = load<u64>(from + MINUTE_LENGTH);
  if ((rest & FIXED) != SECONDS) return NOWHERE;
  const digits = rest & ~FIXED;
  if (((digits + BEYOND_NINE) & FIXED) != 0) return NOWHERE;
  const tenSeconds = (digits >> 8) & 15;
  if (tenSeconds > 5) return NOWHERE;
  const seconds = tenSeconds * 10 + ((digits >> 16) & 15);
  const fraction = ((digits >> 32) & 15) * 100 + ((digits >> 40) & 15) * 10 + ((digits >> 48) & 15);
  row.atUtcMs = minuteUtcMs + <f64>(<i32>(seconds * 1000 + fraction));
  return from + TIME_LENGTH;
}

/** -1 where it is no minute, or one of other centuries. */
function readMinute(from: usize): f64 {
  if (load<u8>(from, 4) != DASH || load<u8>(from, 7) != DASH || load<u8>(from, 10) != 84 || load<u8>(from, 13) != 58) return -1;
  const century = readPair(from);
  const years = readPair(from + 2);
  const month = readPair(from + 5);
  const day = readPair(from + 8);
  const hour = readPair(from + 11);
  const minute = readPair(from + 14);
  const year = century * 100 + years;
  if (century < 0 || years < 0 || year < FIRST_YEAR || year > LAST_YEAR || month < 1 || month > 12) return -1;
  if (day < 1 || day > countDays(year, month) || hour < 0 || hour > 23 || minute < 0 || minute > 59) return -1;
  return <f64>(countDaysSince1970(year, month, day) * 1440 + hour * 60 + minute) * MINUTE_MS;
}

/** The number that two digits write; -1 where one is none. */
function readPair(at: usize): i32 {
  const tens = <u32>load<u8>(at) - 48;
  const ones = <u32>load<u8>(at, 1) - 48;
  return tens > 9 || ones > 9 ? -1 : <i32>(tens * 10 + ones);
}

function countDays(year: i32, month: i32): i32 {
  if (month != 2) return 30 + ((month + (month >> 3)) & 1);
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
}

/** Years counted from March, so that the leap day is the last one. */
function countDaysSince1970(year: i32, month: i32, day: i32): i32 {
  const march = month > 2 ? year : year - 1;
  const leapDays = march / 4 - march / 100 + march / 400;
  return march * 365 + leapDays + (((month + 9) % 12) * 153 + 2) / 5 + day - 1 - DAYS_BEFORE_1970;
}

/** A number of up to nine digits that is not 0. */
export function readDatabase(from: usize, row: EventRow): usize {
  const to = readDigits(from, FEW_DIGITS);
  row.databaseId = <u32>digitsRead;
  return digitsRead == 0 ? NOWHERE : to;
}

/** GUID, dash and a number of up to fifteen digits. */
export function readActivity(from: usize, row: EventRow): usize {
  const isLast = v128.or(v128.xor(v128.load(from), v128.load(lastGuid)), v128.xor(v128.load(from, 16), v128.load(lastGuidRest)));
  if (v128.any_true(isLast) || load<u32>(from, 32) != load<u32>(lastGuidRest, 16)) {
    if (!readGuid(from)) return NOWHERE;
  }
  if (load<u8>(from, GUID_LENGTH) != DASH) return NOWHERE;
  row.state |= ACTIVITY;
  v128.store(changetype<usize>(row) + offsetof<EventRow>('guid0'), v128.load(guid));
  const first = from + GUID_LENGTH + 1;
  const to = readDigits(first, MOST_DIGITS);
  row.sequence = <f64>(<i64>digitsRead);
  return to == first ? NOWHERE : to;
}

/** 8-4-4-4-12 hexadecimal digits; false, and nothing is remembered, where they are not. */
function readGuid(from: usize): bool {
  v128.store(lastGuid, i8x16.splat(-1));
  if (load<u8>(from, 8) != DASH || load<u8>(from, 13) != DASH || load<u8>(from, 18) != DASH || load<u8>(from, 23) != DASH) return false;
  let seen: u32 = 0;
  for (let i: u32 = 0; i < 8; i++) {
    const four = readFourHex(from + load<u8>(guidFours + i));
    seen |= four;
    // The upper half of each word comes first, and lies behind the lower one.
    store<u16>(guid + ((i << 1) ^ 2), four);
  }
  if (seen > 0xffff) return false;
  v128.store(lastGuid, v128.load(from));
  v128.store(lastGuidRest, v128.load(from, 16));
  store<u32>(lastGuidRest, load<u32>(from, 32), 16);
  return true;
}

/** The number that four hexadecimal digits write; more than sixteen bits where they are none. */
function readFourHex(at: usize): u32 {
  return (readHex(at) << 12) | (readHex(at + 1) << 8) | (readHex(at + 2) << 4) | readHex(at + 3);
}

/** What readDigits read. */
let digitsRead: u64 = 0;
const ZEROS: u64 = 0x3030_3030_3030_3030;
/** What makes the highest bit of a byte show that it is beyond 9. */
const SHOWN: u64 = 0x7676_7676_7676_7676;
const HIGHEST: u64 = 0x8080_8080_8080_8080;

/** Up to so many digits, nine at the least. Fewer than eight, as there nearly always are, are read at once: neighbours are put together to two digits, four and eight. */
function readDigits(from: usize, most: i32): usize {
  const eight = load<u64>(from) ^ ZEROS;
  const beyond = ((eight + SHOWN) | eight) & HIGHEST;
  if (beyond == 0) return readManyDigits(from, most);
  const bits = ctz(beyond) & ~7;
  // Zeros before the first digit; shifted in two, because 64 would be none.
  const ones = (eight << (56 - bits)) << 8;
  const twos = ((ones * 2561) >> 8) & 0x00ff_00ff_00ff_00ff;
  const fours = ((twos * 6_553_601) >> 16) & 0x0000_ffff_0000_ffff;
  digitsRead = (fours * 42_949_672_960_001) >> 32;
  return from + <usize>(bits >> 3);
}

function readManyDigits(from: usize, most: i32): usize {
  let value: u64 = 0;
  let at = from;
  for (const last = from + most; at < last; at++) {
    const digit = <u32>load<u8>(at) - 48;
    if (digit > 9) break;
    value = value * 10 + digit;
  }
  digitsRead = value;
  return at;
}
