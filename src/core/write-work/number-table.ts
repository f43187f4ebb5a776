import { makeRecord } from '../lists';

/** How a column is held: 8, 4 or 2 bytes a row. Only `f64` can hold NaN, which means "could not be observed". */
export type NumberKind = 'f64' | 'u32' | 'u16';
export type NumberColumn = Float64Array | Uint32Array | Uint16Array;

export type NumberColumns<N extends string> = { readonly rows: number } & Readonly<Record<N, NumberColumn>>;

/** A table whose columns are known by name only when it is read. */
export type AnyTable = Omit<NumberTable<string>, 'kinds' | 'columns'>;

const FIRST_CAPACITY = 256;
/** When the table is full, one row in eight is dropped at once, so that rows are moved rarely. */
const DROPPED_SHARE = 8;
const ARRAYS = { f64: Float64Array, u32: Uint32Array, u16: Uint16Array };

/**
 * Rows of numbers as typed columns. Rows are only added at the end; some can be withdrawn. When it is full, the oldest
 * rows go and are counted.
 */
export class NumberTable<N extends string> {
  readonly names: readonly N[];
  /** In the order of the names. */
  private list: readonly NumberColumn[];
  private count = 0;
  private capacity = 0;
  private dropped = 0;

  constructor(
    readonly kinds: Readonly<Record<N, NumberKind>>,
    readonly mostRows: number,
  ) {
    this.names = Object.keys(kinds) as N[];
    this.list = this.allocate(0);
  }

  get rows(): number {
    return this.count;
  }

  /** How many rows had to go because the table was full. */
  get droppedRows(): number {
    return this.dropped;
  }

  get bytesHeld(): number {
    return this.capacity * this.bytesPerRow;
  }

  get bytesPerRow(): number {
    return this.names.reduce((sum, name) => sum + ARRAYS[this.kinds[name]].BYTES_PER_ELEMENT, 0);
  }

  /** Views without copying. They stay true while rows are appended, dropped or withdrawn, but do not show it. */
  columns(): NumberColumns<N> {
    const views = this.views();
    return { rows: this.count, ...makeRecord(this.names, (_, at) => views[at] as NumberColumn) };
  }

  /** The same in the order of the names. */
  views(): readonly NumberColumn[] {
    return this.list.map((column) => column.subarray(0, this.count));
  }

  /** The same of one column; undefined: there is none of that name. */
  column(name: string): NumberColumn | undefined {
    return this.list[this.names.findIndex((each) => each === name)]?.subarray(0, this.count);
  }

  /** @param row in the order of the columns */
  append(row: ArrayLike<number>): void {
    if (this.count === this.mostRows) this.resize(this.mostRows, Math.ceil(this.mostRows / DROPPED_SHARE));
    else if (this.count === this.capacity)
      this.resize(Math.min(this.mostRows, Math.max(FIRST_CAPACITY, this.capacity * 2)), 0);
    for (let at = 0; at < this.list.length; at++)
      (this.list[at] as NumberColumn)[this.count] = row[at] ?? NaN;
    this.count++;
  }

  /** Removes rows that turned out not to count. @returns whether there were any */
  withdraw(isWithdrawn: (row: number) => boolean): boolean {
    const staying: number[] = [];
    let first = 0;
    while (first < this.count && !isWithdrawn(first)) first++;
    if (first === this.count) return false;
    for (let row = first + 1; row < this.count; row++) if (!isWithdrawn(row)) staying.push(row);
    this.list = this.list.map((column) => {
      const fresh = column.slice();
      staying.forEach((row, at) => (fresh[first + at] = column[row] ?? NaN));
      return fresh;
    });
    this.count = first + staying.length;
    return true;
  }

  /**
   * Restores rows of an earlier table, no more than fit, into an empty table. The columns, in the order of the names,
   * become its own.
   */
  restore(rows: number, columns: readonly NumberColumn[], droppedRows: number): void {
    this.count = this.capacity = rows;
    this.list = columns;
    this.dropped = droppedRows;
  }

  /** Columns for that many rows, in the order of the names. */
  allocate(rows: number): readonly NumberColumn[] {
    return this.names.map((name) => new ARRAYS[this.kinds[name]](rows));
  }

  /** Always makes new arrays, so that views given out before stay as they were. */
  private resize(capacity: number, droppedRows: number): void {
    const fresh = this.allocate(capacity);
    this.list.forEach((column, at) => fresh[at]?.set(column.subarray(droppedRows, this.count)));
    this.list = fresh;
    this.capacity = capacity;
    this.count -= droppedRows;
    this.dropped += droppedRows;
  }
}
