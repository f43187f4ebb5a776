/**
 * Adds up figures of intervals in quarter-hour blocks. An interval that crosses the border of two blocks is split in
 * proportion to time. So nothing is lost or counted twice, and no more than one interval's figures can be on the wrong
 * side. Samples are taken as close to the borders as possible (monitor/facts/write-work-sampling.ts), so only a
 * fraction of a second is split.
 *
 *     12:14:30        12:15:00 border     12:15:30        an interval of 60 s: half of each figure to either block
 */
import { BLOCK_MS } from './block';
import { type AnyTable, type NumberColumn, type NumberKind, NumberTable } from './number-table';
import { makeRecord } from '../lists';
import { finishSteps, type Steps, ROWS_A_STEP } from '../steps';
import { lengthen } from '../number-columns';

/** 14 bytes a row, for databases that wrote nothing. On a server of many databases most blocks are of this kind. */
const IDLE_KINDS = {
  block: 'u32',
  observedMs: 'u32',
  waits: 'u32',
  database: 'u16',
} as const satisfies Record<string, NumberKind>;
type IdleColumn = keyof typeof IDLE_KINDS;

/**
 * One block of one database, or of the instance; `figures` in the order in which they were given. NaN: not observed
 * throughout.
 */
interface WorkBlock {
  readonly beginUtcMs: number;
  readonly observedMs: number;
  readonly figures: Float64Array;
  /** One bit for each kind of wait that its samples saw. */
  readonly waits: number;
}

interface OpenBlock {
  block: number;
  observedMs: number;
  readonly figures: Float64Array;
  waits: number;
}

type BlockColumns = Readonly<Record<'block' | 'observedMs' | 'waits', NumberColumn>>;

interface BlockBounds {
  readonly mostBlocks: number;
  readonly mostIdleBlocks: number;
}

/** Weeks of blocks, bounded; the oldest go first. A block that was left and entered again is joined when it is read. */
export class WorkBlocks<F extends string> {
  readonly busy: NumberTable<IdleColumn | F>;
  readonly idle: NumberTable<IdleColumn>;
  private readonly open = new Map<number, OpenBlock>();
  private busyChains: RowChains;
  private idleChains: RowChains;

  constructor(
    private readonly names: readonly F[],
    bounds: BlockBounds,
  ) {
    const figures = makeRecord(names, (): NumberKind => 'f64');
    this.busy = new NumberTable<IdleColumn | F>({ ...IDLE_KINDS, ...figures }, bounds.mostBlocks);
    this.idle = new NumberTable<IdleColumn>(IDLE_KINDS, bounds.mostIdleBlocks);
    this.busyChains = new RowChains(this.busy);
    this.idleChains = new RowChains(this.idle);
  }

  /** Does, in steps, what the first `list` costs beside its own rows. After it, new rows cost little. */
  *prepare(): Steps<void> {
    yield* this.busyChains.link();
    yield* this.idleChains.link();
  }

  /**
   * Adds the figures of one interval.
   * @param figures NaN if not observed: then the figure of the whole block is not observed
   */
  add(database: number, beginUtcMs: number, endUtcMs: number, figures: ArrayLike<number>, waits = 0): void {
    for (let from = beginUtcMs; from < endUtcMs;) {
      const block = Math.floor(from / BLOCK_MS);
      const to = Math.min(endUtcMs, (block + 1) * BLOCK_MS);
      this.addPart(
        this.openBlock(database, block),
        to - from,
        (to - from) / (endUtcMs - beginUtcMs),
        figures,
        waits,
      );
      from = to;
    }
  }

  /** Removes the blocks that reach beyond a time. What is added to them later begins again. */
  withdrawBeyond(utcMs: number): void {
    const isBeyond = (block = 0): boolean => (block + 1) * BLOCK_MS > utcMs;
    for (const [database, { block }] of this.open) if (isBeyond(block)) this.open.delete(database);
    const { block: busy } = this.busy.columns();
    if (this.busy.withdraw((row) => isBeyond(busy[row]))) this.busyChains = new RowChains(this.busy);
    const { block: idle } = this.idle.columns();
    if (this.idle.withdraw((row) => isBeyond(idle[row]))) this.idleChains = new RowChains(this.idle);
  }

