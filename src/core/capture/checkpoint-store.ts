import { ROWS_A_STEP, type Steps } from '../steps';
import { kindOfCaller } from '../events/event-register';
import { callerOfRow, type CheckpointColumns } from './checkpoint-columns';
import { type Handovers, NO_DATABASE } from './handovers';
import { TimeBlocks } from '../time-blocks';

/** From here on rows are copied to larger arrays in pieces: ten million at once would take a tenth of a second. */
const LONG = 1_048_576;
/** Copying begins when a quarter of the spare rows is left, and goes on in pieces of about 147,000 rows. */
const MOVING_SHARE = 4;
const MOVE_EVERY = 4_096;
const BYTES_PER_ROW = 16;

const FIRST_CAPACITY = 1024;
/** An eighth more each time: each row is copied about nine times in all, and memory stays at 18 bytes a row at most. */
const GROWTH = 1.125;
/** Up to here the room is doubled, because it is little. */
const FEW_ROWS = 16_384;

/** Columns as a store fills them, with room for more. */
type ColumnArrays = Required<Omit<CheckpointColumns, 'rows' | 'partsFrom' | 'callers'>>;

/** Rows as buffers of exactly their size, ready to be transferred. */
export interface CheckpointSlice {
  readonly fromRow: number;
  readonly rows: number;
  readonly beginUtcMs: ArrayBuffer;
  readonly durationMs: ArrayBuffer;
  readonly database: ArrayBuffer;
  /** A byte a row: who asked, as `kindOfCaller` writes it. */
  readonly caller: ArrayBuffer;
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
  /** Larger arrays to which rows are being copied, and how many have been. */
  private next: ColumnArrays | null = null;
  private moved = 0;
  /** At this many rows the store copies a piece or makes room. */
  private dueRows = 0;
  private blocks = new TimeBlocks();

  get count(): number {
    return this.rows;
  }

  get bytesHeld(): number {
    return (
      (this.arrays.database.length + (this.next?.database.length ?? 0)) * BYTES_PER_ROW +
      this.blocks.bytesHeld
    );
  }

  /** A view without copying. It stays true while rows are appended, but does not show them. */
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

  /** Visits stretches of rows, in order. Together they hold every checkpoint that touches the time, ends included. */
  visitRows(fromUtcMs: number, toUtcMs: number, visit: (fromRow: number, toRow: number) => void): void {
    this.blocks.visit(this.rows, fromUtcMs, toUtcMs, visit);
  }

  /** The smallest range of rows that holds every checkpoint that begins in the half-open time. It may hold others. */
  findRows(fromUtcMs: number, toUtcMs: number): RowRange {
    const { beginUtcMs } = this.arrays;
    const isIn = (row: number): boolean =>
      (beginUtcMs[row] as number) >= fromUtcMs && (beginUtcMs[row] as number) < toUtcMs;
    let first = this.rows;
    let last = -1;
    this.visitRows(fromUtcMs, toUtcMs, (fromRow, toRow) => {
      for (let row = fromRow; row < toRow && first === this.rows; row++) if (isIn(row)) first = row;
      for (let row = toRow - 1; row >= fromRow && row > last; row--) if (isIn(row)) last = row;
    });
    return last < 0 ? { fromRow: 0, toRow: 0 } : { fromRow: first, toRow: last + 1 };
  }

