import type { CheckpointEvent, EventReading, EventRow } from './event';
import { eventBytes, MOST_CHARACTERS, MOST_ROWS, MOST_SHAPES } from './event-bytes';
import type { EventRegister } from './event-register';
import { type EventShape, learnShape } from './event-shape';
import { readEvent } from './event-xml';

/** The first rows that are of no shape are all learned from; where they keep coming, one in so many is. Of those in a row only so many are compared at all. */
const FIRST_LEARNED = 64;
const LEARNED_OF = 16;

/**
 * Reads rows in two tiers: those of a shape that an earlier row had by comparing their bytes, all others by the walk, which takes ten times as long and teaches
 * new shapes.
 */
export class EventReader {
  private shapes: readonly EventShape[] = [];
  private unlike = 0;
  /** How many rows one after the other were of no shape. Where they keep coming, each of a layout of its own, comparing does not pay: one in so many is tried. */
  private unlikeInARow = 0;
  private isCopied = false;
  /** Rows to be copied one at a time, because one among them is not ASCII. */
  private alone = 0;

  /** Takes rows to be read next, from that one on. @returns up to which */
  take(rows: readonly Pick<EventRow, 'eventData'>[], from: number): number {
    const to = this.alone > 0 ? from + 1 : Math.min(from + MOST_ROWS, rows.length);
    if (this.alone > 0) this.alone--;
    this.isCopied = eventBytes.take(rows, from, to);
    if (!this.isCopied && to - from > 1) {
      this.alone = to - from;
      return this.take(rows, from);
    }
    eventBytes.use(this.shapes);
    return to;
  }

  /** Reads the row at that place of those taken: fills the register and gives null where it is a begin or an end; else says what the row is. */
  read(row: EventRow, place: number, register: EventRegister): Exclude<EventReading, CheckpointEvent> | null {
    const isTried = this.unlikeInARow <= FIRST_LEARNED || this.unlikeInARow % LEARNED_OF === 0;
    if (isTried && this.readShape(place, register) === true && isNamed(row.objectName, register.isEnd)) {
      this.unlikeInARow = 0;
      return null;
    }
    const reading = readEvent(row);
    if (!('activity' in reading)) return reading;
    this.unlikeInARow++;
    const { eventData } = row;
    if (isTried && this.isCopied && eventData !== null && eventData.length <= MOST_CHARACTERS) this.learn(eventData, place, register);
    register.set(reading);
    return null;
  }

  /** The fast tier alone: false where the row is of no shape known. */
  readShape(place: number, register: EventRegister): boolean {
    return this.isCopied === true && eventBytes.read(place, register);
  }

  /** The shape is kept only where it fits the very row that taught it, which was of none so far. */
  private learn(text: string, place: number, register: EventRegister): void {
    if (this.unlike++ > FIRST_LEARNED && this.unlike % LEARNED_OF > 0) return;
    const shape = learnShape(text);
    if (shape === null) return;
    // The one that came last is looked for first; the oldest one goes.
    const shapes = [shape, ...this.shapes.slice(0, MOST_SHAPES - 1)];
    eventBytes.use(shapes);
    if (eventBytes.read(place, register)) this.shapes = shapes;
    else eventBytes.use(this.shapes);
  }
}

function isNamed(objectName: string | null, isEnd: boolean): boolean {
  return objectName === (isEnd === true ? 'checkpoint_end' : 'checkpoint_begin') || objectName === null || objectName === '';
}
