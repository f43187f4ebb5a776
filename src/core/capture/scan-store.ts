import { SCAN_COLUMNS, type ScanColumns } from './capture-state';
import type { CheckpointStore } from './checkpoint-store';
import type { ScanEvent } from '../events/event';
import { type Handovers, NOBODY } from './handovers';
import { addToList } from '../lists';

const FIRST_CAPACITY = 16;
/** Event times and the elapsed time are cut to milliseconds. */
const CLOCK_MS = 2;

/** A scan of the buffer pool as it is listed. */
export interface BufferPoolScan {
  /** Index into the capture's databases; null if the scan was not for one, or it is not known for which. */
  readonly database: number | null;
  readonly beginUtcMs: number;
  readonly elapsedMs: number;
  /** null if the event has no such field. */
  readonly command: string | null;
  readonly operation: string | null;
  readonly scannedBuffers: number | null;
  readonly iteratedBuffers: number | null;
  /** From SQL Server 2022. */
  readonly parallelTasks: number | null;
  /** Row of the checkpoint of its database that the scan lies within; null if there is none, or more than one. */
  readonly checkpoint: number | null;
}

/** Scans of the buffer pool in columns: on a large server each checkpoint has a scan. */
export class ScanStore {
  private columns: ScanColumns = createScanColumns(FIRST_CAPACITY);
  private readonly texts: string[] = [];
  /** Rows by time, made at the first scan that is not later than all others: it may be read a second time. */
  private byTime: Map<number, number[]> | null = null;
  private lastUtcMs = -Infinity;

  get count(): number {
    return this.columns.rows;
  }

  /** Takes a scan; false if it was read before. */
  append(scan: ScanEvent, database: number | null): boolean {
    if (scan.atUtcMs <= this.lastUtcMs && this.holds(scan, database)) return false;
    const row = this.columns.rows;
    if (row === this.columns.database.length) this.columns = copyColumns(this.columns, row * 2);
    const { columns } = this;
    columns.endUtcMs[row] = scan.atUtcMs;
    columns.elapsedMs[row] = scan.elapsedMs;
    columns.database[row] = database ?? NOBODY;
    columns.scannedBuffers[row] = scan.scannedBuffers ?? NaN;
    columns.iteratedBuffers[row] = scan.iteratedBuffers ?? NaN;
    columns.parallelTasks[row] = scan.parallelTasks ?? NaN;
    columns.command[row] = this.numberOf(scan.command);
    columns.operation[row] = this.numberOf(scan.operation);
    this.columns = { ...columns, rows: row + 1 };
    this.lastUtcMs = Math.max(this.lastUtcMs, scan.atUtcMs);
    if (this.byTime !== null) addToList(this.byTime, scan.atUtcMs, row);
    return true;
  }

  /** Lists rows `from` to `to`, each with its checkpoint. */
  list(store: CheckpointStore, from = 0, to = this.columns.rows): readonly BufferPoolScan[] {
    const scans: BufferPoolScan[] = [];
    for (let row = from; row < Math.min(to, this.columns.rows); row++) scans.push(this.at(row, store));
    return scans;
  }

  /** Gives scans to the databases that have their ids now. Views given out before stay as they were. */
  reassign(handovers: Handovers): void {
    const { rows, endUtcMs } = this.columns;
    const database = this.columns.database.slice();
    for (let row = 0; row < rows; row++) {
      const end = endUtcMs[row] as number;
      database[row] = handovers.databaseOf(database[row] as number, end, end);
    }
    this.columns = { ...this.columns, database };
  }

  /** A view of the columns, and what the numbers in them mean. */
  keep(): { readonly scans: ScanColumns; readonly scanTexts: readonly string[] } {
    return { scans: this.columns, scanTexts: this.texts };
  }

  /** Restores what `keep` gave, into an empty store. */
  restore(scans: ScanColumns, texts: readonly string[]): void {
    this.columns = copyColumns(scans, Math.max(FIRST_CAPACITY, scans.rows));
    this.texts.push(...texts);
    for (let row = 0; row < scans.rows; row++) this.lastUtcMs = Math.max(this.lastUtcMs, scans.endUtcMs[row] as number);
  }

  private at(row: number, store: CheckpointStore): BufferPoolScan {
    const { columns, texts } = this;
    const [endUtcMs, elapsedMs, database] = [
      columns.endUtcMs[row] as number,
      columns.elapsedMs[row] as number,
      columns.database[row] as number,
    ];
    return {
      database: database === NOBODY ? null : database,
      beginUtcMs: endUtcMs - elapsedMs,
      elapsedMs,
      command: texts[(columns.command[row] as number) - 1] ?? null,
      operation: texts[(columns.operation[row] as number) - 1] ?? null,
      scannedBuffers: readNumber(columns.scannedBuffers[row]),
      iteratedBuffers: readNumber(columns.iteratedBuffers[row]),
      parallelTasks: readNumber(columns.parallelTasks[row]),
      checkpoint: findEnclosing(store, database, endUtcMs - elapsedMs, endUtcMs),
    };
  }

  /** The number of a text; 0 means none, and is given also if no number is left. */
  private numberOf(text: string | null): number {
    if (text === null) return 0;
    const at = this.texts.indexOf(text);
    if (at >= 0 || this.texts.length >= 1000) return at + 1;
    return this.texts.push(text.slice(0, 200));
  }

  private holds(scan: ScanEvent, database: number | null): boolean {
    const { columns } = this;
    if (this.byTime === null) {
      this.byTime = new Map();
      for (let row = 0; row < columns.rows; row++) addToList(this.byTime, columns.endUtcMs[row] as number, row);
    }
    return (this.byTime.get(scan.atUtcMs) ?? []).some((row) => {
      const isSameScan = columns.elapsedMs[row] === scan.elapsedMs && Object.is(columns.scannedBuffers[row], scan.scannedBuffers ?? NaN);
      return isSameScan && columns.database[row] === (database ?? NOBODY);
    });
  }
}

function findEnclosing(store: CheckpointStore, database: number, beginUtcMs: number, endUtcMs: number): number | null {
  const columns = store.columns();
  let found: number | null = null;
  let isUnclear = false;
  store.visitRows(beginUtcMs - CLOCK_MS, endUtcMs + CLOCK_MS, (fromRow, toRow) => {
    for (let row = fromRow; row < toRow; row++) {
      const begin = columns.beginUtcMs[row] as number;
      if (columns.database[row] !== database || begin > beginUtcMs + CLOCK_MS) continue;
      if (begin + (columns.durationMs[row] as number) < endUtcMs - CLOCK_MS) continue;
      isUnclear ||= found !== null;
      found = row;
    }
  });
  return isUnclear ? null : found;
}

/** Empty columns with room for this many scans. */
export function createScanColumns(capacity: number): ScanColumns {
  return {
    rows: 0,
    endUtcMs: new Float64Array(capacity),
    elapsedMs: new Float64Array(capacity),
    database: new Uint16Array(capacity),
    scannedBuffers: new Float64Array(capacity),
    iteratedBuffers: new Float64Array(capacity),
    parallelTasks: new Float64Array(capacity),
    command: new Uint16Array(capacity),
    operation: new Uint16Array(capacity),
  };
}

function copyColumns(from: ScanColumns, capacity: number): ScanColumns {
  const to = { ...createScanColumns(capacity), rows: from.rows };
  for (const name of SCAN_COLUMNS) to[name].set(from[name].subarray(0, from.rows));
  return to;
}

function readNumber(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
