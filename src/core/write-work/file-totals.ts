/**
 * Writes to the files of all databases together, of one reading or one block. They give the average latency of a write
 * on the whole instance.
 */
import type { WriteWorkLog } from './write-work-log';
import { BLOCK_MS, type InstanceBlock } from './block';
import type { DatabaseSamples } from './work-samples';

export interface FileTotals {
  readonly dataWrites: number;
  readonly dataStallMs: number;
  readonly logWrites: number;
  readonly logStallMs: number;
  readonly logBytes: number;
}

/** The totals over the samples of one reading, whose rows follow each other. */
interface FileGroup extends FileTotals {
  readonly beginUtcMs: number;
  readonly endUtcMs: number;
}

export const NO_TOTALS: FileTotals = {
  dataWrites: 0,
  dataStallMs: 0,
  logWrites: 0,
  logStallMs: 0,
  logBytes: 0,
};

/** Average milliseconds of one of this many writes; NaN if there was none. */
export function averageOf(stallMs: number, writes: number): number {
  return writes > 0 ? stallMs / writes : NaN;
}

/** Goes through the samples of databases in order of time, reading by reading. */
export class FileGroups {
  private readonly samples: DatabaseSamples;
  private readonly droppedRows: number;
  /** How many rows belong to readings that are complete. */
  private readonly rows: number;
  private from: number;
  private to: number;
  private group: FileGroup | null;

  /** @param fromRow counted with the rows that the log dropped */
  constructor(log: WriteWorkLog, fromRow: number) {
    this.samples = log.databaseSamples();
    this.droppedRows = log.databaseSampleTable.droppedRows;
    this.rows = Math.max(0, log.wholeDatabaseRows - this.droppedRows);
    this.from = Math.max(0, fromRow - this.droppedRows);
    [this.to, this.group] = this.addUp();
  }

  /** First row of the current reading, counted with the rows that were dropped. */
  get row(): number {
    return this.droppedRows + this.from;
  }

  /** End of the last reading; -Infinity if there is none. */
  get lastEndUtcMs(): number {
    return this.rows === 0 ? -Infinity : (this.samples.endUtcMs[this.rows - 1] ?? -Infinity);
  }

  /** Goes on to the first reading that ends after a time. */
  advanceBehind(utcMs: number): FileGroup | null {
    while (this.group !== null && this.group.endUtcMs <= utcMs) {
      this.from = this.to;
      [this.to, this.group] = this.addUp();
    }
    return this.group;
  }

  private addUp(): [to: number, group: FileGroup | null] {
    const { samples, rows, from } = this;
    if (from >= rows) return [from, null];
    const [beginUtcMs = 0, endUtcMs = 0] = [samples.beginUtcMs[from], samples.endUtcMs[from]];
    const sums = { ...NO_TOTALS };
    let at = from;
    for (; at < rows && samples.beginUtcMs[at] === beginUtcMs; at++) {
      sums.dataWrites += samples.dataWrites[at] ?? 0;
      sums.dataStallMs += samples.dataWriteStallMs[at] ?? 0;
      sums.logWrites += samples.logWrites[at] ?? 0;
      sums.logStallMs += samples.logWriteStallMs[at] ?? 0;
      sums.logBytes += samples.logWrittenBytes[at] ?? 0;
    }
    return [at, { beginUtcMs, endUtcMs, ...sums }];
  }
}

/** The totals of one block, and how much of it was observed of the databases that wrote in it. */
export interface BlockTotals extends FileTotals {
  readonly beginUtcMs: number;
  /** Milliseconds, of the database that was observed longest. */
  readonly observedMs: number;
}

/** The totals of every block in which a database wrote, by the number of the block. */
export function addUpBlocks({ databaseBlockTables }: WriteWorkLog): ReadonlyMap<number, BlockTotals> {
  const totals = new Map<
    number,
    { -readonly [K in keyof BlockTotals]: number } & { ownMs: number; database: number }
  >();
  const none = { observedMs: 0, ownMs: 0, database: -1, ...NO_TOTALS };
  for (const table of [databaseBlockTables.busy, databaseBlockTables.listOpen()]) {
    const {
      rows,
      block,
      database,
      observedMs,
      dataWrites,
      dataWriteStallMs,
      logWrites,
      logWriteStallMs,
      logWrittenBytes,
    } = table.columns();
    let [last, sums] = [NaN, { beginUtcMs: 0, ...none }];
    for (let row = 0; row < rows; row++) {
      const number = block[row] ?? 0;
      // Blocks of one quarter of an hour follow each other: looking each up would cost more than adding.
      if (number !== last) {
        sums = totals.get(number) ?? { beginUtcMs: number * BLOCK_MS, ...none };
        totals.set(number, sums);
        last = number;
      }
      // A block that a restart of the window split has two rows of one database.
      const ownMs = (observedMs[row] ?? 0) + (database[row] === sums.database ? sums.ownMs : 0);
      if (ownMs > sums.observedMs)
        [sums.observedMs, sums.ownMs, sums.database] = [ownMs, ownMs, database[row] ?? 0];
      sums.dataWrites += dataWrites[row] ?? 0;
      sums.dataStallMs += dataWriteStallMs[row] ?? 0;
      sums.logWrites += logWrites[row] ?? 0;
      sums.logStallMs += logWriteStallMs[row] ?? 0;
      sums.logBytes += logWrittenBytes[row] ?? 0;
    }
  }
  return totals;
}

/** Two counts of a block are compared only if what was observed of each differs by less than this part of the block. */
const MOST_APART = 0.2;

/** The blocks of which nearly the same time was observed of the instance and of the databases, each with both. */
export function pairBlocks(
  instance: readonly InstanceBlock[],
  databases: readonly BlockTotals[],
): readonly { readonly instance: InstanceBlock; readonly files: BlockTotals }[] {
  const byBegin = new Map(databases.map((files) => [files.beginUtcMs, files]));
  return instance.flatMap((block) => {
    const files = byBegin.get(block.beginUtcMs);
    const isSame =
      files !== undefined && Math.abs(files.observedMs - block.observedMs) < MOST_APART * BLOCK_MS;
    return isSame ? [{ instance: block, files }] : [];
  });
}
