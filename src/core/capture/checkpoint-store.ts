import type { CheckpointColumns } from './checkpoint-columns';
import { TimeBlocks } from './time-blocks';

const FIRST_CAPACITY = 1024;
/** An eighth more each time: rows are copied about nine times in all, and at most 16 bytes a row are held. */
const GROWTH = 1.125;
/** Up to here they are doubled: it is little. */
const FEW_ROWS = 16_384;
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

/** Rows `fromRow` to before `toRow`. */
export interface RowRange {
  readonly fromRow: number;
  readonly toRow: number;
}

/** Append-only columns of paired checkpoints, 14 bytes each (docs/facts.md, Performance). */
export class CheckpointStore {
  private rows = 0;
  private beginUtcMs = new Float64Array(0);
  private durationMs = new Uint32Array(0);
  private database = new Uint16Array(0);
  private blocks = new TimeBlocks();

  get count(): number {
    return this.rows;
  }

  get bytesHeld(): number {
    return this.database.length * BYTES_PER_ROW + this.blocks.bytesHeld;
  }

  /** A view without copying. It stays true while rows are appended, and does not see them. */
  columns(): CheckpointColumns {
    const { rows, beginUtcMs, durationMs, database } = this;
    return { rows, beginUtcMs, durationMs, database };
  }

  append(beginUtcMs: number, durationMs: number, database: number): void {
    if (this.rows === this.database.length)
      this.resize(Math.max(FIRST_CAPACITY, Math.ceil(this.rows * (this.rows < FEW_ROWS ? 2 : GROWTH))));
    this.beginUtcMs[this.rows] = beginUtcMs;
    this.durationMs[this.rows] = durationMs;
    this.database[this.rows] = database;
    this.blocks.append(this.rows, beginUtcMs, beginUtcMs + durationMs);
    this.rows++;
  }

  /** Visits, in order, stretches of rows in which every checkpoint is that touches the time between, both ends included. */
  visitRows(fromUtcMs: number, toUtcMs: number, visit: (fromRow: number, toRow: number) => void): void {
    this.blocks.visit(this.rows, fromUtcMs, toUtcMs, visit);
  }

  /** The smallest range of rows that holds every checkpoint which begins in the half-open time; a few of others may stand between them. */
  findRows(fromUtcMs: number, toUtcMs: number): RowRange {
    const isIn = (row: number): boolean => (this.beginUtcMs[row] as number) >= fromUtcMs && (this.beginUtcMs[row] as number) < toUtcMs;
    let first = this.rows;
    let last = -1;
    this.visitRows(fromUtcMs, toUtcMs, (fromRow, toRow) => {
      for (let row = fromRow; row < toRow && first === this.rows; row++) if (isIn(row)) first = row;
      for (let row = toRow - 1; row >= fromRow && row > last; row--) if (isIn(row)) last = row;
    });
    return last < 0 ? { fromRow: 0, toRow: 0 } : { fromRow: first, toRow: last + 1 };
  }

  /**
   * Gives rows that touch the time from `fromUtcMs` on to other databases, or takes them away where `databaseOf` gives null. Views given out before stay as they
   * were.
   * @returns whether any row changed
   */
  rewrite(fromUtcMs: number, databaseOf: (beginUtcMs: number, endUtcMs: number, database: number) => number | null): boolean {
    const { rows, beginUtcMs, durationMs, database } = this;
    const changes = new Map<number, number | null>();
    this.visitRows(fromUtcMs, Infinity, (fromRow, toRow) => {
      for (let row = fromRow; row < toRow; row++) {
        const begin = beginUtcMs[row] as number;
        const given = databaseOf(begin, begin + (durationMs[row] as number), database[row] as number);
        if (given !== database[row]) changes.set(row, given);
      }
    });
    if (changes.size === 0) return false;
    this.rows = 0;
    this.blocks = new TimeBlocks();
    [this.beginUtcMs, this.durationMs, this.database] = [new Float64Array(rows), new Uint32Array(rows), new Uint16Array(rows)];
    for (let row = 0; row < rows; row++) {
      const given = changes.get(row);
      if (given !== null) this.append(beginUtcMs[row] as number, durationMs[row] as number, given ?? (database[row] as number));
    }
    return true;
  }

  /** Takes rows kept earlier, into an empty store. */
  restore(columns: CheckpointColumns): void {
    this.resize(columns.rows);
    for (let row = 0; row < columns.rows; row++) {
      this.append(columns.beginUtcMs[row] as number, columns.durationMs[row] as number, columns.database[row] as number);
    }
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
