/**
 * One row of the session's target as a host gives it: cells of `sys.fn_xe_file_target_read_file`. Only `eventData` is
 * always there.
 */
export interface EventRow {
  readonly objectName: string | null;
  readonly eventData: string | null;
  readonly fileName: string | null;
  /** bigint as text. Many events share one, because it names a buffer (docs/facts.md, SQL Server 4). */
  readonly fileOffset: string | null;
  /**
   * The function's column timestamp_utc, style 126, if the server has it. Used if the timestamp in the XML is no time.
   */
  readonly timestampUtc?: string | null;
}

/** A place in the event files, as the server returned it. The offset is a bigint as text. */
export interface FileCursor {
  readonly fileName: string;
  readonly offset: string;
}

/**
 * Which task fired the event, and the event's number within it; `attach_activity_id`. The GUID belongs to the task, not
 * to the checkpoint.
 */
export interface Activity {
  readonly guid: string;
  readonly sequence: number;
}

/** Who asked for a checkpoint, as the task that fired the event tells it: actions is_system and session_id. */
export interface Caller {
  /** A task of the engine, not a session of somebody; null: not recorded, or not readable. */
  readonly isSystem: boolean | null;
  /** null: not recorded, or not readable. It tells sessions apart; a session of the engine may have any number. */
  readonly sessionId: number | null;
}

/** A begin or an end of a checkpoint. */
export interface CheckpointEvent {
  readonly kind: 'begin' | 'end';
  /** The event's own field: the checkpointed database, not that of the session that asked for the checkpoint. */
  readonly databaseId: number;
  readonly atUtcMs: number;
  /** null if the session has no causality tracking. */
  readonly activity: Activity | null;
  /** Absent: the event says nothing of it. */
  readonly caller?: Caller;
}

/** An event of another name, which the session may record too. */
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
  // Only earlier versions gave it.
  | 'wrong scan'
  | 'too many databases';

/** A row that cannot be relied on. `detail` is one sentence. */
export interface MalformedEvent {
  readonly kind: 'malformed';
  readonly reason: MalformedReason;
  readonly detail: string;
}

export type EventReading = CheckpointEvent | OtherEvent | MalformedEvent;
