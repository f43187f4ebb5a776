/**
 * How the rows of a session are laid out. All begins are alike but for their numbers, and so are all ends
 * (docs/facts.md, SQL Server 3). So a row that the walk has read teaches which texts are fixed, and where the others
 * stand:
 *
 *     <event name="checkpoint_begin" package="sqlserver" timestamp="2016-07-09T03:30:14.023Z"><data name="database_id"><value>5</value></data><action ...
 *     ============================================================ time ==================================================== database ==============
 *
 * If a row has the same fixed texts, and between them texts of the same kind, it has the same tags in the same order,
 * and the walk would read it alike. That holds for any order of elements and attributes, types, CDATA and further
 * actions, because the fixed texts can be anything.
 */
import type { CheckpointEvent } from './event';
import { EventRegister, packCaller, readGuid } from './event-register';
import { GUID_TEXT, LARGEST_SESSION_ID, type Mark, type MarkKind, readEventTime } from './event-xml';

/** Longer rows are left to the walk. */
export const MOST_CHARACTERS = 1024;
/** The text at this place is not written in the common way. The walk reads the row. */
const NO_FIELD = -1;
const [AMPERSAND, DASH, ZERO, LESS, GREATER, LETTER_Z] = [38, 45, 48, 60, 62, 90] as const;
/** Stands for every character beyond ASCII. */
const BEYOND_ASCII = 128;
/**
 * Characters compared at a time, as one float. With four at a time, as an integer, the reader took 1.2 to 1.4 times as
 * long (bench/README.md).
 */
const WORD = 8;
/**
 * Only such texts are fixed. Without NULs and bytes beyond ASCII, two floats are equal exactly if all their bytes are.
 * Nothing behind the NUL that ends a row is equal to them either.
 */
const COMPARABLE = /^[ -~\t\r\n]{8,}$/;
/** `yyyy-mm-ddThh:mi:ss.`, `fffZ`; a GUID. */
const [SECOND_LENGTH, TIME_LENGTH, GUID_LENGTH] = [20, 24, 36] as const;
/** The most digits of a number that surely fits into 32 bits, and of one that a float holds exactly. */
const [FEW_DIGITS, MOST_DIGITS] = [9, 15] as const;
const SESSION_DIGITS = 5;

/**
 * The row that is being read: one byte for each character, and a NUL after the last one. To look at a character of a
 * string takes ten times as long.
 */
const bytes = new Uint8Array(4 * MOST_CHARACTERS);
const words = new DataView(bytes.buffer);
const encoder = new TextEncoder();

/** A piece of a row, with which the same place of other rows is compared. */
class Piece {
  /** Words of the text; the last one may overlap the one before. None is equal before `take`. */
  private readonly words: Float64Array;

  constructor(readonly length: number) {
    this.words = new Float64Array(Math.ceil(length / WORD)).fill(NaN);
  }

  /** Takes the text that begins here. */
  take(from: number): this {
    const last = from + this.length - WORD;
    for (let i = 0; i < this.words.length; i++)
      this.words[i] = words.getFloat64(Math.min(from + i * WORD, last));
    return this;
  }

  isAt(from: number): boolean {
    const last = this.words.length - 1;
    for (let i = 0; i < last; i++) if (words.getFloat64(from + i * WORD) !== this.words[i]) return false;
    return words.getFloat64(from + this.length - WORD) === this.words[last];
  }
}

/** The second and the GUID read last: most rows repeat them. */
const second = new Piece(SECOND_LENGTH);
let secondUtcMs = 0;
const guid = new Piece(GUID_LENGTH);
let guidWords = readGuid('');

/** A fixed text, and the kind of text after it. */
interface Step {
  readonly piece: Piece;
  readonly behind: MarkKind | 'nothing';
}

/** The pattern that rows are compared with. */
export interface Layout {
  readonly steps: readonly Step[];
  readonly isEnd: boolean;
  /** Who asked, without the session id, as `packCaller` writes it. */
  readonly caller: number;
}

/** Takes the next row, of at most MOST_CHARACTERS. */
export function takeRow(text: string): void {
  const { length } = text;
  if (encoder.encodeInto(text, bytes).written !== length)
    for (let i = 0; i < length; i++) bytes[i] = Math.min(text.charCodeAt(i), BEYOND_ASCII);
  bytes[length] = 0;
}

/**
 * The layout of the row that was taken last.
 * @param event what the walk read in it
 * @param marks the texts that the walk marked, in order of position
 * @returns null if the row teaches nothing: it is not plain, or its numbers are not written in the common way
 */
