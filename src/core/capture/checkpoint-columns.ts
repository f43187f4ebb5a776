import type { Count, UtcMs } from '../schema';
import type { Gap } from '../session/gap';
import { ROWS_A_STEP, type Steps } from '../steps';

/**
 * Checkpoints as columns: a capture holds them, the webview gets them, and every statistic and picture is computed from
 * them. Row i is one checkpoint. Rows are in the order in which they were paired, which is not the order of their
 * begins. 16 bytes a checkpoint (docs/facts.md, Performance).
 */
export interface CheckpointColumns {
  /** How many rows are valid; the arrays may be longer. */
  readonly rows: number;
  /** Milliseconds since 1970-01-01T00:00:00Z at which the checkpoint began. */
  readonly beginUtcMs: Float64Array;
  /** Milliseconds from begin to end. 0 to 2 ms cannot be told apart: the event clock is that coarse. */
  readonly durationMs: Uint32Array;
  /** Index into the capture's list of databases. */
  readonly database: Uint16Array;
  /**
   * Which task ran it, by a number of this capture; 0: not known. Absent in files of an earlier version, and where it
   * is not needed.
   */
  readonly task?: Uint16Array;
  /** Who asked, as `packCaller` writes it, by the number of the task. Absent or too short: not known. */
  readonly callers?: Uint32Array;
  /**
   * Rows from this one on are parts of checkpoints that an edge of the observed time cuts: time of the task, and no
   * checkpoints. Absent: there are none.
   */
  readonly partsFrom?: number;
}

/**
 * One database of a capture, at its index in the `database` column. A database_id is used again after a drop, so a
 * database is its id and its create_date. The name is its last one.
 */
export interface CapturedDatabase {
  readonly databaseId: Count;
  /**
   * sys.databases.create_date as the server wrote it, style 126, server local time; null until the catalog was read.
   */
  readonly createdLocal: string | null;
  /** null until the catalog was read. */
  readonly name: string | null;
}

/** What was watched: a half-open interval. Observed time is the interval less its gaps. */
export interface Observation {
  readonly beginUtcMs: UtcMs;
  readonly endUtcMs: UtcMs;
  readonly gaps: readonly Gap[];
  /** When single databases were not among those that the session records; absent: never. */
  readonly unrecorded?: readonly Unrecorded[];
  /**
   * Time that was observed and does not count here, such as hours that are not compared: nothing was lost in it.
   * Absent: none.
   */
  readonly leftOut?: readonly { readonly beginUtcMs: number; readonly endUtcMs: number }[];
}

/** Half-open. */
export interface Unrecorded {
  /** Index into the capture's list of databases. */
  readonly database: Count;
  readonly beginUtcMs: UtcMs;
  readonly endUtcMs: UtcMs;
}

/** Who asked for the checkpoint of a row, as `packCaller` writes it; 0: not known. */
export function callerOfRow({ task, callers }: CheckpointColumns, row: number): number {
  return callers?.[task?.[row] ?? 0] ?? 0;
}

/** A copy of the rows that are wanted. @param indexOf the database of a row; absent: as it is */
export function* selectRows(
  columns: CheckpointColumns,
  isWanted: (row: number) => boolean,
  indexOf = (row: number): number => columns.database[row] ?? 0,
): Steps<CheckpointColumns> {
  const wanted = new Uint32Array(columns.rows);
  let [rows, partsFrom] = [0, 0];
  for (let row = 0; row < columns.rows; row++) {
    if (row % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
    if (isWanted(row)) wanted[rows++] = row;
    if (row + 1 === columns.partsFrom) partsFrom = rows;
  }
  const picked = wanted.subarray(0, rows);
  const beginUtcMs = new Float64Array(rows);
  const durationMs = new Uint32Array(rows);
  const database = new Uint16Array(rows);
  const task = columns.task === undefined ? undefined : new Uint16Array(rows);
  for (let at = 0; at < rows; at++) {
    if (at % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
    const row = picked[at] ?? 0;
    beginUtcMs[at] = columns.beginUtcMs[row] ?? 0;
    durationMs[at] = columns.durationMs[row] ?? 0;
    database[at] = indexOf(row);
    if (task !== undefined) task[at] = columns.task?.[row] ?? 0;
  }
  return {
    rows,
    beginUtcMs,
    durationMs,
    database,
    ...(task && { task }),
    ...(columns.callers && { callers: columns.callers }),
    ...(columns.partsFrom !== undefined && { partsFrom }),
  };
}
