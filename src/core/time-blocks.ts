import { lengthen } from './number-columns';

const BLOCK_BITS = 10;
const ROWS_PER_BLOCK = 1 << BLOCK_BITS;
const FIRST_CAPACITY = 16;

/**
 * The earliest and the latest time in each thousand rows. Rows are appended nearly in order of time, so the blocks show
 * which few rows have to be looked at. They cost 16 bytes for a thousand rows.
 */
export class TimeBlocks {
  private firstUtcMs = new Float64Array(FIRST_CAPACITY);
  private lastUtcMs = new Float64Array(FIRST_CAPACITY);
  private count = 0;

  get bytesHeld(): number {
    return this.firstUtcMs.byteLength * 2;
  }

  /** Takes the next row, with its first and last time. */
  append(row: number, fromUtcMs: number, toUtcMs: number): void {
    const block = row >>> BLOCK_BITS;
    if (block === this.count) this.begin();
    if (fromUtcMs < (this.firstUtcMs[block] as number)) this.firstUtcMs[block] = fromUtcMs;
    if (toUtcMs > (this.lastUtcMs[block] as number)) this.lastUtcMs[block] = toUtcMs;
  }

  /**
   * Visits stretches of the first `rows` rows, in order. Together they hold every row that touches the time, both ends
   * included.
   */
  visit(
    rows: number,
    fromUtcMs: number,
    toUtcMs: number,
    visit: (fromRow: number, toRow: number) => void,
  ): void {
    for (let block = 0; block < this.count; block++) {
      if ((this.lastUtcMs[block] as number) < fromUtcMs || (this.firstUtcMs[block] as number) > toUtcMs)
        continue;
      const fromRow = block * ROWS_PER_BLOCK;
      if (fromRow < rows) visit(fromRow, Math.min(rows, fromRow + ROWS_PER_BLOCK));
    }
  }

  private begin(): void {
    if (this.count === this.firstUtcMs.length) {
      this.firstUtcMs = lengthen(this.firstUtcMs, this.count * 2);
      this.lastUtcMs = lengthen(this.lastUtcMs, this.count * 2);
    }
    this.firstUtcMs[this.count] = Infinity;
    this.lastUtcMs[this.count] = -Infinity;
    this.count++;
  }
}
