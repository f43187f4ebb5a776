/**
 * How the rows of a session are laid out. Begins, and ends, differ in little but their numbers (docs/facts.md, SQL Server 3), so one that the walk has read teaches
 * what stands fixed in it, and where that is not:
 *
 *     <event name="checkpoint_begin" package="sqlserver" timestamp="2016-07-09T03:30:14.023Z"><data name="database_id"><value>5</value></data><action ...
 *     ============================================================ time ==================================================== database ==============
 *
 * A row that has the same fixed texts, and between them texts of the same kind, has the same tags in the same order whatever its numbers are: the walk would read
 * it alike. That holds for any order of elements and attributes, types, CDATA and further actions, because nothing is known here of what stands fixed.
 */
import type { CheckpointEvent } from './event';
import { isText, NO_FIELD, packText, readActivity, readDatabase, readTime, skipCdata, skipText } from './event-fields';
import { EventRegister } from './event-register';

/** What a text is that may be another in each row of a layout: a field, or text and CDATA that nobody reads. */
export type MarkKind = 'time' | 'database' | 'activity' | 'text' | 'cdata';

/** Where such a text stands in a row: characters `from` up to `to`. */
export interface Mark {
  readonly kind: MarkKind;
  readonly from: number;
  readonly to: number;
}

/** A fixed text, and what stands behind it. */
interface Step {
  readonly text: Float64Array;
  readonly length: number;
  readonly behind: MarkKind | 'nothing';
}

/** What rows are compared with. */
export interface Layout {
  readonly steps: readonly Step[];
  readonly isEnd: boolean;
}

/**
 * The layout of the row that was taken last (event-fields.ts).
 * @param event what the walk read in it @param marks the texts that the walk marked, in the order in which they stand @param length characters of the row
 * @returns null where the row teaches nothing: it is not plain, or its numbers are not written in the common way
 */
export function learnLayout(event: CheckpointEvent, marks: readonly Mark[], length: number): Layout | null {
  const count = (kind: MarkKind): number => marks.filter((mark) => mark.kind === kind).length;
  // A number that is not marked would stand fixed, and every row would be taken for one event.
  if (count('time') !== 1 || count('database') !== 1 || count('activity') !== (event.activity === null ? 0 : 1)) return null;
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

/** Reads the row that was taken last. @param length its characters @returns false where it is not of that layout; then the register holds nothing of use */
export function readByLayout({ steps, isEnd }: Layout, length: number, register: EventRegister): boolean {
  register.isEnd = isEnd;
  register.hasActivity = false;
  let at = 0;
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i] as Step;
    const to = at + step.length;
    // What an earlier row left behind the end is not looked at.
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
