/**
 * The fast tier of reading: rows of a shape that is known (event-shape.ts), which are nearly all. Every byte of a row is looked at: where one does not fit the
 * shape the row is not read here, and the walk (event-xml.ts) decides. So both tiers agree on whatever this one reads. Texts are copied out of their strings
 * many at a time, which costs two thirds of one at a time, and compared eight bytes at a time: eight ASCII characters are equal as a float just when they are the
 * same.
 */
import type { EventRow } from './event';
import * as fields from './event-fields';
import type { EventRegister } from './event-register';
import { ACTIVITY, DATABASE, type EventShape, KIND, TIME, UNREAD } from './event-shape';

/** Rows copied at a time. */
export const MOST_ROWS = 64;
/** Longer rows are of no shape. */
const MOST_CHARACTERS = 1000;
/** A comparison may run over the end of the last row, and comes to nothing there. */
const SPARE = 4 * MOST_CHARACTERS;
/** Room for the power of two behind the longest text. */
const SIZE = 2 * MOST_ROWS * MOST_CHARACTERS + SPARE;
const WORD = 8;

export interface EventBytes {
  /** Takes the texts of up to MOST_ROWS rows, none of them read yet; false where not all of it is ASCII, and then none can be. */
  take(rows: readonly Pick<EventRow, 'eventData'>[], fromRow: number, toRow: number): boolean;
  /** Reads those rows from one place to another that are of the shape and were not read before. @returns whether the first one is read */
  match(shape: EventShape, from: number, to: number): boolean;
  /** Fills the register with the row at that place; false where it was not read. */
  get(place: number, register: EventRegister): boolean;
}

/** One for all readers, from begin to end of a call: what is made once is known to the compiler as a constant. */
export const eventBytes = createEventBytes();

function createEventBytes(): EventBytes {
  const columns = createColumns();
  const { bytes, starts, at, left, isEnd, atUtcMs, databaseId, guid, sequence } = columns;
  /** Whether a row was read, and has an activity id. */
  const isRead = new Uint8Array(MOST_ROWS);
  const hasActivity = new Uint8Array(MOST_ROWS);
  const encoder = new TextEncoder();
  const views = createViews(bytes);
  const readColumns = createColumnReader(columns);

  return {
    take(rows, fromRow, toRow) {
      let joined = '';
      let end = 0;
      for (let row = fromRow; row < toRow; row++) {
        const text = (rows[row] as EventRow).eventData;
        if (text !== null && text.length <= MOST_CHARACTERS) {
          joined += text;
          end += text.length;
        }
        starts[row - fromRow + 1] = end;
      }
      isRead.fill(0);
      // Another number of bytes than of characters: something is not ASCII.
      const { read, written } = encoder.encodeInto(joined, views[32 - Math.clz32(end)] as Uint8Array);
      return written === end && read === end;
    },

    match(shape, from, to) {
      let count = 0;
      for (let place = from; place < to; place++) {
        if (isRead[place] === 1) continue;
        at[place] = starts[place] as number;
        left[count++] = place;
      }
      count = readColumns(shape, count);
      for (let i = 0; i < count; i++) {
        const place = left[i] as number;
        isRead[place] = at[place] === starts[place + 1] ? 1 : 0;
        hasActivity[place] = shape.hasActivity ? 1 : 0;
      }
      return isRead[from] === 1;
    },

    get(place, register) {
      if (isRead[place] === 0) return false;
      register.isEnd = isEnd[place] === 1;
      register.atUtcMs = atUtcMs[place] as number;
      register.databaseId = databaseId[place] as number;
      register.hasActivity = hasActivity[place] === 1;
      if (!register.hasActivity) return true;
      register.guid0 = guid[place * 4] as number;
      register.guid1 = guid[place * 4 + 1] as number;
      register.guid2 = guid[place * 4 + 2] as number;
      register.guid3 = guid[place * 4 + 3] as number;
      register.sequence = sequence[place] as number;
      return true;
    },
  };
}

/** The first 1, 2, 4, ... bytes: into less than three bytes a character ASCII is copied at once, which is quicker; what is not ASCII does not fit. */
function createViews(bytes: Uint8Array): readonly Uint8Array[] {
  return Array.from({ length: 32 - Math.clz32(bytes.length) }, (_, power) => bytes.subarray(0, 2 ** power));
}

function createColumns(): fields.RowColumns {
  const bytes = new Uint8Array(SIZE);
  return {
    bytes,
    view: new DataView(bytes.buffer),
    starts: new Int32Array(MOST_ROWS + 1),
    at: new Int32Array(MOST_ROWS),
    left: new Int32Array(MOST_ROWS),
    isEnd: new Uint8Array(MOST_ROWS),
    atUtcMs: new Float64Array(MOST_ROWS),
    databaseId: new Int32Array(MOST_ROWS),
    guid: new Int32Array(4 * MOST_ROWS),
    sequence: new Float64Array(MOST_ROWS),
  };
}

/** Reads fixed text and field by turns. @returns how many rows fit up to the last field */
function createColumnReader(columns: fields.RowColumns): (shape: EventShape, count: number) => number {
  const words = new Float64Array(MOST_CHARACTERS);
  const compareTexts = createTextComparer(columns, words);
  const [readKinds, readTimes] = [fields.createKindReader(columns), fields.createTimeReader(columns)];
  const [readDatabases, skipUnread] = [fields.createDatabaseReader(columns), fields.createUnreadSkipper(columns)];
  const [readGuids, readSequences] = [fields.createGuidReader(columns), fields.createSequenceReader(columns)];
  return (shape, rows) => {
    words.set(shape.words);
    let count = rows;
    let word = 0;
    for (let i = 0; i < shape.lengths.length && count > 0; i++) {
      const length = shape.lengths[i] as number;
      count = compareTexts(count, length, word);
      word += Math.ceil(length / WORD);
      const field = shape.fields[i];
      if (field === KIND) count = readKinds(count);
      else if (field === TIME) count = readTimes(count);
      else if (field === DATABASE) count = readDatabases(count);
      else if (field === ACTIVITY) count = readSequences(readGuids(count));
      else if (field === UNREAD) count = skipUnread(count);
    }
    return count;
  };
}

/** Compares one fixed text of the rows left; only those are left that have it. Two words a turn: the turns cost more than the comparisons. */
function createTextComparer({ view, at, left }: fields.RowColumns, words: Float64Array) {
  return (count: number, length: number, word: number): number => {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const place = left[i] as number;
      const from = at[place] as number;
      const last = from + length - WORD;
      let w = word;
      let to = from;
      while (to + WORD < last && view.getFloat64(to, true) === words[w] && view.getFloat64(to + WORD, true) === words[w + 1]) {
        to += 2 * WORD;
        w += 2;
      }
      if (to + WORD < last || (to < last && view.getFloat64(to, true) !== words[w++]) || view.getFloat64(last, true) !== words[w]) continue;
      at[place] = last + WORD;
      left[kept++] = place;
    }
    return kept;
  };
}
