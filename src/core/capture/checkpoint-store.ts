import { ROWS_A_STEP, type Steps } from '../steps';
import type { CheckpointColumns } from './checkpoint-columns';
import { type Handovers, NOBODY } from './handovers';
import { TimeBlocks } from '../time-blocks';

/** From here on rows are copied to larger arrays little by little: ten million at once would take a tenth of a second. */
const LONG = 1_048_576;
/** Of the spare rows, this many are left when the copying begins; and so often a piece is copied, of some 147,000 rows. */
const MOVING_SHARE = 4;
const MOVE_EVERY = 4_096;
const BYTES_PER_ROW = 16;

const FIRST_CAPACITY = 1024;
/** An eighth more each time: rows are copied about nine times in all, and at most 18 bytes a row are held. */
const GROWTH = 1.125;
/** Up to here they are doubled: it is little. */
const FEW_ROWS = 16_384;

/** Columns as a store fills them, with room for more. */
type ColumnArrays = Required<Omit<CheckpointColumns, 'rows'>>;

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

/** Append-only columns of paired checkpoints, 16 bytes each (docs/facts.md, Performance). */
export class CheckpointStore {
  private rows = 0;
  private arrays = createArrays(0);
  /** Larger arrays to which rows are being copied, and how many were. */
  private next: ColumnArrays | null = null;
  private moved = 0;
  /** At this many rows there is something to be done before the next one. */
  private dueRows = 0;
  private blocks = new TimeBlocks();

  get count(): number {
    return this.rows;
  }

  get bytesHeld(): number {
    return (this.arrays.database.length + (this.next?.database.length ?? 0)) * BYTES_PER_ROW + this.blocks.bytesHeld;
  }

  /** A view without copying. It stays true while rows are appended, and does not see them. */
  columns(): CheckpointColumns {
    return { rows: this.rows, ...this.arrays };
  }

  /** @param task 0: not known */
  append(beginUtcMs: number, durationMs: number, database: number, task = 0): void {
    if (this.rows === this.dueRows) this.makeRoom();
    const { arrays, rows } = this;
    arrays.beginUtcMs[rows] = beginUtcMs;
    arrays.durationMs[rows] = durationMs;
    arrays.database[rows] = database;
    arrays.task[rows] = task;
    this.blocks.append(rows, beginUtcMs, beginUtcMs + durationMs);
    this.rows++;
  }

  /** Visits, in order, stretches of rows in which every checkpoint is that touches the time between, both ends included. */
  visitRows(fromUtcMs: number, toUtcMs: number, visit: (fromRow: number, toRow: number) => void): void {
    this.blocks.visit(this.rows, fromUtcMs, toUtcMs, visit);
  }

  /** The smallest range of rows that holds every checkpoint which begins in the half-open time; a few of others may stand between them. */
  findRows(fromUtcMs: number, toUtcMs: number): RowRange {
    const { beginUtcMs } = this.arrays;
    const isIn = (row: number): boolean => (beginUtcMs[row] as number) >= fromUtcMs && (beginUtcMs[row] as number) < toUtcMs;
    let first = this.rows;
    let last = -1;
    this.visitRows(fromUtcMs, toUtcMs, (fromRow, toRow) => {
      for (let row = fromRow; row < toRow && first === this.rows; row++) if (isIn(row)) first = row;
      for (let row = toRow - 1; row >= fromRow && row > last; row--) if (isIn(row)) last = row;
    });
    return last < 0 ? { fromRow: 0, toRow: 0 } : { fromRow: first, toRow: last + 1 };
  }

  /**
   * Gives rows to the heirs of their databases, in steps, and takes away those that belong to nobody, which `giveUp` gets at the end. Nothing changes before the
   * last step, which puts other columns in the place of these: views given out before stay as they were. Rows may be appended meanwhile. No step looks at more
   * than ROWS_A_STEP rows, however many there are; the last one is longer by what is given up, which is little: what of a database lies about the time at which
   * its id was given again, and only where that time is not known.
   * @returns whether any row changed; where none does nothing is copied
   */
  *rewrite(handovers: Handovers, giveUp: (database: number, beginUtcMs: number, endUtcMs: number) => void): Steps<boolean> {
    let from = 0;
    for (; !this.holdsAny(handovers, from); from += ROWS_A_STEP) {
      if (from + ROWS_A_STEP >= this.rows) return false;
      yield;
    }
    const rewritten = new CheckpointStore();
    rewritten.take(createArrays(growCapacity(this.rows)), 0, new TimeBlocks());
    const lost: number[] = [];
    for (from = 0; from < this.rows; from += ROWS_A_STEP) {
      yield;
      this.giveRows(from, handovers, rewritten, lost);
    }
    const { beginUtcMs, durationMs, database } = this.arrays;
    this.take(rewritten.arrays, rewritten.rows, rewritten.blocks);
    for (const row of lost) {
      const begin = beginUtcMs[row] as number;
      giveUp(database[row] as number, begin, begin + (durationMs[row] as number));
    }
    return true;
  }

  /** Takes rows kept earlier, into an empty store; those that were prepared in steps as they are. */
  restore(columns: CheckpointColumns): void {
    const prepared = columns instanceof PreparedColumns ? columns.take() : null;
    if (prepared !== null) return this.take(prepared.arrays, columns.rows, prepared.blocks);
    this.take(createArrays(columns.rows), 0, new TimeBlocks());
    const { beginUtcMs, durationMs, database, task } = columns;
    for (let row = 0; row < columns.rows; row++)
      this.append(beginUtcMs[row] as number, durationMs[row] as number, database[row] as number, task?.[row]);
  }

