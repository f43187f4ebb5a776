/** One row of the session's target as a host gives it: cells of `sys.fn_xe_file_target_read_file`. Only `eventData` must be there. */
export interface EventRow {
  readonly objectName: string | null;
  readonly eventData: string | null;
  readonly fileName: string | null;
  /** bigint as text. Many events share one: it names a buffer (docs/facts.md, SQL Server 4). */
  readonly fileOffset: string | null;
  /** The function's column timestamp_utc, style 126, where the server has it: stands in for a timestamp in the XML that is no time. */
  readonly timestampUtc?: string | null;
}

/** A place in the event files: a pair that the server returned. The offset is a bigint as text. */
export interface FileCursor {
  readonly fileName: string;
  readonly offset: string;
}

/** Which task fired the event, and as which of its events; `attach_activity_id`. The GUID belongs to the task, not to the checkpoint. */
export interface Activity {
  readonly guid: string;
  readonly sequence: number;
}

/** A begin or an end of a checkpoint. */
export interface CheckpointEvent {
  readonly kind: 'begin' | 'end';
  /** The event's own field: the checkpointed database, not the database of the session that asked for it. */
  readonly databaseId: number;
  readonly atUtcMs: number;
  /** null where the session has no causality tracking. */
  readonly activity: Activity | null;
}

/** A scan of the buffer pool that took more than a second, told at its end: `buffer_pool_scan_complete` (docs/facts.md, SQL Server 3). */
export interface ScanEvent {
  readonly kind: 'scan';
  /** null where the scan was not for one database. */
  readonly databaseId: number | null;
  /** When the scan was complete. */
  readonly atUtcMs: number;
  readonly elapsedMs: number;
  /** null where the event has no such field. */
  readonly command: string | null;
  readonly operation: string | null;
  readonly scannedBuffers: number | null;
  readonly iteratedBuffers: number | null;
  /** From SQL Server 2022. */
  readonly parallelTasks: number | null;
}

/** An event of another name, which the session may hold beside ours. */
interface OtherEvent {
  readonly kind: 'other';
  readonly name: string;
}

export type MalformedReason =
  | 'empty'
  | 'truncated'
  | 'not XML'
  | 'not an event'
  | 'names differ'
  | 'wrong time'
  | 'wrong database_id'
  | 'wrong activity id'
  | 'wrong scan'
  | 'too many databases';

/** A row that says nothing that can be relied on. `detail` is one sentence. */
export interface MalformedEvent {
  readonly kind: 'malformed';
  readonly reason: MalformedReason;
  readonly detail: string;
}

export type EventReading = CheckpointEvent | ScanEvent | OtherEvent | MalformedEvent;
