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
import {
  isText,
  NO_FIELD,
  packText,
  readActivity,
  readDatabase,
  readTime,
  skipCdata,
  skipText,
} from './event-fields';
import { EventRegister } from './event-register';

/** What kind of text may differ between rows of a layout: a field, or text and CDATA that are not read. */
export type MarkKind = 'time' | 'database' | 'activity' | 'text' | 'cdata';

/** Where such a text is in a row: characters `from` up to `to`. */
export interface Mark {
  readonly kind: MarkKind;
  readonly from: number;
  readonly to: number;
}

/** A fixed text, and the kind of text after it. */
interface Step {
  readonly text: Float64Array;
  readonly length: number;
  readonly behind: MarkKind | 'nothing';
}

/** The pattern that rows are compared with. */
export interface Layout {
  readonly steps: readonly Step[];
  readonly isEnd: boolean;
}

/**
 * The layout of the row that was taken last (event-fields.ts).
 * @param event what the walk read in it
 * @param marks the texts that the walk marked, in order of position
 * @param length characters of the row
 * @returns null if the row teaches nothing: it is not plain, or its numbers are not written in the common way
 */
export function learnLayout(event: CheckpointEvent, marks: readonly Mark[], length: number): Layout | null {
  const count = (kind: MarkKind): number => marks.filter((mark) => mark.kind === kind).length;
  // A number that is not marked would count as fixed, and rows with other numbers would not be told apart.
  if (
    count('time') !== 1 ||
    count('database') !== 1 ||
    count('activity') !== (event.activity === null ? 0 : 1)
  )
    return null;
  const steps: Step[] = [];
  for (let i = 0, from = 0; i <= marks.length; from = marks[i++]?.to ?? length) {
    const to = marks[i]?.from ?? length;
    const text = packText(from, to);
    if (text === null) return null;
    steps.push({ text, length: to - from, behind: marks[i]?.kind ?? 'nothing' });
  }
  const layout = { steps, isEnd: event.kind === 'end' };
  return readByLayout(layout, length, new EventRegister()) ? layout : null;
}

/**
 * Reads the row that was taken last.
 * @param length its characters
 * @returns false if it has another layout; then the register is of no use
 */
export function readByLayout({ steps, isEnd }: Layout, length: number, register: EventRegister): boolean {
  register.isEnd = isEnd;
  register.hasActivity = false;
  let at = 0;
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i] as Step;
    const to = at + step.length;
    // Bytes after the end are left over from an earlier row.
    if (to > length || !isText(at, to, step.text)) return false;
    at = readField(step.behind, to, length, register);
    if (at === NO_FIELD) return false;
  }
  return at === length;
}

function readField(kind: Step['behind'], from: number, end: number, register: EventRegister): number {
  switch (kind) {
    case 'time':
      return readTime(from, register);
    case 'database':
      return readDatabase(from, register);
    case 'activity':
      return readActivity(from, register);
    case 'text':
      return skipText(from, end);
    case 'cdata':
      return skipCdata(from, end);
    case 'nothing':
      return from;
  }
}
