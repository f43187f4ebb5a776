import { identityOf } from '../capture/catalog';
import type { CapturedDatabase } from '../capture/checkpoint-columns';
import { makeRecord } from '../lists';
import { DATABASE_BLOCK_FIGURES, type DatabaseBlock, type InstanceBlock } from './block';
import type { Count } from '../schema';
import type { Steps } from '../steps';
import { WorkBlocks } from './work-blocks';
import { findBreak, subtractInto, type WorkBreak, type WorkBreakKind, type WorkScope } from './work-deltas';
import type {
  CountersReading,
  FileReading,
  FilesReading,
  InstanceReading,
  ServerMoment,
} from './work-readings';
import {
  COUNTER_FIGURES,
  createDatabaseSamples,
  createInstanceSamples,
  DATABASE_FIGURES,
  type DatabaseSamples,
  type DatabaseSampleTable,
  FILE_FIGURES,
  INSTANCE_FIGURES,
  type InstanceSamples,
  type InstanceSampleTable,
  PAGE_FIGURES,
} from './work-samples';

/** Figures of blocks, in the order of the columns of the tables that hold them. */
const INSTANCE_BLOCK_FIGURES = [...PAGE_FIGURES, 'writelogWaits', 'writelogWaitMs'] as const;
const INSTANCE_BLOCK_COLUMNS = INSTANCE_BLOCK_FIGURES.map((name) => INSTANCE_FIGURES.indexOf(name));
/**
 * 400 databases, a quarter of them busy, for 34 days: 28 MB of busy blocks (70 bytes each) and 14 MB of idle ones (14
 * bytes).
 */
const DATABASE_BLOCK_BOUNDS = { mostBlocks: 400_000, mostIdleBlocks: 1_000_000 };
/** Two years; 2.5 MB. */
const INSTANCE_BLOCK_BOUNDS = { mostBlocks: 70_000, mostIdleBlocks: 70_000 };
const MOST_BREAKS = 1_000;
/** Their indexes take two bytes a row. */
export const MOST_SAMPLED_DATABASES = 65_535;
/** About 5 ms. */
const DATABASES_A_STEP = 1_000;
/** In a row of samples of databases, after begin, end and database. */
const FIRST_FIGURE = 3;
const BLOCK_COLUMNS = DATABASE_BLOCK_FIGURES.map((name) => FIRST_FIGURE + DATABASE_FIGURES.indexOf(name));
const NO_COUNTERS = new Float64Array(COUNTER_FIGURES.length).fill(NaN);
/** Bits of a block's `waits`; SQL Server has about 20 values. Names beyond these are not kept. */
const MOST_WAIT_NAMES = 32;

interface CounterPair {
  readonly from: ReadonlyMap<string, Float64Array> | null;
  readonly to: ReadonlyMap<string, Float64Array> | null;
}

/**
 * What a log holds beside the figures in its tables, as it is kept (write-work-bytes.ts). `npm run schemas` makes the
 * schema of it.
 */
export interface WriteWorkHeader {
  readonly databases: readonly CapturedDatabase[];
  readonly waitNames: readonly string[];
  readonly breaks: readonly WorkBreak[];
  readonly tables: readonly { readonly name: string; readonly rows: Count; readonly dropped: Count }[];
}

/** The last two successive readings, if they gave no figure. */
export interface UnusedPair {
  readonly kind: WorkBreakKind;
  /** By the server's clock. */
  readonly fromUtcMs: number;
  readonly toUtcMs: number;
}

/**
 * What was written, as far as two successive readings tell: samples of the last hours, blocks of weeks, and the breaks
 * between them.
 */
export class WriteWorkLog {
  readonly instanceSampleTable = createInstanceSamples();
  readonly databaseSampleTable = createDatabaseSamples();
  readonly instanceBlockTables = new WorkBlocks(INSTANCE_BLOCK_FIGURES, INSTANCE_BLOCK_BOUNDS);
  readonly databaseBlockTables = new WorkBlocks(DATABASE_BLOCK_FIGURES, DATABASE_BLOCK_BOUNDS);
  private readonly databaseList: CapturedDatabase[] = [];
  private readonly indexes = new Map<string, number>();
  private readonly waitNames: string[] = [];
  private breakList: WorkBreak[] = [];
  private lastInstance: InstanceReading | null = null;
  private lastFiles: FilesReading | null = null;
  private lastCounters: CountersReading | null = null;
  private lastByKey = new Map<string, FileReading>();
  /** The first row of the reading that is being taken in, counted with the rows that were dropped. */
  private openFromRow: number | null = null;
  private readonly unused = new Map<WorkScope, UnusedPair>();
  private withdrawals = 0;
  /** One row in the making, of samples and of blocks. It is used again because databases are many. */
  private readonly row = new Float64Array(FIRST_FIGURE + DATABASE_FIGURES.length);
  private readonly blockRow = new Float64Array(DATABASE_BLOCK_FIGURES.length);

