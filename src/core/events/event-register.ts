import type { CheckpointEvent } from './event';

/** The values of one begin or end. All rows share one register, so that nothing is allocated for an event. */
export class EventRegister {
  isEnd = false;
  databaseId = 0;
  atUtcMs = 0;
  /** False if the session has no causality tracking; then the fields below mean nothing. */
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
    this.hasActivity = false;
    if (event.activity !== null) this.setActivity(readGuid(event.activity.guid), event.activity.sequence);
  }

  /** @param guid the four numbers of `readGuid` */
  setActivity(guid: ReturnType<typeof readGuid>, sequence: number): void {
    this.hasActivity = true;
    this.guid0 = guid[0];
    this.guid1 = guid[1];
    this.guid2 = guid[2];
    this.guid3 = guid[3];
    this.sequence = sequence;
  }

  get(): CheckpointEvent {
    const { isEnd, databaseId, atUtcMs, sequence } = this;
    const activity = this.hasActivity
      ? { guid: writeGuid(this.guid0, this.guid1, this.guid2, this.guid3), sequence }
      : null;
    return { kind: isEnd ? 'end' : 'begin', databaseId, atUtcMs, activity };
  }
}

/** A GUID as four numbers, which `| 0` makes signed ones of 32 bits, as the register holds them. */
export function readGuid(guid: string): readonly [number, number, number, number] {
  const digits = guid.replace(/-/g, '');
  const word = (at: number): number => parseInt(digits.slice(at, at + 8), 16) | 0;
  return [word(0), word(8), word(16), word(24)];
}

/** The four numbers as SQL Server writes a GUID, in capitals. */
function writeGuid(guid0: number, guid1: number, guid2: number, guid3: number): string {
  const digits = [guid0, guid1, guid2, guid3]
    .map((word) => (word >>> 0).toString(16).padStart(8, '0'))
    .join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-').toUpperCase();
}
