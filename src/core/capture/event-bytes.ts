/**
 * The fast tier of reading: rows of a shape that is known (event-shape.ts), which are nearly all. Every byte of a row is looked at: where one does not fit the
 * shape the row is not read here, and the walk (event-xml.ts) decides. So both tiers agree on whatever this one reads. Texts are copied out of their strings
 * several at a time, which costs half of one at a time, and compared eight bytes at a time: eight ASCII characters are equal as a float just when they are the
 * same.
 */
import type { EventRow } from './event';
import { createFieldReaders, NO_FIELD } from './event-fields';
import type { EventRegister } from './event-register';
import { ACTIVITY, DATABASE, type EventShape, KIND, MOST_TEXTS, NOTHING, TIME, UNREAD } from './event-shape';

/** Rows copied at a time. */
export const MOST_ROWS = 64;
/** Shapes known at a time: a session has one for each set of actions that its events carry. */
export const MOST_SHAPES = 8;
/** Longer rows are of no shape. */
export const MOST_CHARACTERS = 1000;
/** A comparison may run over the end of the last row, and comes to nothing there. */
const SPARE = 4 * MOST_CHARACTERS;
/** Room for the power of two behind the longest text. */
const SIZE = 2 * MOST_ROWS * MOST_CHARACTERS + SPARE;
const WORD = 8;
/** Numbers kept for each shape: the length of each text and what stands behind it; and its words. */
const [SHAPE_NUMBERS, SHAPE_WORDS] = [2 * MOST_TEXTS, MOST_CHARACTERS / WORD + MOST_TEXTS];

export interface EventBytes {
  /** Takes the texts of up to MOST_ROWS rows; false where not all of it is ASCII, and then none can be read. */
  take(rows: readonly Pick<EventRow, 'eventData'>[], fromRow: number, toRow: number): boolean;
  /** Shapes to read by from now on, the likeliest one first. */
  use(shapes: readonly EventShape[]): void;
  /** Fills the register with the row at that place of those taken; false where it is of none of these shapes, and then it holds nothing of use. */
  read(place: number, register: EventRegister): boolean;
}

/** One for all readers, from begin to end of a call: what is made once is known to the compiler as a constant. */
export const eventBytes = createEventBytes();

function createEventBytes(): EventBytes {
  const bytes = new Uint8Array(SIZE);
  const encoder = new TextEncoder();
  const views = createViews(bytes);
  const shapes = createShapes(bytes);
  const { starts, numbers, words } = shapes;
  const readShape = createShapeReader(shapes);
  let used: readonly EventShape[] = [];

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
      // Another number of bytes than of characters: something is not ASCII.
      const { read, written } = encoder.encodeInto(joined, views[32 - Math.clz32(end)] as Uint8Array);
      return written === end && read === end;
    },

    use(given) {
      if (given === used) return;
      used = given;
      used.forEach((shape, i) => {
        words.set(shape.words, i * SHAPE_WORDS);
        numbers.set(shape.numbers, i * SHAPE_NUMBERS);
      });
    },

    read(place, register) {
      for (let shape = 0; shape < used.length; shape++) if (readShape(shape, place, register) === true) return true;
      return false;
    },
  };
}

/** The first 1, 2, 4, ... bytes: into less than three bytes a character ASCII is copied at once, which is quicker; what is not ASCII does not fit. */
function createViews(bytes: Uint8Array): readonly Uint8Array[] {
  return Array.from({ length: 32 - Math.clz32(bytes.length) }, (_, power) => bytes.subarray(0, 2 ** power));
}

interface Shapes {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Where each row begins, and where the last one ends. */
  readonly starts: Int32Array;
  readonly numbers: Int32Array;
  readonly words: Float64Array;
}

function createShapes(bytes: Uint8Array): Shapes {
  return {
    bytes,
    view: new DataView(bytes.buffer),
    starts: new Int32Array(MOST_ROWS + 1),
    numbers: new Int32Array(MOST_SHAPES * SHAPE_NUMBERS),
    words: new Float64Array(MOST_SHAPES * SHAPE_WORDS),
  };
}

/** Reads fixed text and field by turns. */
function createShapeReader({ bytes, view, starts, numbers, words }: Shapes) {
  const isText = createTextComparer(view, words);
  const { readKind, readTime, readDatabase, readActivity, skipUnread } = createFieldReaders(bytes, view);
  return (shape: number, place: number, register: EventRegister): boolean => {
    const end = starts[place + 1] as number;
    let at = (starts[place] as number) | 0;
    let word = (shape * SHAPE_WORDS) | 0;
    register.hasActivity = false;
    for (let i = (shape * SHAPE_NUMBERS) | 0; ; i = (i + 2) | 0) {
      const length = numbers[i] as number;
      if (!isText(at, length, word)) return false;
      at = (at + length) | 0;
      word = (word + ((length + WORD - 1) >> 3)) | 0;
      const field = numbers[(i + 1) | 0];
      // Nothing is looked at behind the end of a row that ends where it should.
      if (field === NOTHING) return at === end;
      if (field === KIND) at = readKind(at, register) | 0;
      else if (field === TIME) at = readTime(at, register) | 0;
      else if (field === DATABASE) at = readDatabase(at, register) | 0;
      else if (field === ACTIVITY) at = readActivity(at, register) | 0;
      else if (field === UNREAD) at = skipUnread(at, end) | 0;
      if (at === NO_FIELD) return false;
    }
  };
}

/** Whether a fixed text stands there. Sums are cut to 32 bits, so that none is looked at for being more; several words a turn, because turns cost as much as words. */
function createTextComparer(view: DataView, words: Float64Array) {
  return (from: number, length: number, word: number): boolean => {
    const last = (((from + length) | 0) - WORD) | 0;
    const lastOfTwo = (last - WORD) | 0;
    const lastOfFour = (last - 3 * WORD) | 0;
    let to = from | 0;
    let w = word | 0;
    for (; to < lastOfFour; to = (to + 4 * WORD) | 0, w = (w + 4) | 0) {
      if (view.getFloat64(to, true) !== words[w] || view.getFloat64((to + WORD) | 0, true) !== words[(w + 1) | 0]) return false;
      if (view.getFloat64((to + 2 * WORD) | 0, true) !== words[(w + 2) | 0]) return false;
      if (view.getFloat64((to + 3 * WORD) | 0, true) !== words[(w + 3) | 0]) return false;
    }
    if (to < lastOfTwo) {
      if (view.getFloat64(to, true) !== words[w] || view.getFloat64((to + WORD) | 0, true) !== words[(w + 1) | 0]) return false;
      to = (to + 2 * WORD) | 0;
      w = (w + 2) | 0;
    }
    if (to < last) {
      if (view.getFloat64(to, true) !== words[w]) return false;
      w = (w + 1) | 0;
    }
    return view.getFloat64(last, true) === words[w];
  };
}