  /** In the order of the numbers in the `database` column of samples, and of `databaseBlocks`. */
  get databases(): readonly CapturedDatabase[] {
    return this.databaseList;
  }

  /** Values of log_reuse_wait_desc, by their bit in `waits`. */
  get logReuseWaitNames(): readonly string[] {
    return this.waitNames;
  }

  /** The last thousand breaks, oldest first. */
  get breaks(): readonly WorkBreak[] {
    return this.breakList;
  }

  /** How often recorded rows were removed because the server's clock went back. Rows are counted again from then on. */
  get timesWithdrawn(): number {
    return this.withdrawals;
  }

  /** Why the last reading gave no figure, or not all; null if it gave them, or was the first. */
  unusedPair(scope: WorkScope): UnusedPair | null {
    return this.unused.get(scope) ?? null;
  }

  /** Pages of 8 KB in the cache when it was last read; null if they could not be observed. */
  get databasePages(): number | null {
    return this.lastInstance?.databasePages ?? null;
  }

  /**
   * Databases whose data and log files this login could not tell apart at the last reading. Nothing is recorded for
   * them.
   */
  get untypedDatabases(): number {
    return (this.lastFiles?.databases ?? []).filter(({ untypedFiles }) => (untypedFiles ?? 0) > 0).length;
  }

  /** Views. They stay as they are while more is recorded. */
  instanceSamples(): InstanceSamples {
    return this.instanceSampleTable.columns();
  }

  databaseSamples(): DatabaseSamples {
    return this.databaseSampleTable.columns();
  }

  /**
   * How many samples of databases were ever recorded. A reading is taken in in steps and does not count before the last
   * one.
   */
  get wholeDatabaseRows(): number {
    return this.openFromRow ?? countRows(this.databaseSampleTable);
  }

  /** Does, in steps, what the first look at blocks costs besides those blocks. After it, new records cost little. */
  *prepareBlocks(): Steps<void> {
    yield* this.databaseBlockTables.prepare();
    yield* this.instanceBlockTables.prepare();
  }

  /** Oldest first. */
  instanceBlocks(): readonly InstanceBlock[] {
    return this.instanceBlockTables.list(0).map(({ beginUtcMs, observedMs, figures }) => ({
      beginUtcMs,
      observedMs,
      ...(nameFigures(INSTANCE_BLOCK_FIGURES, figures) as Pick<
        InstanceBlock,
        (typeof INSTANCE_BLOCK_FIGURES)[number]
      >),
    }));
  }

  /** Blocks of one database, oldest first. @param database index into `databases` */
  databaseBlocks(database: number): readonly DatabaseBlock[] {
    return this.databaseBlockTables.list(database).map(({ beginUtcMs, observedMs, figures, waits }) => ({
      beginUtcMs,
      observedMs,
      ...(nameFigures(DATABASE_BLOCK_FIGURES, figures) as Pick<
        DatabaseBlock,
        (typeof DATABASE_BLOCK_FIGURES)[number]
      >),
      logReuseWaits: this.waitNames.filter((_, bit) => (waits & (1 << bit)) !== 0),
    }));
  }