export function learnLayout(text: string, event: CheckpointEvent, marks: readonly Mark[]): Layout | null {
  const count = (kind: MarkKind): number => marks.filter((mark) => mark.kind === kind).length;
  // A number that is not marked would count as fixed, and rows with other numbers would not be told apart.
  if (
    count('time') !== 1 ||
    count('database_id') !== 1 ||
    count('attach_activity_id') !== (event.activity === null ? 0 : 1) ||
    count('session_id') !== (event.caller?.sessionId == null ? 0 : 1)
  )
    return null;
  const steps: Step[] = [];
  for (let i = 0, from = 0; i <= marks.length; from = marks[i++]?.to ?? 0) {
    const to = marks[i]?.from ?? text.length;
    if (!COMPARABLE.test(text.slice(from, to))) return null;
    steps.push({ piece: new Piece(to - from).take(from), behind: marks[i]?.kind ?? 'nothing' });
  }
  const caller = packCaller(event.caller && { ...event.caller, sessionId: null });
  const layout = { steps, isEnd: event.kind === 'end', caller };
  return readByLayout(layout, text, new EventRegister()) ? layout : null;
}

/**
 * Reads the row that was taken last.
 * @returns false if it has another layout; then the register is of no use
 */
export function readByLayout(
  { steps, isEnd, caller }: Layout,
  text: string,
  register: EventRegister,
): boolean {
  register.isEnd = isEnd;
  register.hasActivity = false;
  register.caller = caller;
  let at = 0;
  for (let i = 0; i < steps.length; i++) {
    const { piece, behind } = steps[i] as Step;
    if (!piece.isAt(at)) return false;
    at = readField(behind, text, at + piece.length, register);
    if (at === NO_FIELD) return false;
  }
  return at === text.length;
}

/** Reads a text into the register. Gives the position after it, or NO_FIELD. */
function readField(kind: Step['behind'], text: string, from: number, register: EventRegister): number {
  switch (kind) {
    case 'time':
      return readTime(text, from, register);
    case 'database_id':
      return readDatabase(from, register);
    case 'attach_activity_id':
      return readActivity(text, from, register);
    case 'session_id':
      return readSession(from, register);
    case 'text':
      return skipText(from, text.length);
    case 'cdata':
      return text.indexOf(']]>', from);
    case 'nothing':
      return from;
  }
}

/** Reads `yyyy-mm-ddThh:mi:ss.fffZ`. */
function readTime(text: string, from: number, register: EventRegister): number {
  const to = from + TIME_LENGTH;
  if (!second.isAt(from)) {
    const utcMs = readEventTime(text.slice(from, to));
    if (utcMs === null) return NO_FIELD;
    second.take(from);
    secondUtcMs = utcMs - (utcMs % 1000);
  }
  if (skipDigits(from + SECOND_LENGTH, 3) !== to - 1 || bytes[to - 1] !== LETTER_Z) return NO_FIELD;
  register.atUtcMs = secondUtcMs + readNumber(from + SECOND_LENGTH, to - 1);
  return to;
}

/** Reads a GUID, a dash, and a number of up to fifteen digits. */
function readActivity(text: string, from: number, register: EventRegister): number {
  const dash = from + GUID_LENGTH;
  if (!guid.isAt(from)) {
    const read = text.slice(from, dash);
    if (!GUID_TEXT.test(read)) return NO_FIELD;
    guid.take(from);
    guidWords = readGuid(read);
  }
  const to = skipDigits(dash + 1, MOST_DIGITS);
  if (bytes[dash] !== DASH || to === dash + 1) return NO_FIELD;
  register.setActivity(guidWords, readNumber(dash + 1, to));
  return to;
}

/** Skips text without markup that is not read, up to the next tag. */
function skipText(from: number, end: number): number {
  let at = from;
  while (at < end && bytes[at] !== LESS && bytes[at] !== AMPERSAND && bytes[at] !== GREATER) at++;
  return bytes[at] === LESS ? at : NO_FIELD;
}

/** Reads a database_id of up to nine digits, not 0. */
function readDatabase(from: number, register: EventRegister): number {
  const to = skipDigits(from, FEW_DIGITS);
  register.databaseId = readNumber(from, to);
  return register.databaseId === 0 ? NO_FIELD : to;
}

/** Reads a session_id of up to five digits, not 0. */
function readSession(from: number, register: EventRegister): number {
  const to = skipDigits(from, SESSION_DIGITS);
  const sessionId = readNumber(from, to);
  if (sessionId === 0 || sessionId > LARGEST_SESSION_ID) return NO_FIELD;
  register.caller += packCaller({ isSystem: null, sessionId });
  return to;
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
