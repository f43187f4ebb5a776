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

  /** The last GUID and its words: one long-lived task runs most checkpoints. */
  private lastGuid = '';
  private lastWords: readonly [number, number, number, number] = [0, 0, 0, 0];

  set(event: CheckpointEvent): void {
    this.isEnd = event.kind === 'end';
    this.databaseId = event.databaseId;
    this.atUtcMs = event.atUtcMs;
    this.hasActivity = event.activity !== null;
    if (event.activity === null) return;
    const { guid } = event.activity;
    if (guid !== this.lastGuid) {
      this.lastGuid = guid;
      this.lastWords = readGuid(guid);
    }
    const words = this.lastWords;
    this.guid0 = words[0];
    this.guid1 = words[1];
    this.guid2 = words[2];
    this.guid3 = words[3];
    this.sequence = event.activity.sequence;
  }

  get(): CheckpointEvent {
    const { isEnd, databaseId, atUtcMs, sequence } = this;
    const activity = this.hasActivity
      ? { guid: writeGuid(this.guid0, this.guid1, this.guid2, this.guid3), sequence }
      : null;
    return { kind: isEnd ? 'end' : 'begin', databaseId, atUtcMs, activity };
  }
}

/** A GUID as four numbers. */
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
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ];
  return parts.join('-').toUpperCase();
}