  /** Records what was written between the last reading and this one. @param longestMs that they may be apart */
  appendInstance(after: InstanceReading, longestMs: number): void {
    const before = this.lastInstance;
    this.lastInstance = after;
    this.withdrawBeyond(
      'instance',
      this.instanceSampleTable,
      this.instanceBlockTables,
      before === null,
      after.moment,
    );
    if (before === null || this.endsStretch('instance', before.moment, after.moment, longestMs)) return;
    const figures = new Float64Array(INSTANCE_FIGURES.length);
    const subtract = (from: number, to?: number): boolean =>
      subtractInto(figures, from, before.figures.subarray(from, to), after.figures.subarray(from, to));
    if (!subtract(0, PAGE_FIGURES.length))
      return this.addBreak('counters fell', 'instance', null, before.moment, after.moment);
    const isCleared =
      before.allWaitMs !== null && after.allWaitMs !== null && after.allWaitMs < before.allWaitMs;
    const hasWaits = !isCleared && subtract(PAGE_FIGURES.length);
    if (!hasWaits) figures.fill(NaN, PAGE_FIGURES.length);
    const [beginUtcMs, endUtcMs] = [before.moment.nowUtcMs, after.moment.nowUtcMs];
    this.instanceSampleTable.append([beginUtcMs, endUtcMs, ...figures]);
    const blockRow = INSTANCE_BLOCK_COLUMNS.map((at) => figures[at] ?? NaN);
    // Waits and pages of a block are of the same time: an interval that lacks one of them gives neither.
    if (!hasWaits) this.addBreak('waits cleared', 'instance', null, before.moment, after.moment);
    else this.instanceBlockTables.add(0, beginUtcMs, endUtcMs, blockRow);
  }

  /**
   * Records what was written between the last readings and these, for each database that was open at both and not
   * opened again in between.
   * @param counters null: not read this time
   */
  *appendDatabases(files: FilesReading, counters: CountersReading | null, longestMs: number): Steps<void> {
    const { lastFiles: before, lastByKey: beforeByKey, lastCounters: beforeCounters } = this;
    this.lastFiles = files;
    this.lastCounters = counters;
    this.lastByKey = new Map(files.databases.map((database) => [identityOf(database), database]));
    this.withdrawBeyond(
      'databases',
      this.databaseSampleTable,
      this.databaseBlockTables,
      before === null,
      files.moment,
    );
    const isUnbroken =
      before !== null && !this.endsStretch('databases', before.moment, files.moment, longestMs);
    const isCounted =
      counters !== null &&
      beforeCounters !== null &&
      findBreak(beforeCounters.moment, counters.moment, longestMs) === null;
    const pair = { from: isCounted ? beforeCounters.figures : null, to: isCounted ? counters.figures : null };
    let fallen = 0;
    this.openFromRow = countRows(this.databaseSampleTable);
    for (const [at, database] of files.databases.entries()) {
      if (at % DATABASES_A_STEP === DATABASES_A_STEP - 1) yield;
      const index = this.indexOf(database);
      const known = beforeByKey.get(identityOf(database));
      if (
        !isUnbroken ||
        index === null ||
        known === undefined ||
        known.dataFiles === null ||
        database.dataFiles === null
      )
        continue;
      if (this.subtract(known, database, pair))
        this.record(index, before.moment, files.moment, known, database);
      else fallen++;
    }
    this.openFromRow = null;
    if (fallen > 0 && before !== null)
      this.addBreak('counters fell', 'databases', fallen, before.moment, files.moment);
  }

  /** Restores what an earlier log held, into an empty log. The next readings count as first ones. */
  restoreLists(
    databases: readonly CapturedDatabase[],
    waitNames: readonly string[],
    breaks: readonly WorkBreak[],
  ): void {
    databases.forEach((database, index) => {
      this.databaseList.push(database);
      this.indexes.set(identityOf(database), index);
    });
    this.waitNames.push(...waitNames.slice(0, MOST_WAIT_NAMES));
    this.breakList = breaks.slice(-MOST_BREAKS);
  }

  /**
   * Writes the differences to `row`. A new file counts from its first write on.
   * @returns false if the database was opened again in between, or lost a file: then sums cannot be compared
   */
  private subtract(before: FileReading, after: FileReading, counters: CounterPair): boolean {
    if ((after.dataFiles ?? 0) < (before.dataFiles ?? 0) || (after.logFiles ?? 0) < (before.logFiles ?? 0))
      return false;
    const from = counters.from?.get(before.counterInstance) ?? NO_COUNTERS;
    const to = counters.to?.get(after.counterInstance) ?? NO_COUNTERS;
    return (
      subtractInto(this.row, FIRST_FIGURE, before.figures, after.figures) &&
      subtractInto(this.row, FIRST_FIGURE + FILE_FIGURES.length, from, to)
    );
  }