  /** Gives back the spare capacity, an eighth at the most; of long columns it stays, because they would be copied for it. */
  trim(): void {
    const isShort = this.rows < LONG;
    if (this.rows === this.arrays.database.length || !isShort) return;
    const arrays = createArrays(this.rows);
    copyRows(this.arrays, arrays, 0, this.rows);
    this.take(arrays, this.rows, this.blocks);
  }

  /** Whether any of the next rows is another database's by now. */
  private holdsAny(handovers: Handovers, fromRow: number): boolean {
    const { beginUtcMs, durationMs, database } = this.arrays;
    const toRow = Math.min(this.rows, fromRow + ROWS_A_STEP);
    for (let row = fromRow; row < toRow; row++) {
      const [begin, before] = [beginUtcMs[row] as number, database[row] as number];
      if (handovers.databaseOf(before, begin, begin + (durationMs[row] as number)) !== before) return true;
    }
    return false;
  }

  /** Appends the next rows to another store, but those that belong to nobody. */
  private giveRows(fromRow: number, handovers: Handovers, to: CheckpointStore, lost: number[]): void {
    const { beginUtcMs, durationMs, database, task } = this.arrays;
    const toRow = Math.min(this.rows, fromRow + ROWS_A_STEP);
    for (let row = fromRow; row < toRow; row++) {
      const [begin, duration] = [beginUtcMs[row] as number, durationMs[row] as number];
      const given = handovers.databaseOf(database[row] as number, begin, begin + duration);
      if (given === NOBODY) lost.push(row);
      else to.append(begin, duration, given, task[row]);
    }
  }

  private take(arrays: ColumnArrays, rows: number, blocks: TimeBlocks): void {
    [this.arrays, this.rows, this.blocks] = [arrays, rows, blocks];
    [this.next, this.moved] = [null, 0];
    this.dueRows = this.findDue();
  }

  /**
   * Where the next piece is to be copied, or nothing fits any more.
   *   rows  [======================|....|....]     nothing to do | pieces | full
   */
  private findDue(): number {
    const capacity = this.arrays.database.length;
    if (capacity < LONG) return capacity;
    const movingRows = Math.ceil((capacity - capacity / GROWTH) / MOVING_SHARE);
    return Math.min(capacity, Math.max(capacity - movingRows, this.rows + (this.next === null ? 0 : MOVE_EVERY)));
  }

  private makeRoom(): void {
    const { arrays, rows } = this;
    const capacity = arrays.database.length;
    this.next ??= createArrays(growCapacity(capacity));
    const piecesLeft = Math.floor((capacity - rows) / MOVE_EVERY);
    const toRow = this.moved + Math.ceil((rows - this.moved) / (piecesLeft + 1));
    copyRows(arrays, this.next, this.moved, toRow);
    this.moved = toRow;
    if (rows === capacity) this.take(this.next, rows, this.blocks);
    else this.dueRows = this.findDue();
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

function createArrays(capacity: number): ColumnArrays {
  return {
    beginUtcMs: new Float64Array(capacity),
    durationMs: new Uint32Array(capacity),
    database: new Uint16Array(capacity),
    task: new Uint16Array(capacity),
  };
}

/** How many rows are made room for where this many fill what there is. */
function growCapacity(rows: number): number {
  return Math.max(FIRST_CAPACITY, Math.ceil(rows * (rows < FEW_ROWS ? 2 : GROWTH)));
}

/** Rows `fromRow` to before `toRow`, to the same places. */
function copyRows(from: Omit<CheckpointColumns, 'rows'>, to: ColumnArrays, fromRow: number, toRow: number): void {
  to.beginUtcMs.set(from.beginUtcMs.subarray(fromRow, toRow), fromRow);
  to.durationMs.set(from.durationMs.subarray(fromRow, toRow), fromRow);
  to.database.set(from.database.subarray(fromRow, toRow), fromRow);
  if (from.task !== undefined) to.task.set(from.task.subarray(fromRow, toRow), fromRow);
}

/** Kept columns copied to where a store can go on with them, which takes them once. */
class PreparedColumns implements CheckpointColumns {
  private isTaken = false;

  constructor(
    private readonly arrays: ColumnArrays,
    readonly rows: number,
    private readonly blocks: TimeBlocks,
  ) {}

  get beginUtcMs(): Float64Array {
    return this.arrays.beginUtcMs;
  }

  get durationMs(): Uint32Array {
    return this.arrays.durationMs;
  }

  get database(): Uint16Array {
    return this.arrays.database;
  }

  get task(): Uint16Array {
    return this.arrays.task;
  }

  /** null: a store has them already, and fills what is spare. */
  take(): { readonly arrays: ColumnArrays; readonly blocks: TimeBlocks } | null {
    if (this.isTaken) return null;
    this.isTaken = true;
    return { arrays: this.arrays, blocks: this.blocks };
  }
}

/** What a store does with kept columns in one go, in steps: a million rows take some 20 ms. */
export function* prepareColumns(columns: CheckpointColumns): Steps<PreparedColumns> {
  const { rows, beginUtcMs, durationMs } = columns;
  const arrays = createArrays(growCapacity(rows));
  const blocks = new TimeBlocks();
  for (let fromRow = 0; fromRow < rows; fromRow += ROWS_A_STEP) {
    if (fromRow > 0) yield;
    const toRow = Math.min(rows, fromRow + ROWS_A_STEP);
    copyRows(columns, arrays, fromRow, toRow);
    for (let row = fromRow; row < toRow; row++) {
      const begin = beginUtcMs[row] as number;
      blocks.append(row, begin, begin + (durationMs[row] as number));
    }
  }
  return new PreparedColumns(arrays, rows, blocks);
}