  /**
   * The blocks that are being filled, as a table of their own: the two others do not hold them yet.
   * @param mostRows of the table; null: enough for all
   */
  listOpen(mostRows: number | null = null): NumberTable<IdleColumn | F> {
    const table = new NumberTable<IdleColumn | F>(this.busy.kinds, mostRows ?? this.open.size);
    for (const [database, { block, observedMs, figures, waits }] of this.open)
      table.append([block, observedMs, waits >>> 0, database, ...figures]);
    return table;
  }

  /** Restores such rows as closed blocks. What is added to the same block later joins them when they are read. */
  restoreOpen(table: NumberTable<IdleColumn | F>): void {
    const columns = table.columns();
    for (let row = 0; row < columns.rows; row++) {
      const figures = Float64Array.from(this.names, (name) => columns[name][row] ?? NaN);
      this.close(columns.database[row] ?? 0, { ...rowOf(columns, row), figures });
    }
  }

  /** Begin of the oldest block that is still whole; -Infinity if none had to go. */
  get keptFromUtcMs(): number {
    return Math.max(firstWhole(this.busy), firstWhole(this.idle)) * BLOCK_MS;
  }

  /** The blocks of one database, oldest first. */
  list(database: number): readonly WorkBlock[] {
    finishSteps(this.prepare());
    const found = new Map<number, OpenBlock>();
    const busy = this.busy.columns();
    const idle = this.idle.columns();
    const columns = this.names.map((name) => busy[name]);
    const figures = new Float64Array(this.names.length);
    const merge = (
      { block, observedMs, waits }: Omit<OpenBlock, 'figures'>,
      added: ArrayLike<number>,
    ): void => {
      let into = found.get(block);
      if (into === undefined) found.set(block, (into = this.createBlock(block)));
      this.addPart(into, observedMs, 1, added, waits);
    };
    for (const row of this.idleChains.rowsOf(database)) merge(rowOf(idle, row), figures);
    for (const row of this.busyChains.rowsOf(database)) {
      for (let at = 0; at < figures.length; at++) figures[at] = columns[at]?.[row] ?? 0;
      merge(rowOf(busy, row), figures);
    }
    const open = this.open.get(database);
    if (open !== undefined) merge(open, open.figures);
    const keptFromUtcMs = this.keptFromUtcMs;
    return [...found.values()]
      .filter(({ block }) => block * BLOCK_MS >= keptFromUtcMs)
      .sort((a, b) => a.block - b.block)
      .map(({ block, observedMs, figures, waits }) => ({
        beginUtcMs: block * BLOCK_MS,
        observedMs,
        figures,
        waits: waits >>> 0,
      }));
  }

  private openBlock(database: number, block: number): OpenBlock {
    const open = this.open.get(database);
    if (open?.block === block) return open;
    if (open !== undefined) this.close(database, open);
    const fresh = this.createBlock(block);
    this.open.set(database, fresh);
    return fresh;
  }

  private createBlock(block: number): OpenBlock {
    return { block, observedMs: 0, figures: new Float64Array(this.names.length), waits: 0 };
  }

  private addPart(
    into: OpenBlock,
    observedMs: number,
    share: number,
    figures: ArrayLike<number>,
    waits: number,
  ): void {
    into.observedMs += observedMs;
    into.waits |= waits;
    for (let at = 0; at < into.figures.length; at++)
      into.figures[at] = (into.figures[at] ?? 0) + (figures[at] ?? NaN) * share;
  }

  private close(database: number, { block, observedMs, figures, waits }: OpenBlock): void {
    const row = [block, observedMs, waits >>> 0, database];
    if (figures.every((figure) => figure === 0)) this.idle.append(row);
    else this.busy.append([...row, ...figures]);
  }
}

function rowOf({ block, observedMs, waits }: BlockColumns, row: number): Omit<OpenBlock, 'figures'> {
  return { block: block[row] ?? 0, observedMs: observedMs[row] ?? 0, waits: waits[row] ?? 0 };
}

/** Rows go in order of time, so every row that went was of the first block left, or of an older one. */
function firstWhole(table: AnyTable): number {
  return table.droppedRows === 0 ? -Infinity : (table.column('block')?.[0] ?? 0) + 1;
}

const FIRST_CAPACITY = 256;

/**
 * Links each row of a bounded table to the previous row of the same database, so that its rows are found without a look
 * at others. 4 bytes a row. Rows are linked when they are asked for, and then only new ones.
 *   database    7  3  7  7  3
 *   before it   -  -  0  2  1         and the last of 7 is 3, of 3 is 4
 */
class RowChains {
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
