/**
 * The fast tier of reading: rows of exactly the published shape (docs/facts.md, SQL Server 3), which are nearly all.
 *
 *     <event name="checkpoint_begin" package="sqlserver" timestamp="2016-07-09T03:30:14.023Z"><data name="database_id"><value>5</value></data>
 *     <action name="..." package="..."><value>...</value></action>                          any number of other actions without markup
 *     <action name="attach_activity_id" package="package0"><value>GUID-N</value></action>   none, or one at the tail
 *     </event>
 *
 * Every byte of a row is looked at: where one does not fit the shape the row is not read here, and the walk (event-xml.ts) decides. So both tiers
 * agree on whatever this one reads. A row is copied out of its string once, which costs half of all, and compared eight bytes at a time: eight ASCII
 * characters read as a float are equal just when they are the same.
 */
import type { EventRegister } from './event-register';
import { type PackedText, packBytes, packText } from './packed-text';

/** Longer rows are not of our shape. Room for three bytes a character is kept, so that a row always fits. */
const MOST_CHARACTERS = 1000;
/** The timestamp stands here whatever the event: 16 characters of it are two aligned floats. */
const TIME_AT = 64;
const SIZE = TIME_AT + 3 * MOST_CHARACTERS + 64;
/** "b" or "e" of begin and end. */
const KIND_AT = 24;
const LETTER_E = 101;
/** The "v" of <value> right behind the data field's start tag. */
const LETTER_V = 118;
const VALUE_AT = 24 + '"><data name="database_id"><'.length;
const QUOTE = 34;
const AMPERSAND = 38;
const DASH = 45;
const [DOT, ZERO, COLON, LESS, GREATER] = [46, 48, 58, 60, 62] as const;
const [LETTER_T, LETTER_Z] = [84, 90] as const;
const GUID_LENGTH = 36;
/** Names of actions and packages are shorter. */
const MOST_NAME = 60;
/** As the walk takes them: docs/facts.md, SQL Server 3, on clocks that moved. */
const FIRST_YEAR = 2000;
const LAST_YEAR = 2199;

/** What a hexadecimal digit is worth; 255 for any other byte. */
const HEX = Uint8Array.from({ length: 256 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase());
  return digit < 0 ? 255 : digit;
});
/** 1 for what stands in the names of actions and packages. */
const IN_NAME = Uint8Array.from({ length: 256 }, (_, code) => (/[a-zA-Z0-9_]/.test(String.fromCharCode(code)) ? 1 : 0));
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

const BEGIN_HEAD = packText('<event name="checkpoint_begin" package="sqlserver" timestamp="');
const END_HEAD = packText('<event name="checkpoint_end" package="sqlserver" timestamp="');
const DATA_HEAD = packText('"><data name="database_id"><value>');
const DATA_TAIL = packText('</value></data>');
const ACTIVITY_HEAD = packText('<action name="attach_activity_id" package="package0"><value>');
const ACTIVITY_NAME = packText('attach_activity_id');
const ACTION_HEAD = packText('<action name="');
const ACTION_PACKAGE = packText('" package="');
const ACTION_VALUE = packText('"><value>');
const ACTION_TAIL = packText('</value></action>');
const EVENT_TAIL = packText('</event>');
const ROW_TAIL = packText('</value></action></event>');

export class EventBytes {
  private readonly bytes = new Uint8Array(SIZE);
  private readonly view = new DataView(this.bytes.buffer);
  private readonly floats = new Float64Array(this.bytes.buffer);
  private readonly encoder = new TextEncoder();
  private readonly beginTarget = this.bytes.subarray(TIME_AT - BEGIN_HEAD.length);
  private readonly endTarget = this.bytes.subarray(TIME_AT - END_HEAD.length);
  /** The last minute read, as characters and as a time: most rows are of the same one. */
  private minuteText0 = NaN;
  private minuteText1 = NaN;
  private minuteUtcMs = 0;
  /** The last GUID read, as characters and as numbers: one long-lived task runs most checkpoints (docs/facts.md, SQL Server 3). */
  private readonly guidText = new Float64Array(4).fill(NaN);
  private guidTextEnd = 0;
  private readonly guid = new Int32Array(4);
  /** The heads of the other actions of the last rows, by their place in the row: rows of one session have the same ones. */
  private readonly actionHeads: PackedText[] = [];