  private record(
    index: number,
    from: ServerMoment,
    to: ServerMoment,
    before: FileReading,
    after: FileReading,
  ): void {
    const { row, blockRow } = this;
    if (Number.isNaN(row[FIRST_FIGURE])) return;
    row[0] = from.nowUtcMs;
    row[1] = to.nowUtcMs;
    row[2] = index;
    this.databaseSampleTable.append(row);
    for (let at = 0; at < blockRow.length; at++) blockRow[at] = row[BLOCK_COLUMNS[at] ?? 0] ?? NaN;
    const waits = this.bitOf(before.logReuseWait) | this.bitOf(after.logReuseWait);
    this.databaseBlockTables.add(index, from.nowUtcMs, to.nowUtcMs, blockRow, waits);
  }

  private endsStretch(
    scope: WorkScope,
    before: ServerMoment,
    after: ServerMoment,
    longestMs: number,
  ): boolean {
    const kind = findBreak(before, after, longestMs);
    this.unused.delete(scope);
    if (kind !== null) this.addBreak(kind, scope, null, before, after);
    return kind !== null;
  }

  /**
   * No record lies ahead of the server's clock. If the clock went back, records of the time that comes again are
   * removed, so that the two are never mixed and records stay in order of time.
   */
  private withdrawBeyond(
    scope: WorkScope,
    samples: InstanceSampleTable | DatabaseSampleTable,
    blocks: { withdrawBeyond(utcMs: number): void },
    isFirst: boolean,
    now: ServerMoment,
  ): void {
    const { rows, endUtcMs } = samples.columns();
    const lastUtcMs = endUtcMs[rows - 1] ?? -Infinity;
    if (lastUtcMs <= now.nowUtcMs) return;
    samples.withdraw((row) => (endUtcMs[row] ?? 0) > now.nowUtcMs);
    blocks.withdrawBeyond(now.nowUtcMs);
    this.withdrawals++;
    // If two readings of this window show it, the break is added from them.
    if (isFirst) this.addBreak('clock set back', scope, null, { ...now, nowUtcMs: lastUtcMs }, now);
  }

  private addBreak(
    kind: WorkBreakKind,
    scope: WorkScope,
    databases: number | null,
    from: ServerMoment,
    to: ServerMoment,
  ): void {
    const beginUtcMs = Math.min(from.nowUtcMs, to.nowUtcMs);
    const endUtcMs = Math.max(from.nowUtcMs, to.nowUtcMs);
    const fresh = { kind, scope, databases, beginUtcMs, endUtcMs };
    this.unused.set(scope, { kind, fromUtcMs: from.nowUtcMs, toUtcMs: to.nowUtcMs });
    const last = this.breakList[this.breakList.length - 1];
    // A database that is opened again and again is one long break, so that it does not push others off the list.
    const goesOn =
      last !== undefined && last.kind === kind && last.scope === scope && last.endUtcMs === beginUtcMs;
    const kept = goesOn ? this.breakList.slice(0, -1) : this.breakList.slice(1 - MOST_BREAKS);
    const most =
      last?.databases == null || databases === null ? databases : Math.max(last.databases, databases);
    this.breakList = [...kept, goesOn ? { ...fresh, beginUtcMs: last.beginUtcMs, databases: most } : fresh];
  }

  /** null if no more databases fit: then this one is not recorded. */
  private indexOf(database: FileReading): number | null {
    const { databaseId, createdLocal, name } = database;
    const key = identityOf(database);
    const index = this.indexes.get(key) ?? this.databaseList.length;
    if (index >= MOST_SAMPLED_DATABASES) return null;
    if (this.databaseList[index]?.name !== name)
      this.databaseList[index] = { databaseId, createdLocal, name };
    this.indexes.set(key, index);
    return index;
  }

  private bitOf(wait: string | null): number {
    if (wait === null) return 0;
    const known = this.waitNames.indexOf(wait);
    if (known < 0 && this.waitNames.length >= MOST_WAIT_NAMES) return 0;
    return 1 << (known < 0 ? this.waitNames.push(wait) - 1 : known);
  }
}

function countRows({ rows, droppedRows }: { readonly rows: number; readonly droppedRows: number }): number {
  return droppedRows + rows;
}

function nameFigures<N extends string>(names: readonly N[], figures: Float64Array): Record<N, number | null> {
  return makeRecord(names, (_, at) => (Number.isNaN(figures[at]) ? null : (figures[at] ?? null)));
}
