/**
 * A whole capture as plain values. Kept on disk and restored, it goes on as if it had never stopped: it knows rows read
 * before as duplicates, and pairs a begin that was kept with an end that is read later.
 */
import type { PendingColumns } from '../pairing/pending-events';
import type { CapturedDatabase, CheckpointColumns } from './checkpoint-columns';
import type { MalformedEvent } from '../events/event';
import type { Count, UtcMs } from '../schema';
import type { Gap } from '../session/gap';
import type { RowSource } from '../events/source-table';
import type { UnpairedColumns, UnpairedReason } from '../pairing/unpaired';

/**
 * `plain` is JSON that comes back as it was: no Infinity, no Map, no undefined. The columns are views, true until the
 * next `append`.
 */
export interface CaptureState {
  readonly plain: CapturePlainState;
  readonly columns: CheckpointColumns;
  /** GUIDs of the tasks that the column `task` numbers from 1 on, four words each; empty in earlier files. */
  readonly taskGuids: Int32Array;
  readonly unpaired: UnpairedColumns;
  /** Events not decided yet: open begins, and events that wait for an earlier one. */
  readonly pending: PendingColumns;
}

export interface CapturePlainState {
  readonly id: string;
  readonly generation: Count;
  readonly rowsRead: Count;
  readonly duplicates: Count;
  readonly malformedCount: Count;
  /** The first ones, as they are listed. */
  readonly malformed: readonly MalformedRow[];
  readonly otherByName: readonly (readonly [string, Count])[];
  /** Everything before this time was settled; null if nothing was. */
  readonly horizonUtcMs: UtcMs | null;
  readonly lastEventUtcMs: UtcMs | null;
  readonly observed: { readonly beginUtcMs: UtcMs; readonly endUtcMs: UtcMs } | null;
  readonly gaps: readonly Gap[];
  /** Absent: an earlier version kept this. */
  readonly lastRead?: LastRead;
  /** Always empty; only earlier versions read it. */
  readonly openGaps: readonly never[];
  /** In the order of the numbers in the `database` column. */
  readonly databases: readonly DatabaseState[];
  /** What the catalog said of ids that had no event yet. */
  readonly expectedDatabases: readonly DatabaseState[];
  /** Where undecided events without activity id were read. It tells two equal ones apart. */
  readonly pendingSources: readonly RowSource[];
  /** The meaning of the numbers in the column `reason` of the unpaired events. */
  readonly unpairedReasons: readonly UnpairedReason[];
}

/** The event that was read last, in the order of the event files. */
export interface LastRead {
  /** null: it was in no file, or there is none. */
  readonly fileName: string | null;
  /** null: there is none. */
  readonly atUtcMs: UtcMs | null;
  /** The event before those behind it that could not be read; null: all could. */
  readonly unread: { readonly sinceUtcMs: UtcMs | null } | null;
  /** The time of the first event of each event file, the newest ones. Absent: an earlier version kept this. */
  readonly fileStarts?: readonly UtcMs[];
}

/** One database of a capture. Events of its id belong to it from `fromUtcMs` to before `toUtcMs`; null: no bound. */
export interface DatabaseState extends CapturedDatabase {
  readonly fromUtcMs: UtcMs | null;
  readonly toUtcMs: UtcMs | null;
  /** When the catalog last showed it; null: never. */
  readonly seenUtcMs: UtcMs | null;
  /** The server's offset from UTC at that moment. */
  readonly seenOffsetMinutes: number | null;
  /** When its earliest event was; null: it has none. */
  readonly firstEventUtcMs: UtcMs | null;
}

/** A malformed row as it is listed: the reason, where it was read, and how its text begins. */
export interface MalformedRow extends MalformedEvent {
  readonly fileName: string | null;
  readonly fileOffset: string | null;
  readonly excerpt: string;
}