  /** Reads a row into the register; false where it is not of the shape, and then the register says nothing. */
  read(text: string, register: EventRegister): boolean {
    const { length } = text;
    if (length > MOST_CHARACTERS || length < 100) return false;
    const isEnd = text.charCodeAt(KIND_AT) === LETTER_E;
    const head = isEnd ? END_HEAD : BEGIN_HEAD;
    // A ring buffer's rows have <type> there: they are not worth copying.
    if (text.charCodeAt(head.length + VALUE_AT) !== LETTER_V) return false;
    // Another number of bytes than of characters: not all of it is ASCII.
    if (this.encoder.encodeInto(text, isEnd ? this.endTarget : this.beginTarget).written !== length) return false;
    const from = TIME_AT - head.length;
    if (!this.isAt(from, head) || !this.isAt(TIME_AT + 24, DATA_HEAD)) return false;
    const atUtcMs = this.readTime();
    if (atUtcMs < 0) return false;
    register.isEnd = isEnd;
    register.atUtcMs = atUtcMs;
    const behindData = this.readDatabase(TIME_AT + 24 + DATA_HEAD.length, register);
    return behindData > 0 && this.readActions(behindData, from + length, register);
  }

  /** What is compared behind the row's end is left over from an earlier one; it counts for nothing, because the shape must end at `end` exactly. */
  private readActions(from: number, end: number, register: EventRegister): boolean {
    let at = from;
    let place = 0;
    register.hasActivity = false;
    while (at > 0 && at < end) {
      if (at + EVENT_TAIL.length === end) return this.isAt(at, EVENT_TAIL);
      if (this.isAt(at, ACTIVITY_HEAD)) {
        at = this.readActivity(at + ACTIVITY_HEAD.length, register);
        return at > 0 && at + ROW_TAIL.length === end && this.isAt(at, ROW_TAIL);
      }
      at = this.skipAction(at, end, place++);
    }
    return false;
  }

  /** Two words a turn: the turns cost more than the comparisons. */
  private isAt(at: number, { length, words }: PackedText): boolean {
    const { view } = this;
    const last = words.length - 1;
    if (view.getFloat64(at, true) !== words[0] || view.getFloat64(at + length - 8, true) !== words[last]) return false;
    let i = 1;
    for (; i + 1 < last; i += 2) {
      const from = at + 8 * i;
      if (view.getFloat64(from, true) !== words[i] || view.getFloat64(from + 8, true) !== words[i + 1]) return false;
    }
    return i >= last || view.getFloat64(at + 8 * i, true) === words[i];
  }

  /** yyyy-mm-ddThh:mi:ss.fffZ at TIME_AT; -1 where it is no time. */
  private readTime(): number {
    const { bytes, floats } = this;
    const [text0, text1] = [floats[TIME_AT / 8] as number, floats[TIME_AT / 8 + 1] as number];
    if (text0 !== this.minuteText0 || text1 !== this.minuteText1) {
      const minuteUtcMs = this.readMinute();
      if (minuteUtcMs < 0) return -1;
      this.minuteUtcMs = minuteUtcMs;
      this.minuteText0 = text0;
      this.minuteText1 = text1;
    }
    if (bytes[TIME_AT + 16] !== COLON || bytes[TIME_AT + 19] !== DOT || bytes[TIME_AT + 23] !== LETTER_Z) return -1;
    const second = this.readPair(TIME_AT + 17);
    const tens = this.readPair(TIME_AT + 20);
    const ones = (bytes[TIME_AT + 22] as number) - ZERO;
    if (second < 0 || second > 59 || tens < 0 || ones < 0 || ones > 9) return -1;
    return this.minuteUtcMs + second * 1000 + tens * 10 + ones;
  }

  /** The number that two digits write; -1 where one is none. */
  private readPair(at: number): number {
    const tens = (this.bytes[at] as number) - ZERO;
    const ones = (this.bytes[at + 1] as number) - ZERO;
    return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : tens * 10 + ones;
  }

  private readMinute(): number {
    const { bytes } = this;
    const isDashed = bytes[TIME_AT + 4] === DASH && bytes[TIME_AT + 7] === DASH;
    if (!isDashed || bytes[TIME_AT + 10] !== LETTER_T || bytes[TIME_AT + 13] !== COLON) return -1;
    const year = this.readNumber(TIME_AT, 4);
    const month = this.readNumber(TIME_AT + 5, 2);
    const day = this.readNumber(TIME_AT + 8, 2);
    const hour = this.readNumber(TIME_AT + 11, 2);
    const minute = this.readNumber(TIME_AT + 14, 2);
    if (year < FIRST_YEAR || year > LAST_YEAR || month < 1 || month > 12 || day < 1 || day > (DAYS[month - 1] ?? 0)) return -1;
    const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    if ((month === 2 && day === 29 && !isLeapYear) || hour < 0 || hour > 23 || minute < 0 || minute > 59) return -1;
    return Date.UTC(year, month - 1, day, hour, minute);
  }

  /** The number that so many digits write; -1 where one is none. */
  private readNumber(at: number, digits: number): number {
    let value = 0;
    for (let i = at; i < at + digits; i++) {
      const digit = (this.bytes[i] as number) - ZERO;
      if (digit < 0 || digit > 9) return -1;
      value = value * 10 + digit;
    }
    return value;
  }

