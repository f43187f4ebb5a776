/** Writes to the files of all databases together, of one reading or one block: what the average latency of a write on the whole instance is made of. */
import type { WriteWorkLog } from './write-work-log';
import type { DatabaseSamples } from './work-samples';

export interface FileTotals {
  readonly dataWrites: number;
  readonly dataStallMs: number;
  readonly logWrites: number;
  readonly logStallMs: number;
  readonly logBytes: number;
}

/** The totals over the samples of one reading, which stand together. */
interface FileGroup extends FileTotals {
  readonly beginUtcMs: number;
  readonly endUtcMs: number;
}

export const NO_TOTALS: FileTotals = { dataWrites: 0, dataStallMs: 0, logWrites: 0, logStallMs: 0, logBytes: 0 };

/** Average milliseconds of one of this many writes; NaN where there was none. */
export function averageOf(stallMs: number, writes: number): number {
  return writes > 0 ? stallMs / writes : NaN;
}

/** Goes through the samples of databases in order of time, one reading after the other. */
export class FileGroups {
  private readonly samples: DatabaseSamples;
  private readonly droppedRows: number;
  /** Rows of readings that were taken in as a whole. */
  private readonly rows: number;
  private from: number;
  private to: number;
  private group: FileGroup | null;

  /** @param fromRow counted with those that the log dropped */
  constructor(log: WriteWorkLog, fromRow: number) {
    this.samples = log.databaseSamples();
    this.droppedRows = log.databaseSampleTable.droppedRows;
    this.rows = Math.max(0, log.wholeDatabaseRows - this.droppedRows);
    this.from = Math.max(0, fromRow - this.droppedRows);
    [this.to, this.group] = this.addUp();
  }

  /** First row of the current one, counted with those that were dropped. */
  get row(): number {
    return this.droppedRows + this.from;
  }

  /** End of the last reading; -Infinity where there is none. */
  get lastEndUtcMs(): number {
    return this.rows === 0 ? -Infinity : (this.samples.endUtcMs[this.rows - 1] ?? -Infinity);
  }

  /** Goes on to the first one that ends behind a time. */
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

/** The totals of every block in which a database wrote, by number of the block. */
export function addUpBlocks({ databaseBlockTables }: WriteWorkLog): ReadonlyMap<number, FileTotals> {
  const totals = new Map<number, { -readonly [K in keyof FileTotals]: number }>();
  for (const table of [databaseBlockTables.busy, databaseBlockTables.listOpen()]) {
    const { rows, block, dataWrites, dataWriteStallMs, logWrites, logWriteStallMs, logWrittenBytes } = table.columns();
    let [last, sums] = [NaN, { ...NO_TOTALS }];
    for (let row = 0; row < rows; row++) {
      const number = block[row] ?? 0;
      // Blocks of one quarter of an hour stand together: a look-up for each of them would cost more than the sums.
      if (number !== last) {
        sums = totals.get(number) ?? { ...NO_TOTALS };
        totals.set(number, sums);
        last = number;
      }
      sums.dataWrites += dataWrites[row] ?? 0;
      sums.dataStallMs += dataWriteStallMs[row] ?? 0;
      sums.logWrites += logWrites[row] ?? 0;
      sums.logStallMs += logWriteStallMs[row] ?? 0;
      sums.logBytes += logWrittenBytes[row] ?? 0;
    }
  }
  return totals;
}
