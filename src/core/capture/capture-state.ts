/**
 * A capture as plain values, whole: kept on disk and restored, it goes on as if it had never stopped. What was read before is known again as duplicates, and a
 * begin kept pairs with an end read after.
 */
import type { PendingColumns } from '../pairing/pending-events';
import type { CapturedDatabase, CheckpointColumns } from './checkpoint-columns';
import type { MalformedEvent } from '../events/event';
import type { Gap } from '../session/gap';
import type { RowSource } from '../events/source-table';
import type { UnpairedColumns, UnpairedReason } from '../pairing/unpaired';

/** Everything in `plain` is JSON that comes back as it was: no Infinity, no Map, no undefined. The columns are views, true until the next `append`. */
export interface CaptureState {
  readonly plain: CapturePlainState;
  readonly columns: CheckpointColumns;
  /** GUIDs of the tasks that the column `task` names, from 1 on, as four words each; empty in files of an earlier version. */
  readonly taskGuids: Int32Array;
  readonly unpaired: UnpairedColumns;
  readonly scans: ScanColumns;
  /** Events not decided: open begins, and events that wait for an earlier one. */
  readonly pending: PendingColumns;
}

export interface CapturePlainState {
  readonly id: string;
  readonly generation: number;
  readonly rowsRead: number;
  readonly duplicates: number;
  readonly malformedCount: number;
  /** The first of them, as they are listed. */
  readonly malformed: readonly MalformedRow[];
  readonly otherByName: readonly (readonly [string, number])[];
  /** Everything before was settled; null where nothing was. */
  readonly horizonUtcMs: number | null;
  readonly lastEventUtcMs: number | null;
  readonly observed: { readonly beginUtcMs: number; readonly endUtcMs: number } | null;
  readonly gaps: readonly Gap[];
  /** Empty: earlier versions ask for it. */
  readonly openGaps: readonly never[];
  /** In order of the `database` column. */
  readonly databases: readonly DatabaseState[];
  /** What the catalog said of ids without an event so far. */
  readonly expectedDatabases: readonly DatabaseState[];
  /** Where undecided events without activity id were read, which tells them apart. */
  readonly pendingSources: readonly RowSource[];
  /** What the numbers in the column `reason` of the unpaired events say. */
  readonly unpairedReasons: readonly UnpairedReason[];
  /** What the numbers in the text columns of the scans say. */
  readonly scanTexts: readonly string[];
}

/** One database of a capture and the time in which events of its id are its own: from `fromUtcMs` to before `toUtcMs`; null is without bound. */
export interface DatabaseState extends CapturedDatabase {
  readonly fromUtcMs: number | null;
  readonly toUtcMs: number | null;
  /** When the catalog last showed it; null: never. */
  readonly seenUtcMs: number | null;
  /** The server's offset from UTC at that moment. */
  readonly seenOffsetMinutes: number | null;
  /** Its earliest event; null: none. */
  readonly firstEventUtcMs: number | null;
}

/** Scans of the buffer pool (`buffer_pool_scan_complete`); NaN where the event has no such field. */
export interface ScanColumns {
  readonly rows: number;
  /** When the scan was complete. */
  readonly endUtcMs: Float64Array;
  readonly elapsedMs: Float64Array;
  /** Index into the capture's databases. */
  readonly database: Uint16Array;
  readonly scannedBuffers: Float64Array;
  readonly iteratedBuffers: Float64Array;
  readonly parallelTasks: Float64Array;
  /** Places in `scanTexts`. */
  readonly command: Uint16Array;
  readonly operation: Uint16Array;
}

/** In the order in which they are kept. */
export const SCAN_COLUMNS = [
  'endUtcMs',
  'elapsedMs',
  'scannedBuffers',
  'iteratedBuffers',
  'parallelTasks',
  'database',
  'command',
  'operation',
] as const satisfies readonly (keyof ScanColumns)[];

/** A malformed row as it is listed: why, where it was read, and how its text begins. */
export interface MalformedRow extends MalformedEvent {
  readonly fileName: string | null;
  readonly fileOffset: string | null;
  readonly excerpt: string;
}
