import { readEvent } from './event-xml';
import type { EventRow } from './event';
import type { EventSessionState } from './event-session';
import type { FileCursor } from '../script/session';

/** Where reading goes on: behind a buffer of the event files, or behind the last events that were taken from a ring buffer. */
export interface SourcePosition {
  readonly file: FileCursor | null;
  readonly ring: RingTail | null;
}

/** How a ring buffer ended when it was read last. */
export interface RingTail {
  /** Its last events, the newest at the end: they tell where reading goes on, because a ring has no places. */
  readonly texts: readonly string[];
  /** How many events it had taken since the session started; null where it did not say. */
  readonly processed: number | null;
  /** The same of events that it says it dropped. */
  readonly dropped: number | null;
}

/** What is needed to go on with a capture later, in another window: plain values that JSON gives back as they were. */
export interface KeptFollowing {
  readonly sessionName: string;
  /** Made by Checkpoint Health; another's is only read. */
  readonly isOwn: boolean;
  /** The last look at which the session ran and after which everything was read. */
  readonly sight: EventSessionState;
  readonly position: SourcePosition;
  readonly beginUtcMs: number;
  /** Lost in earlier runs of the session. */
  readonly lostEvents: number;
  readonly lostBuffers: number;
}

/** Why events between two readings are missing. */
export interface SourceLoss {
  readonly kind: 'files rolled over' | 'ring buffer overwritten' | 'damaged file';
  readonly reason: string;
}

/** Earliest and latest checkpoint event of the rows behind a time, in UTC milliseconds; null where there is none. */
export function findEventSpan(
  rows: readonly EventRow[],
  behindUtcMs: number,
): { readonly firstUtcMs: number; readonly lastUtcMs: number } | null {
  let [firstUtcMs, lastUtcMs] = [Infinity, -Infinity];
  for (const row of rows) {
    const event = readEvent(row);
    if ((event.kind !== 'begin' && event.kind !== 'end') || event.atUtcMs <= behindUtcMs) continue;
    firstUtcMs = Math.min(firstUtcMs, event.atUtcMs);
    lastUtcMs = Math.max(lastUtcMs, event.atUtcMs);
  }
  return firstUtcMs === Infinity ? null : { firstUtcMs, lastUtcMs };
}

/** Rows without the checkpoint events from before a time: files can hold what an earlier run of a session wrote. */
export function skipEarlier(rows: readonly EventRow[], beginUtcMs: number): readonly EventRow[] {
  return rows.filter((row) => {
    const event = readEvent(row);
    return (event.kind !== 'begin' && event.kind !== 'end') || event.atUtcMs >= beginUtcMs;
  });
}

/**
 * Whether the first files of a running session may be gone: the oldest goes when there is one file too many. All but the newest of one run are full, so with
 * fewer files than that none has gone. null: the session leaves the number to the server, 5 (Microsoft Learn, "Targets for Extended Events").
 */
export function mayHaveRolledOver(files: number, maxRolloverFiles: number | null): boolean {
  const kept = maxRolloverFiles ?? 5;
  return kept <= 0 || files >= kept - 1;
}
