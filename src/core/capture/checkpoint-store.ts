import type { CheckpointColumns } from './checkpoint-columns';

const FIRST_CAPACITY = 1024;
/** A quarter more each time: rows are copied about five times in all, and at most a quarter of what is held is spare. */
const GROWTH = 1.25;
const BYTES_PER_ROW = 14;
/** A duration beyond this (49.7 days) does not fit its column. */
export const LONGEST_DURATION_MS = 0xffffffff;

/** Rows as exact buffers of their own, ready to be transferred. */
export interface CheckpointSlice {
  readonly fromRow: number;
  readonly rows: number;
  readonly beginUtcMs: ArrayBuffer;
  readonly durationMs: ArrayBuffer;
  readonly database: ArrayBuffer;
}

/** Append-only columns of paired checkpoints, 14 bytes each (docs/facts.md, Performance). */
export class CheckpointStore {
  private rows = 0;
  private beginUtcMs = new Float64Array(0);
  private durationMs = new Uint32Array(0);
  private database = new Uint16Array(0);

  get count(): number {
    return this.rows;
  }

  get bytesHeld(): number {
    return this.database.length * BYTES_PER_ROW;
  }

  /** A view without copying. It stays true while rows are appended, and does not see them. */
  columns(): CheckpointColumns {
    const { rows, beginUtcMs, durationMs, database } = this;
    return { rows, beginUtcMs, durationMs, database };
  }

  append(beginUtcMs: number, durationMs: number, database: number): void {
    if (this.rows === this.database.length) this.resize(Math.max(FIRST_CAPACITY, Math.ceil(this.rows * GROWTH)));
    this.beginUtcMs[this.rows] = beginUtcMs;
    this.durationMs[this.rows] = durationMs;
    this.database[this.rows] = database;
    this.rows++;
  }

  /** Gives back the spare capacity. */
  trim(): void {
    if (this.rows < this.database.length) this.resize(this.rows);
  }

  private resize(capacity: number): void {
    const [begins, durations, databases] = [new Float64Array(capacity), new Uint32Array(capacity), new Uint16Array(capacity)];
    begins.set(this.beginUtcMs.subarray(0, this.rows));
    durations.set(this.durationMs.subarray(0, this.rows));
    databases.set(this.database.subarray(0, this.rows));
    [this.beginUtcMs, this.durationMs, this.database] = [begins, durations, databases];
  }
}

/**
 * Copies rows `fromRow` to `toRow` into buffers of exactly their size: a view would carry its whole backing buffer across the wire
 * (docs/facts.md, Performance). Rows beyond the end are left out.
 */
export function sliceColumns(columns: CheckpointColumns, fromRow: number, toRow: number): CheckpointSlice {
  const from = Math.max(0, Math.min(fromRow, columns.rows));
  const to = Math.max(from, Math.min(toRow, columns.rows));
  return {
    fromRow: from,
    rows: to - from,
    beginUtcMs: columns.beginUtcMs.slice(from, to).buffer as ArrayBuffer,
    durationMs: columns.durationMs.slice(from, to).buffer as ArrayBuffer,
    database: columns.database.slice(from, to).buffer as ArrayBuffer,
  };
}
