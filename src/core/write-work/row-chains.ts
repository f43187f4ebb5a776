import { lengthen } from '../number-columns';
import { ROWS_A_STEP, type Steps } from '../steps';
import type { AnyTable } from './number-table';

const FIRST_CAPACITY = 256;

/**
 * Links each row of a bounded table to the previous row of the same database, so that its rows are found without a look
 * at others. 4 bytes a row. Rows are linked when they are asked for, and then only new ones.
 *   database    7  3  7  7  3
 *   before it   -  -  0  2  1         and the last of 7 is 3, of 3 is 4
 */
export class RowChains {
  /**
   * Rows are counted from the first there ever was, beginning with 1; 0 is none. A newer row takes the place of one
   * that went.
   */
  private before = new Uint32Array(0);
  private readonly last = new Map<number, number>();
  private linked = 0;

  constructor(private readonly table: AnyTable) {}

  /** Links new rows. Rows appended between the steps are linked in the last step, or the next time. */
  *link(): Steps<void> {
    const { table, last } = this;
    for (;;) {
      const { rows, droppedRows } = table;
      const end = rows + droppedRows;
      this.linked = Math.max(this.linked, droppedRows);
      if (this.linked >= end) return;
      const to = Math.min(end, this.linked + ROWS_A_STEP);
      this.reserve(to);
      const database = table.column('database') ?? [];
      for (let row = this.linked; row < to; row++) {
        const one = database[row - droppedRows] ?? 0;
        this.before[row % table.mostRows] = last.get(one) ?? 0;
        last.set(one, row + 1);
      }
      this.linked = to;
      if (to < end) yield;
    }
  }

  /** The linked rows of one database, as row numbers of the table now, oldest first. */
  rowsOf(database: number): readonly number[] {
    const { mostRows, droppedRows } = this.table;
    const rows: number[] = [];
    for (let at = this.last.get(database) ?? 0; at > droppedRows; at = this.before[(at - 1) % mostRows] ?? 0)
      rows.push(at - 1 - droppedRows);
    return rows.reverse();
  }

  /** While no row has gone, places are row numbers. Then there is one place for each row that the table may hold. */
  private reserve(rows: number): void {
    const { mostRows, droppedRows } = this.table;
    const needed = droppedRows > 0 ? mostRows : Math.min(mostRows, rows);
    if (needed <= this.before.length) return;
    const capacity =
      droppedRows > 0
        ? mostRows
        : Math.min(mostRows, Math.max(FIRST_CAPACITY, needed, this.before.length * 2));
    this.before = lengthen(this.before, capacity);
  }
}
