import type { CheckpointColumns } from '../capture/checkpoint-columns';
import { ROWS_A_STEP, type Steps } from '../steps';
import { findFirst } from '../sorted';

/** Up to this many rows are inserted one by one. */
const SHORT = 32;
/** Merging two parts that are in order already costs as much as a look at this many rows. */
const SMALL = 8;

/**
 * The wanted rows in order of their begins. Of two that begin in one millisecond the shorter comes first: on one task
 * it ran first. Rows are appended almost in that order, and parts that are in order already are not moved.
 */
export function* orderRows(
  columns: CheckpointColumns,
  isWanted: (row: number) => boolean,
  fromRow = 0,
): Steps<Uint32Array> {
  const wanted = new Uint32Array(Math.max(0, columns.rows - fromRow));
  let count = 0;
  for (let row = fromRow; row < columns.rows; row++) {
    if (isWanted(row)) wanted[count++] = row;
    if (row % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
  }
  const order = new RowOrder(columns, wanted.slice(0, count));
  for (let from = 0; from < count; from += SHORT) {
    order.sortShort(from, Math.min(count, from + SHORT));
    if (from % ROWS_A_STEP === 0) yield;
  }
  for (let width = SHORT, looks = 0; width < count; width *= 2) {
    for (let from = 0; from + width < count; from += 2 * width) {
      order.beginMerge(from, from + width, Math.min(count, from + 2 * width));
      looks += SMALL;
      do {
        looks += order.merge(ROWS_A_STEP - looks);
        if (looks >= ROWS_A_STEP) {
          yield;
          looks = 0;
        }
      } while (order.isMerging);
    }
  }
  return order.rows;
}

/** The first place of ordered rows whose checkpoint begins at or after a moment; `count` if there is none. */
export function findRowsBegun(
  { beginUtcMs }: CheckpointColumns,
  rows: Uint32Array,
  utcMs: number,
  count = rows.length,
): number {
  return findFirst(0, count, (place) => (beginUtcMs[rows[place] ?? 0] ?? 0) >= utcMs);
}

class RowOrder {
  private readonly spare: Uint32Array;
  /**
   * While two parts are merged: what is left of the first, which was moved out of the way, and of the second, and where
   * the next row goes.
   */
  private next = 0;
  private kept = 0;
  private other = 0;
  private end = 0;
  private place = 0;

  constructor(
    private readonly columns: CheckpointColumns,
    readonly rows: Uint32Array,
  ) {
    this.spare = new Uint32Array(rows.length);
  }

  sortShort(from: number, to: number): void {
    const { rows } = this;
    for (let i = from + 1; i < to; i++) {
      const row = rows[i] ?? 0;
      let place = i;
      for (; place > from && this.isBefore(row, rows[place - 1] ?? 0); place--)
        rows[place] = rows[place - 1] ?? 0;
      rows[place] = row;
    }
  }

  /** Begins to merge two ordered parts that follow each other. */
  beginMerge(from: number, middle: number, to: number): void {
    const { rows, spare } = this;
    const right = rows[middle] ?? 0;
    // Only rows of the left part that come after the first of the right one have to be moved.
    this.place = findFirst(from, middle, (place) => this.isBefore(right, rows[place] ?? 0));
    [this.next, this.kept, this.other, this.end] = [0, middle - this.place, middle, to];
    if (this.isMerging) spare.set(rows.subarray(this.place, middle));
  }

  get isMerging(): boolean {
    return this.next < this.kept;
  }

  /** Goes on with the merge, for at most this many rows. @returns how many rows were placed */
  merge(most: number): number {
    const { rows, spare, kept, end, place: from } = this;
    let { next, other, place } = this;
    for (const to = from + most; next < kept && place < to; place++) {
      const isRight = other < end && this.isBefore(rows[other] ?? 0, spare[next] ?? 0);
      rows[place] = (isRight ? rows[other++] : spare[next++]) ?? 0;
    }
    [this.next, this.other, this.place] = [next, other, place];
    return place - from;
  }

  private isBefore(a: number, b: number): boolean {
    const { beginUtcMs, durationMs } = this.columns;
    const [beginA = 0, beginB = 0] = [beginUtcMs[a], beginUtcMs[b]];
    if (beginA !== beginB) return beginA < beginB;
    const [durationA = 0, durationB = 0] = [durationMs[a], durationMs[b]];
    return durationA !== durationB ? durationA < durationB : a < b;
  }
}
