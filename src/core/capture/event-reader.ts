import type { CheckpointEvent, EventReading, EventRow } from './event';
import { eventAssembly } from './event-assembly';
import type { EventRegister } from './event-register';
import { readEvent } from './event-xml';

/** Takes rows to be read next, from that one on. @returns up to which */
export function takeEvents(rows: readonly EventRow[], fromRow: number): number {
  return eventAssembly.take(rows, fromRow);
}

/** Reads the row at that place of those taken: fills the register and gives null where it is a begin or an end; else says what the row is. */
export function readTaken(row: EventRow, place: number, register: EventRegister): Exclude<EventReading, CheckpointEvent> | null {
  if (eventAssembly.read(place, register) === true && isNamed(row.objectName, register.isEnd)) return null;
  const reading = readEvent(row);
  if (!('activity' in reading)) return reading;
  register.set(reading);
  return null;
}

function isNamed(objectName: string | null, isEnd: boolean): boolean {
  return objectName === (isEnd === true ? 'checkpoint_end' : 'checkpoint_begin') || objectName === null || objectName === '';
}
