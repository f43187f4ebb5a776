import type { SourceLoss } from '../events/event-page';
import type { RingTail } from '../events/ring-buffer';
import type { FileCursor } from '../events/event';
import type { SessionSnapshot } from '../session/event-session';
import type { AppendedEvents } from './capture';
import type { Gap } from '../session/gap';

/** Where reading goes on: behind a buffer of the event files, or behind the last events that were taken from a ring buffer. */
export interface SourcePosition {
  readonly file: FileCursor | null;
  readonly ring: RingTail | null;
}

/** What is needed to go on with a capture later, in another window: plain values that JSON gives back as they were. */
export interface KeptFollowing {
  readonly sessionName: string;
  /** Made by Checkpoint Health; another's is only read. */
  readonly isOwn: boolean;
  /** The last look at which the session ran. */
  readonly snapshot: SessionSnapshot;
  readonly position: SourcePosition;
  /** Since when it is followed; as far as is known yet where `unread` says that its beginning is still being read. */
  readonly beginUtcMs: number;
  /** Where not everything was read after that look; absent: it was. */
  readonly unread?: UnreadStretch;
  /** The gap of a permission that is missing, which is none once the events were read that wait in their files. Absent: none is. */
  readonly permissionGap?: Gap;
  /** Lost in earlier runs of the session. */
  readonly lostEvents: number;
  readonly lostBuffers: number;
}

/** Reading that was interrupted between its pages, so that it goes on as if it had not been. */
export interface UnreadStretch {
  /** Up to when everything was read; null: nothing is known to be whole yet. */
  readonly readToUtcMs: number | null;
  /** The start of the run with which its files were opened: events from before are another run's. */
  readonly earliestUtcMs: number;
  /** Files are read from their beginning, where those of earlier runs may come first. */
  readonly isFromBeginning: boolean;
  /** Of a session that was running before us, until its beginning was found. */
  readonly takingUp: TakingUp | null;
}

/** What was seen so far of a session that was running before us. */
interface TakingUp {
  /** The look with which it was taken up. */
  readonly snapshot: SessionSnapshot;
  readonly firstEventUtcMs: number | null;
  /** Events of an earlier run were there. The oldest file goes first, so that none of this run has gone. */
  readonly hasEarlier: boolean;
  /** The names of its files. */
  readonly files: readonly string[];
}

/** Of rows that were read: what is missing before, among and behind them. */
export interface RowLosses {
  readonly lossBefore: SourceLoss | null;
  readonly lossWithin?: SourceLoss | null;
  readonly lossBehind: SourceLoss | null;
}

/** What is known of the time around the rows. */
interface RowTimes {
  /** The latest event that was read before them; null: none. */
  readonly before: number | null;
  /** Up to when everything was read before them, give or take the order of the buffers. */
  readonly readToUtcMs: number;
  readonly lagMs: number;
  readonly nowUtcMs: number;
}

/** The gaps of what is missing around rows, each as long as it may be. */
export function listLossGaps(
  losses: RowLosses,
  events: AppendedEvents,
  { before, readToUtcMs, lagMs, nowUtcMs }: RowTimes,
): readonly Gap[] {
  const { lossBefore, lossWithin = null, lossBehind } = losses;
  const { firstUtcMs, lastUtcMs, firstBehindUtcMs } = events;
  /** Behind an event by the lag at most, and not in the future, as far as that is known. */
  const endBehind = (eventUtcMs: number): number =>
    Number.isFinite(eventUtcMs) ? Math.min(eventUtcMs + lagMs, Math.max(nowUtcMs, eventUtcMs)) : nowUtcMs;
  const gaps: Gap[] = [];
  if (lossBefore !== null) {
    // What is missing was written behind what was read before, and before the first event that is left.
    const endUtcMs = endBehind(firstBehindUtcMs);
    gaps.push({ ...lossBefore, beginUtcMs: Math.min(readToUtcMs, endUtcMs), endUtcMs });
  }
  // Somewhere between the last event before these rows and the last of them.
  if (lossWithin !== null)
    gaps.push({ ...lossWithin, beginUtcMs: Math.min(before ?? readToUtcMs, firstUtcMs) - lagMs, endUtcMs: endBehind(lastUtcMs) });
  if (lossBehind !== null) {
    const last = Number.isFinite(lastUtcMs) ? lastUtcMs : readToUtcMs;
    gaps.push({ ...lossBehind, beginUtcMs: Math.min(last - lagMs, nowUtcMs), endUtcMs: nowUtcMs });
  }
  return gaps;
}

/**
 * Whether the first files of a running session may be gone: the oldest goes when there is one file too many. All but the newest of one run are full, so with
 * fewer files than that none has gone. null: the session leaves the number to the server, 5 (Microsoft Learn, "Targets for Extended Events").
 */
export function mayHaveRolledOver(files: number, maxRolloverFiles: number | null): boolean {
  const kept = maxRolloverFiles ?? 5;
  return kept <= 0 || files >= kept - 1;
}
