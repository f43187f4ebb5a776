/** Writes to the files of all databases together, of one reading or one block. They give the average latency of a write on the whole instance. */
import type { WriteWorkLog } from './write-work-log';
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

export const NO_TOTALS: FileTotals = { dataWrites: 0, dataStallMs: 0, logWrites: 0, logStallMs: 0, logBytes: 0 };

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

/** The totals of every block in which a database wrote, by the number of the block. */
export function addUpBlocks({ databaseBlockTables }: WriteWorkLog): ReadonlyMap<number, FileTotals> {
  const totals = new Map<number, { -readonly [K in keyof FileTotals]: number }>();
  for (const table of [databaseBlockTables.busy, databaseBlockTables.listOpen()]) {
    const { rows, block, dataWrites, dataWriteStallMs, logWrites, logWriteStallMs, logWrittenBytes } = table.columns();
    let [last, sums] = [NaN, { ...NO_TOTALS }];
    for (let row = 0; row < rows; row++) {
      const number = block[row] ?? 0;
      // Blocks of one quarter of an hour follow each other: looking each up would cost more than adding.
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
