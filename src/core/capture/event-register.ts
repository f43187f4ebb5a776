import type { CheckpointEvent } from './event';

/** The values of one begin or end. One register serves all rows, so that nothing is allocated for an event. */
export class EventRegister {
  isEnd = false;
  databaseId = 0;
  atUtcMs = 0;
  /** False where the session has no causality tracking; then the rest says nothing. */
  hasActivity = false;
  /** The GUID of the task, 32 bits each. */
  guid0 = 0;
  guid1 = 0;
  guid2 = 0;
  guid3 = 0;
  sequence = 0;

  set(event: CheckpointEvent): void {
    this.isEnd = event.kind === 'end';
    this.databaseId = event.databaseId;
    this.atUtcMs = event.atUtcMs;
    this.hasActivity = event.activity !== null;
    if (event.activity === null) return;
    const digits = event.activity.guid.replace(/-/g, '');
    this.guid0 = parseInt(digits.slice(0, 8), 16) | 0;
    this.guid1 = parseInt(digits.slice(8, 16), 16) | 0;
    this.guid2 = parseInt(digits.slice(16, 24), 16) | 0;
    this.guid3 = parseInt(digits.slice(24, 32), 16) | 0;
    this.sequence = event.activity.sequence;
  }

  get(): CheckpointEvent {
    const { isEnd, databaseId, atUtcMs, sequence } = this;
    const activity = this.hasActivity ? { guid: writeGuid(this.guid0, this.guid1, this.guid2, this.guid3), sequence } : null;
    return { kind: isEnd ? 'end' : 'begin', databaseId, atUtcMs, activity };
  }
}

/** The four numbers as SQL Server writes a GUID, in capitals. */
export function writeGuid(guid0: number, guid1: number, guid2: number, guid3: number): string {
  const digits = [guid0, guid1, guid2, guid3].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  const parts = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)];
  return parts.join('-').toUpperCase();
}
