import type { CheckpointEvent, EventReading, EventRow } from './event';
import { EventBytes } from './event-bytes';
import type { EventRegister } from './event-register';
import { readEvent } from './event-xml';

/** Reads rows in two tiers: those of the published shape byte by byte, all others by the walk, which takes four times as long. */
export class EventReader {
  private readonly bytes = new EventBytes();

  /** Fills the register and gives null where the row is a begin or an end; else what the row is. */
  read(
    row: Pick<EventRow, 'objectName' | 'eventData' | 'timestampUtc'>,
    register: EventRegister,
  ): Exclude<EventReading, CheckpointEvent> | null {
    const { objectName, eventData } = row;
    if (eventData !== null && this.bytes.read(eventData, register) && isNamed(objectName, register.isEnd)) return null;
    const reading = readEvent(row);
    if (!('activity' in reading)) return reading;
    register.set(reading);
    return null;
  }
}

function isNamed(objectName: string | null, isEnd: boolean): boolean {
  return objectName === (isEnd ? 'checkpoint_end' : 'checkpoint_begin') || objectName === null || objectName === '';
}