  /** Digits and the end of the data field: the position behind it, or -1. */
  private readDatabase(from: number, register: EventRegister): number {
    const { bytes } = this;
    let at = from;
    let databaseId = 0;
    for (; at < from + 9; at++) {
      const digit = (bytes[at] as number) - ZERO;
      if (digit < 0 || digit > 9) break;
      databaseId = databaseId * 10 + digit;
    }
    if (databaseId === 0 || !this.isAt(at, DATA_TAIL)) return -1;
    register.databaseId = databaseId;
    return at + DATA_TAIL.length;
  }

  /** GUID, dash and number: the position behind them, or -1. */
  private readActivity(from: number, register: EventRegister): number {
    const { bytes, guid } = this;
    if (!this.isLastGuid(from) && !this.readGuid(from)) return -1;
    if (bytes[from + GUID_LENGTH] !== DASH) return -1;
    const first = from + GUID_LENGTH + 1;
    let at = first;
    let sequence = 0;
    for (; at < first + 15; at++) {
      const digit = (bytes[at] as number) - ZERO;
      if (digit < 0 || digit > 9) break;
      sequence = sequence * 10 + digit;
    }
    if (at === first) return -1;
    register.hasActivity = true;
    register.guid0 = guid[0] as number;
    register.guid1 = guid[1] as number;
    register.guid2 = guid[2] as number;
    register.guid3 = guid[3] as number;
    register.sequence = sequence;
    return at;
  }

  private isLastGuid(at: number): boolean {
    const { view, guidText } = this;
    return (
      view.getFloat64(at, true) === guidText[0] &&
      view.getFloat64(at + 8, true) === guidText[1] &&
      view.getFloat64(at + 16, true) === guidText[2] &&
      view.getFloat64(at + 24, true) === guidText[3] &&
      view.getInt32(at + 32, true) === this.guidTextEnd
    );
  }

  /** 8-4-4-4-12 hexadecimal digits; false where they are not, and then no GUID is remembered. */
  private readGuid(from: number): boolean {
    const { bytes, view, guid, guidText } = this;
    guidText[0] = NaN;
    let digits = 0;
    for (let i = 0; i < GUID_LENGTH; i++) {
      const code = bytes[from + i] as number;
      if (i === 8 || i === 13 || i === 18 || i === 23) {
        if (code !== DASH) return false;
        continue;
      }
      const digit = HEX[code] as number;
      if (digit > 15) return false;
      guid[digits >> 3] = ((guid[digits >> 3] as number) << 4) | digit;
      digits++;
    }
    for (let i = 0; i < 4; i++) guidText[i] = view.getFloat64(from + 8 * i, true);
    this.guidTextEnd = view.getInt32(from + 32, true);
    return true;
  }

  /** An action that says nothing to us and holds no markup: the position behind it, or -1. */
  private skipAction(from: number, end: number, place: number): number {
    const { bytes } = this;
    const head = this.actionHeads[place];
    const valueFrom = head !== undefined && this.isAt(from, head) ? from + head.length : this.skipActionHead(from, place);
    if (valueFrom < 0) return -1;
    let at = valueFrom;
    for (; at < end; at++) {
      const code = bytes[at] as number;
      if (code === LESS) break;
      if (code === AMPERSAND || code === GREATER) return -1;
    }
    return this.isAt(at, ACTION_TAIL) ? at + ACTION_TAIL.length : -1;
  }

  /** The start tags of an action and of its value: the position behind them, or -1. */
  private skipActionHead(from: number, place: number): number {
    if (!this.isAt(from, ACTION_HEAD)) return -1;
    const nameFrom = from + ACTION_HEAD.length;
    const nameTo = this.skipName(nameFrom);
    if (nameTo - nameFrom === ACTIVITY_NAME.length && this.isAt(nameFrom, ACTIVITY_NAME)) return -1;
    if (nameTo < 0 || !this.isAt(nameTo, ACTION_PACKAGE)) return -1;
    const packageTo = this.skipName(nameTo + ACTION_PACKAGE.length);
    if (packageTo < 0 || !this.isAt(packageTo, ACTION_VALUE)) return -1;
    const to = packageTo + ACTION_VALUE.length;
    if (place <= this.actionHeads.length) this.actionHeads[place] = packBytes(this.bytes.slice(from, to));
    return to;
  }

  /** The position of the quote behind a name; -1 where there is no name. */
  private skipName(from: number): number {
    let at = from;
    while (at < from + MOST_NAME && IN_NAME[this.bytes[at] as number] === 1) at++;
    return at > from && this.bytes[at] === QUOTE ? at : -1;
  }
}
