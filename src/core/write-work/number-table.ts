/** How a column is held: 8, 4 or 2 bytes a row. Only `f64` can hold NaN, which means "could not be observed". */
export type NumberKind = 'f64' | 'u32' | 'u16';
export type NumberColumn = Float64Array | Uint32Array | Uint16Array;

type NumberColumns<N extends string> = { readonly rows: number } & { readonly [K in N]: NumberColumn };

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
  private columnsByName: Record<N, NumberColumn>;
  private count = 0;
  private capacity = 0;
  private dropped = 0;

  constructor(
    readonly kinds: Readonly<Record<N, NumberKind>>,
    readonly mostRows: number,
  ) {
    this.names = Object.keys(kinds) as N[];
    this.columnsByName = this.allocate(0);
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
    const columns: Record<string, number | NumberColumn> = { rows: this.count };
    for (const name of this.names) columns[name] = this.columnsByName[name].subarray(0, this.count);
    return columns as unknown as NumberColumns<N>;
  }

  /** @param row in the order of the columns */
  append(row: ArrayLike<number>): void {
    if (this.count === this.mostRows) this.resize(this.mostRows, Math.ceil(this.mostRows / DROPPED_SHARE));
    else if (this.count === this.capacity)
      this.resize(Math.min(this.mostRows, Math.max(FIRST_CAPACITY, this.capacity * 2)), 0);
    for (let at = 0; at < this.names.length; at++)
      this.columnsByName[this.names[at] as N][this.count] = row[at] ?? NaN;
    this.count++;
  }

  /** Removes rows that turned out not to count. @returns whether there were any */
  withdraw(isWithdrawn: (row: number) => boolean): boolean {
    const staying: number[] = [];
    let first = 0;
    while (first < this.count && !isWithdrawn(first)) first++;
    if (first === this.count) return false;
    for (let row = first + 1; row < this.count; row++) if (!isWithdrawn(row)) staying.push(row);
    const fresh = this.allocate(this.capacity);
    for (const name of this.names) {
      const column = this.columnsByName[name];
      fresh[name].set(column.subarray(0, first));
      for (let at = 0; at < staying.length; at++)
        fresh[name][first + at] = column[staying[at] as number] as number;
    }
    this.columnsByName = fresh;
    this.count = first + staying.length;
    return true;
  }

  /** Restores rows of an earlier table, no more than fit, into an empty table. The columns become its own. */
  restore(rows: number, columns: Readonly<Record<N, NumberColumn>>, droppedRows: number): void {
    this.count = this.capacity = rows;
    this.columnsByName = { ...columns };
    this.dropped = droppedRows;
  }

  /** Always makes new arrays, so that views given out before stay as they were. */
  private resize(capacity: number, droppedRows: number): void {
    const fresh = this.allocate(capacity);
    for (const name of this.names)
      fresh[name].set(this.columnsByName[name].subarray(droppedRows, this.count));
    this.columnsByName = fresh;
    this.capacity = capacity;
    this.count -= droppedRows;
    this.dropped += droppedRows;
  }

  private allocate(capacity: number): Record<N, NumberColumn> {
    const columns: Partial<Record<N, NumberColumn>> = {};
    for (const name of this.names) columns[name] = allocateColumn(this.kinds[name], capacity);
    return columns as Record<N, NumberColumn>;
  }
}

export function allocateColumn(kind: NumberKind, rows: number): NumberColumn {
  return new ARRAYS[kind](rows);
}
