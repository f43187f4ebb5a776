/**
 * How the rows of a session are laid out. They differ in little but their numbers (docs/facts.md, SQL Server 3), so one that the walk has read teaches what stands
 * fixed in it, and where that is not:
 *
 *     <event name="checkpoint_begin" package="sqlserver" timestamp="2016-07-09T03:30:14.023Z"><data name="database_id"><value>5</value></data><action ...
 *     ======================== KIND ============================== TIME ==================================================== DATABASE ==============
 *
 * A row that has the same fixed texts, and between them texts of the same kind, has the same tags in the same order whatever its numbers are: the walk would read
 * it alike. That holds for any order of elements and attributes, types, CDATA and further actions, because nothing is known here of what stands fixed.
 */
import type { XmlTag } from './xml-tag';
import { walkXml, type XmlVisitor } from './xml-walk';

/** What may stand between two fixed texts. */
export const KIND = 0;
export const TIME = 1;
export const DATABASE = 2;
export const ACTIVITY = 3;
/** Text without markup that nobody reads, such as the value of another action. */
export const UNREAD = 4;
/** Nothing: the row ends. */
export const NOTHING = 5;

export interface EventShape {
  /** The length of each fixed text, eight or more, and what stands behind it. */
  readonly numbers: Int32Array;
  /** The fixed texts one after the other, as floats of eight bytes; the last of each overlaps the one before where its length asks for that. */
  readonly words: Float64Array;
  readonly hasActivity: boolean;
}

const WORD = 8;
/** Fixed texts of a shape: one more than fields. */
export const MOST_TEXTS = 21;
const NAME = /^checkpoint_(?:begin|end)$/;
const NAME_BEFORE_KIND = 'checkpoint_'.length;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const DATABASE_ID = /^\d{1,9}$/;
const ACTIVITY_ID = /^[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}-\d{1,15}$/;
const PLAIN = /^[^<>&]*$/;

interface Mark {
  readonly from: number;
  readonly to: number;
  readonly field: number;
}

/** The shape of an ASCII row that was read as a begin or an end; null where its numbers are not written in the common way, so that it teaches nothing. */
export function learnShape(text: string): EventShape | null {
  const marks = new ShapeMarks(text);
  if (walkXml(text, marks) !== null) return null;
  const isWhole = marks.count(KIND) === 1 && marks.count(TIME) === 1 && marks.count(DATABASE) === 1;
  // A number that is not marked would stand fixed, and every row would be taken for one event.
  if (!isWhole || marks.isUnmarked || marks.found.length >= MOST_TEXTS) return null;
  return cutShape(
    text,
    [...marks.found].sort((a, b) => a.from - b.from),
  );
}

/** Notes where the fields of an event stand, and texts that are none. */
class ShapeMarks implements XmlVisitor {
  readonly found: Mark[] = [];
  /** A number stands there that is written in another way. */
  isUnmarked = false;
  private field = UNREAD;
  private isInValue = false;

  constructor(private readonly text: string) {}

  count(field: number): number {
    return this.found.filter((mark) => mark.field === field).length;
  }

  open(depth: number, tag: XmlTag): void {
    if (depth === 1) {
      this.mark(tag.spanOf('name'), KIND, NAME, NAME_BEFORE_KIND);
      this.mark(tag.spanOf('timestamp'), TIME, TIMESTAMP);
    } else if (depth === 2) this.field = fieldOf(tag);
    this.isInValue = depth === 3 && tag.isNamed('value');
  }

  characters(depth: number, from: number, to: number, isCdata: boolean): void {
    const span = [from, to] as const;
    if (depth === 3 && this.isInValue && this.field === DATABASE) this.mark(span, DATABASE, DATABASE_ID);
    else if (depth === 3 && this.isInValue && this.field === ACTIVITY) this.mark(span, ACTIVITY, ACTIVITY_ID);
    else if (depth >= 3 && !isCdata && PLAIN.test(this.text.slice(from, to))) this.found.push({ from, to, field: UNREAD });
  }

  close(depth: number): void {
    if (depth === 3) this.isInValue = false;
  }

  private mark(span: readonly [number, number] | null, field: number, pattern: RegExp, skipped = 0): void {
    if (span === null || !pattern.test(this.text.slice(...span))) this.isUnmarked = true;
    else this.found.push({ from: span[0] + skipped, to: span[1], field });
  }
}

function fieldOf(tag: XmlTag): number {
  if (tag.isNamed('data') && tag.isAttribute('name', 'database_id')) return DATABASE;
  return tag.isNamed('action') && tag.isAttribute('name', 'attach_activity_id') ? ACTIVITY : UNREAD;
}

function cutShape(text: string, marks: readonly Mark[]): EventShape | null {
  const texts = [0, ...marks.map(({ to }) => to)].map((from, i) => text.slice(from, marks[i]?.from ?? text.length));
  if (texts.some(({ length }) => length < WORD)) return null;
  return {
    numbers: Int32Array.from(texts.flatMap(({ length }, i) => [length, marks[i]?.field ?? NOTHING])),
    words: Float64Array.from(texts.flatMap(packText)),
    hasActivity: marks.some(({ field }) => field === ACTIVITY),
  };
}

/** ASCII text of eight characters or more as floats: those of the same characters are equal, and no others. */
function packText(text: string): readonly number[] {
  const view = new DataView(Uint8Array.from(text, (character) => character.charCodeAt(0)).buffer);
  return Array.from({ length: Math.ceil(text.length / WORD) }, (_, i) => view.getFloat64(Math.min(WORD * i, text.length - WORD), true));
}
