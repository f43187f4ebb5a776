import type { SourceLoss } from '../events/event-page';
import type { RingTail } from '../events/ring-buffer';
import type { FileCursor } from '../events/event';
import type { SessionSnapshot } from '../session/event-session';
import type { AppendedEvents } from './capture';
import type { Count, UtcMs } from '../schema';
import type { Gap } from '../session/gap';

/** Where reading goes on: after a buffer of the event files, or after the last events taken from a ring buffer. */
export interface SourcePosition {
  readonly file: FileCursor | null;
  readonly ring: RingTail | null;
}

/** What another window needs to go on with a capture: plain values that JSON gives back as they were. */
export interface KeptFollowing {
  readonly sessionName: string;
  /** Checkpoint Health made the session; another's is only read. */
  readonly isOwn: boolean;
  /** The last look at which the session ran. */
  readonly snapshot: SessionSnapshot;
  readonly position: SourcePosition;
  /** Since when it is followed. If `unread` says that its beginning is still being read: as far as is known yet. */
  readonly beginUtcMs: UtcMs;
  /** What was not read after that look; absent: all was read. */
  readonly unread?: UnreadStretch;
  /**
   * The gap of a missing permission. It is no gap any more once the events that wait in the files are read. Absent: no
   * permission is missing.
   */
  readonly permissionGap?: Gap;
  /** How many were lost in earlier runs of the session. */
  readonly lostEvents: Count;
  readonly lostBuffers: Count;
}

/** Reading that stopped between two pages, so that it can go on as if it had not. */
interface UnreadStretch {
  /** Everything up to this time was read; null: not known. */
  readonly readToUtcMs: UtcMs | null;
  /** The start of the run with which its files were opened. Older events are another run's. */
  readonly earliestUtcMs: UtcMs;
  /** Files are read from their beginning, so events of earlier runs may come first. */
  readonly isFromBeginning: boolean;
  /** For a session that ran before we followed it, until its beginning is found. */
  readonly takingUp: TakingUp | null;
}

/** What was seen so far of a session that ran before we followed it. */
export interface TakingUp {
  /** The look at which following it began. */
  readonly snapshot: SessionSnapshot;
  readonly firstEventUtcMs: UtcMs | null;
  /** Events of an earlier run were there. The oldest file goes first, so no event of this run has gone. */
  readonly hasEarlier: boolean;
  /** The names of its files. */
  readonly files: readonly string[];
}

/** What is missing before, among and after rows that were read. */
export interface RowLosses {
  readonly lossBefore: SourceLoss | null;
  readonly lossWithin?: SourceLoss | null;
  readonly lossBehind: SourceLoss | null;
}

/** What is known of the time around the rows. */
interface RowTimes {
  /** The latest event that was read before them; null: none. */
  readonly before: number | null;
  /** Everything up to this time was read before them, give or take the order of the buffers. */
  readonly readToUtcMs: number;
  readonly lagMs: number;
  readonly nowUtcMs: number;
}

/** The gaps for what is missing around rows, each as long as it may be. */
export function listLossGaps(
  losses: RowLosses,
  events: AppendedEvents,
  { before, readToUtcMs, lagMs, nowUtcMs }: RowTimes,
): readonly Gap[] {
  const { lossBefore, lossWithin = null, lossBehind } = losses;
  const { firstUtcMs, lastUtcMs, firstBehindUtcMs } = events;
  /** After an event by the lag at most, and not in the future as far as that is known. */
  const endBehind = (eventUtcMs: number): number =>
    Number.isFinite(eventUtcMs) ? Math.min(eventUtcMs + lagMs, Math.max(nowUtcMs, eventUtcMs)) : nowUtcMs;
  const gaps: Gap[] = [];
  if (lossBefore !== null) {
    // What is missing was written after what was read before, and before the first event that is left.
    const endUtcMs = endBehind(firstBehindUtcMs);
    gaps.push({ ...lossBefore, beginUtcMs: Math.min(readToUtcMs, endUtcMs), endUtcMs });
  }
  // Somewhere between the last event before these rows and the last of these.
  if (lossWithin !== null)
    gaps.push({
      ...lossWithin,
      beginUtcMs: Math.min(before ?? readToUtcMs, firstUtcMs) - lagMs,
      endUtcMs: endBehind(lastUtcMs),
    });
  if (lossBehind !== null) {
    const last = Number.isFinite(lastUtcMs) ? lastUtcMs : readToUtcMs;
    gaps.push({ ...lossBehind, beginUtcMs: Math.min(last - lagMs, nowUtcMs), endUtcMs: nowUtcMs });
  }
  return gaps;
}

/**
 * Whether the first files of a running session may be gone: if there is one file too many, the oldest goes. All files
 * of a run but the newest are full, so with fewer files none has gone. null: the session leaves the number to the
 * server, which is 5 (Microsoft Learn, "Targets for Extended Events").
 */
export function mayHaveRolledOver(files: number, maxRolloverFiles: number | null): boolean {
  const kept = maxRolloverFiles ?? 5;
  return kept <= 0 || files >= kept - 1;
}
