/**
 * The fast tiers of reading, in WebAssembly (assembly/): rows of a layout that is known are compared with it, sixteen bytes at a time, and any other plain begin or
 * end is walked over and teaches its layout. Every byte of a row is looked at; what is not plain is left to the walk in TypeScript (event-xml.ts), which says what it
 * is. So all tiers agree on whatever is read here. Texts are copied out of their strings several at a time, which costs half of one at a time.
 */
import { assembled } from './assembled';
import type { EventRow } from './event';
import type { EventRegister } from './event-register';

/** Rows are read at a time up to so many characters and a row; of more, copying costs more. */
const FULL = 10_000;
/** Longer rows are left to the walk in TypeScript. */
const MOST_CHARACTERS = 4_000;

/** What assembly/layout.ts keeps of a row, in numbers of 64 and of 32 bits: the time and the event's number, then the others. */
const [DOUBLES, WORDS] = [5, 10] as const;
const [DATABASE_ID, STATE, GUID] = [4, 5, 6] as const;
const [END, ACTIVITY] = [2, 4] as const;

interface Assembly {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Where texts, their positions, and what is read of each begin in the memory. */
  readonly texts: { readonly value: number };
  readonly starts: { readonly value: number };
  readonly rows: { readonly value: number };
  /** What there is room for. */
  readonly MOST_ROWS: { readonly value: number };
  readonly MOST_BYTES: { readonly value: number };
  /** Reads so many rows. */
  readonly read: (count: number) => void;
  /** Forgets what earlier rows taught. */
  readonly forget: () => void;
  readonly walked: { readonly value: number };
}

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

export interface EventAssembly {
  /** Reads rows from that one on, as many as are read at a time. @returns up to which */
  take(rows: readonly Pick<EventRow, 'eventData'>[], fromRow: number): number;
  /** Fills the register with what was read of the row at that place of those taken; false where it was not read, and then the register stays. */
  read(place: number, register: EventRegister): boolean;
  /** Forgets layouts of earlier rows. */
  forget(): void;
  /** How many rows were of no known layout so far: a measure of the work done. */
  countWalked(): number;
}

/** One for all readers, from begin to end of a call: what is made once is known to the compiler as a constant. */
export const eventAssembly = createEventAssembly(instantiate());

/** Without an assembly, where the host runs none, every row is left to the walk in TypeScript. */
export function createEventAssembly(assembly: Assembly | null): EventAssembly {
  if (assembly === null) return { take: (given) => given.length, read: () => false, forget: () => undefined, countWalked: () => 0 };
  const { memory, texts, starts, rows, read, forget, walked } = assembly;
  const mostRows = assembly.MOST_ROWS.value;
  const bytes = new Uint8Array(memory.buffer, texts.value, assembly.MOST_BYTES.value);
  const ends = new Uint32Array(memory.buffer, starts.value, mostRows + 1);
  const doubles = new Float64Array(memory.buffer, rows.value, mostRows * DOUBLES);
  const words = new Int32Array(memory.buffer, rows.value, mostRows * WORDS);
  const copy = createCopier(bytes, ends);

  return {
    take(given, fromRow) {
      const toRow = copy(given, fromRow);
      read(toRow - fromRow);
      return toRow;
    },

    read(place, register) {
      const word = (place * WORDS) | 0;
      const state = words[word + STATE] as number;
      if (state === 0) return false;
      const double = (place * DOUBLES) | 0;
      register.isEnd = (state & END) !== 0;
      register.databaseId = words[word + DATABASE_ID] as number;
      register.atUtcMs = doubles[double] as number;
      register.hasActivity = (state & ACTIVITY) !== 0;
      if (register.hasActivity !== true) return true;
      register.sequence = doubles[double + 1] as number;
      register.guid0 = words[word + GUID] as number;
      register.guid1 = words[word + GUID + 1] as number;
      register.guid2 = words[word + GUID + 2] as number;
      register.guid3 = words[word + GUID + 3] as number;
      return true;
    },

    forget,

    countWalked: () => walked.value,
  };
}

/** null where the host runs no WebAssembly, or none of its instructions for sixteen bytes at a time. */
function instantiate(): Assembly | null {
  try {
    const binary = Uint8Array.from(atob(assembled), (character) => character.charCodeAt(0));
    return new WebAssembly.Instance(new WebAssembly.Module(binary)).exports as Assembly;
  } catch {
    return null;
  }
}

/** Copies texts of rows, from one on, into the bytes, and notes where each ends; gives up to which row. */
function createCopier(bytes: Uint8Array, ends: Uint32Array): (rows: readonly Pick<EventRow, 'eventData'>[], fromRow: number) => number {
  const encoder = new TextEncoder();
  const mostRows = ends.length - 1;
  /** The first 1, 2, 4, ... bytes: into less than three bytes a character ASCII is copied at once, which is quicker; what is not ASCII does not fit. */
  const views = Array.from({ length: 32 - Math.clz32(bytes.length) }, (_, power) => bytes.subarray(0, 2 ** power));
  const copyEach = (rows: readonly Pick<EventRow, 'eventData'>[], fromRow: number, toRow: number): void => {
    let end = 0;
    for (let row = fromRow; row < toRow; row++) {
      const text = (rows[row] as EventRow).eventData;
      if (text !== null && text.length <= MOST_CHARACTERS) end += encoder.encodeInto(text, bytes.subarray(end)).written;
      ends[row - fromRow + 1] = end;
    }
  };
  return (rows, fromRow) => {
    const most = Math.min(fromRow + mostRows, rows.length);
    let joined = '';
    let end = 0;
    let row = fromRow;
    for (; row < most && end < FULL; row++) {
      const text = (rows[row] as EventRow).eventData;
      if (text !== null && text.length <= MOST_CHARACTERS) {
        joined += text;
        end += text.length;
      }
      ends[row - fromRow + 1] = end;
    }
    // Another number of bytes than of characters: something is not ASCII.
    const { read, written } = encoder.encodeInto(joined, views[32 - Math.clz32(end)] as Uint8Array);
    if (written !== end || read !== end) copyEach(rows, fromRow, row);
    return row;
  };
}
