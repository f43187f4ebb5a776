import type { CheckpointEvent, EventReading, EventRow } from './event';
import { type Layout, learnLayout, MOST_CHARACTERS, readByLayout, takeRow } from './event-layout';
import type { EventRegister } from './event-register';
import { type Mark, readEvent } from './event-xml';

/** Layouts known at a time. A session has two for each set of actions on its events. */
const MOST_LAYOUTS = 16;
/**
 * If rows of no known layout follow one another, the first 64 are compared and learned from. After that it does not
 * pay, and only every sixteenth is.
 */
const FIRST_TRIED = 64;
const TRIED_OF = 16;

/**
 * Reads event rows in two ways: compares them with known layouts, or walks over the others, which takes longer and
 * teaches layouts.
 */
export class EventReader {
  /** The layouts that were learned or fitted last come first. */
  private readonly layouts: Layout[] = [];
  /** Rows of no known layout since the last row of a known one. */
  private unlike = 0;

  /**
   * If the row is a begin or an end, fills the register and gives null; else says what the row is, and the register is
   * of no use. Never throws.
   */
  read(row: EventRow, register: EventRegister): Exclude<EventReading, CheckpointEvent> | null {
    const { objectName, eventData } = row;
    const isTried = isShort(eventData) && (this.unlike < FIRST_TRIED || this.unlike % TRIED_OF === 0);
    if (isTried && this.readKnown(eventData, register) === true && isNamed(objectName, register.isEnd))
      return null;
    const marks: Mark[] = [];
    const reading = readEvent(row, marks);
    this.unlike++;
    if (!('activity' in reading)) return reading;
    if (isTried) this.learn(learnLayout(eventData, reading, marks));
    register.set(reading);
    return null;
  }

  /**
   * The comparison alone. Fills the register; false if the row is too long or of no known layout, and then the register
   * is of no use.
   */
  readKnown(eventData: string, register: EventRegister): boolean {
    if (!isShort(eventData)) return false;
    const { layouts } = this;
    takeRow(eventData);
    for (let i = 0; i < layouts.length; i++) {
      if (readByLayout(layouts[i] as Layout, eventData, register) !== true) continue;
      // The first two take turns, because an end follows a begin; ordering them costs more than it gains.
      if (i > 1) layouts.unshift(...layouts.splice(i, 1));
      this.unlike = 0;
      return true;
    }
    return false;
  }

  private learn(layout: Layout | null): void {
    if (layout !== null && this.layouts.unshift(layout) > MOST_LAYOUTS) this.layouts.pop();
  }
}

function isShort(text: string | null): text is string {
  return text !== null && text.length <= MOST_CHARACTERS;
}

function isNamed(objectName: string | null, isEnd: boolean): boolean {
  return (
    objectName === (isEnd === true ? 'checkpoint_end' : 'checkpoint_begin') ||
    objectName === null ||
    objectName === ''
  );
}
