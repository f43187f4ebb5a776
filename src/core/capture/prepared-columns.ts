import type { CheckpointColumns } from './checkpoint-columns';
import { ROWS_A_STEP, type Steps } from '../steps';
import { TimeBlocks } from '../time-blocks';

const FIRST_CAPACITY = 1024;
/** An eighth more each time: rows are copied about nine times in all, and at most 18 bytes a row are held. */
export const GROWTH = 1.125;
/** Up to here they are doubled: it is little. */
const FEW_ROWS = 16_384;

/** Columns as a store fills them, with room for more. */
export type ColumnArrays = Required<Omit<CheckpointColumns, 'rows'>>;

export function createArrays(capacity: number): ColumnArrays {
  return {
    beginUtcMs: new Float64Array(capacity),
    durationMs: new Uint32Array(capacity),
    database: new Uint16Array(capacity),
    task: new Uint16Array(capacity),
  };
}

/** How many rows are made room for where this many fill what there is. */
export function growCapacity(rows: number): number {
  return Math.max(FIRST_CAPACITY, Math.ceil(rows * (rows < FEW_ROWS ? 2 : GROWTH)));
}

/** Rows `fromRow` to before `toRow`, to the same places. */
export function copyRows(from: Omit<CheckpointColumns, 'rows'>, to: ColumnArrays, fromRow: number, toRow: number): void {
  to.beginUtcMs.set(from.beginUtcMs.subarray(fromRow, toRow), fromRow);
  to.durationMs.set(from.durationMs.subarray(fromRow, toRow), fromRow);
  to.database.set(from.database.subarray(fromRow, toRow), fromRow);
  if (from.task !== undefined) to.task.set(from.task.subarray(fromRow, toRow), fromRow);
}

/** Kept columns copied to where a store can go on with them, which takes them once. */
export class PreparedColumns implements CheckpointColumns {
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