  /**
   * Gives rows to the databases that have their ids now, in steps. Rows that belong to no database are removed, and
   * `giveUp` gets them at the end. Only the last step changes anything: it puts new columns in place, so views given
   * out before stay as they were. Rows may be appended meanwhile. Every step looks at ROWS_A_STEP rows at most. The
   * last one also gives up rows, which are few: those around the time at which an id was given again, if that time is
   * not known.
   * @returns whether any row changed; if none does, nothing is copied
   */
  *rewrite(
    handovers: Handovers,
    giveUp: (database: number, beginUtcMs: number, endUtcMs: number) => void,
  ): Steps<boolean> {
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

  /** Takes rows kept earlier, into an empty store. Prepared columns are taken without copying. */
  restore(columns: CheckpointColumns): void {
    const prepared = columns instanceof PreparedColumns ? columns.take() : null;
    if (prepared !== null) return this.take(prepared.arrays, columns.rows, prepared.blocks);
    this.take(createArrays(columns.rows), 0, new TimeBlocks());
    const { beginUtcMs, durationMs, database, task } = columns;
    for (let row = 0; row < columns.rows; row++)
      this.append(beginUtcMs[row] as number, durationMs[row] as number, database[row] as number, task?.[row]);
  }

  /** Gives back spare capacity, an eighth at most. Long columns keep it, because they would have to be copied. */
  trim(): void {
    const isShort = this.rows < LONG;
    if (this.rows === this.arrays.database.length || !isShort) return;
    const arrays = createArrays(this.rows);
    copyRows(this.arrays, arrays, 0, this.rows);
    this.take(arrays, this.rows, this.blocks);
  }

  /** Whether any of the next rows belongs to another database now. */
  private holdsAny(handovers: Handovers, fromRow: number): boolean {
    const { beginUtcMs, durationMs, database } = this.arrays;
    const toRow = Math.min(this.rows, fromRow + ROWS_A_STEP);
    for (let row = fromRow; row < toRow; row++) {
      const [begin, before] = [beginUtcMs[row] as number, database[row] as number];
      if (handovers.databaseOf(before, begin, begin + (durationMs[row] as number)) !== before) return true;
    }
    return false;
  }

  /** Appends the next rows to another store, except those that belong to no database. */
  private giveRows(fromRow: number, handovers: Handovers, to: CheckpointStore, lost: number[]): void {
    const { beginUtcMs, durationMs, database, task } = this.arrays;
    const toRow = Math.min(this.rows, fromRow + ROWS_A_STEP);
    for (let row = fromRow; row < toRow; row++) {
      const [begin, duration] = [beginUtcMs[row] as number, durationMs[row] as number];
      const given = handovers.databaseOf(database[row] as number, begin, begin + duration);
      if (given === NO_DATABASE) lost.push(row);
      else to.append(begin, duration, given, task[row]);
    }
  }

  private take(arrays: ColumnArrays, rows: number, blocks: TimeBlocks): void {
    [this.arrays, this.rows, this.blocks] = [arrays, rows, blocks];
    [this.next, this.moved] = [null, 0];
    this.dueRows = this.findDue();
  }

  /**
   * The number of rows at which the next piece is copied, or at which the arrays are full.
   *   rows  [======================|....|....]     nothing to do | pieces | full
   */
  private findDue(): number {
    const capacity = this.arrays.database.length;
    if (capacity < LONG) return capacity;
    const movingRows = Math.ceil((capacity - capacity / GROWTH) / MOVING_SHARE);
    return Math.min(
      capacity,
      Math.max(capacity - movingRows, this.rows + (this.next === null ? 0 : MOVE_EVERY)),
    );
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
 * Copies rows `fromRow` to `toRow` into buffers of exactly their size: a view would send its whole buffer to the
 * webview (docs/facts.md, Performance). Rows beyond the end are left out.
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
    caller: Uint8Array.from({ length: to - from }, (_, at) => kindOfCaller(callerOfRow(columns, from + at)))
      .buffer,
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

/** The next capacity for this many rows. */
function growCapacity(rows: number): number {
  return Math.max(FIRST_CAPACITY, Math.ceil(rows * (rows < FEW_ROWS ? 2 : GROWTH)));
}

/** Copies rows `fromRow` to before `toRow` to the same places. */
function copyRows(
  from: Omit<CheckpointColumns, 'rows'>,
  to: ColumnArrays,
  fromRow: number,
  toRow: number,
): void {
  to.beginUtcMs.set(from.beginUtcMs.subarray(fromRow, toRow), fromRow);
  to.durationMs.set(from.durationMs.subarray(fromRow, toRow), fromRow);
  to.database.set(from.database.subarray(fromRow, toRow), fromRow);
  if (from.task !== undefined) to.task.set(from.task.subarray(fromRow, toRow), fromRow);
}

/** A copy of kept columns that one store takes over and goes on with. */
class PreparedColumns implements CheckpointColumns {
  private isTaken = false;

  constructor(
    private readonly arrays: ColumnArrays,
    readonly rows: number,
    private readonly blocks: TimeBlocks,
    readonly callers: Uint32Array = new Uint32Array(0),
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

  /** null: a store has taken them already, and fills the spare rows. */
  take(): { readonly arrays: ColumnArrays; readonly blocks: TimeBlocks } | null {
    if (this.isTaken) return null;
    this.isTaken = true;
    return { arrays: this.arrays, blocks: this.blocks };
  }
}

/** Prepares kept columns for a store, in steps: a million rows take about 20 ms. */
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
  return new PreparedColumns(arrays, rows, blocks, columns.callers);
}
