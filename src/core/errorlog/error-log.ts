/** The error log's rows as evidence; every row is accounted for (docs/facts.md, SQL Server 5). */
import {
  isKnownNoise,
  readBufferPoolScan,
  readDirtyPageFlush,
  readOptionChange,
  readRecovery,
  type BufferPoolScan,
  type DirtyPageFlush,
  type OptionChange,
  type Recovery,
} from './error-log-message';
import type { ErrorLogRow } from './error-log-row';
import { groupFlushCacheRows, type FlushCacheGroup, type FlushCacheRow } from './flush-cache-group';
import { readFlushCacheLines } from './flush-cache-line';

/** How many rows were read, and what became of each: rows = parsed + noise + unrecognised. */
export interface ErrorLogCounts {
  readonly rows: number;
  readonly parsed: number;
  /** Known, and without meaning here: logins, backups, starting databases. */
  readonly noise: number;
  readonly unrecognised: number;
}

export interface ErrorLogReading {
  readonly groups: readonly FlushCacheGroup[];
  readonly dirtyPageFlushes: readonly DirtyPageFlush[];
  readonly changes: readonly OptionChange[];
  readonly recoveries: readonly Recovery[];
  readonly scans: readonly BufferPoolScan[];
  /** Rows of no known message, and lines of a FlushCache message whose beginning is missing, in the order given. */
  readonly unrecognised: readonly ErrorLogRow[];
  readonly counts: ErrorLogCounts;
}

/**
 * Reads rows in any order of time; groups come in the order in which their lines make sense, everything else in the order given. A row
 * is read whole or counted as unrecognised; nothing is completed by guessing.
 */
export function readErrorLog(rows: readonly ErrorLogRow[]): ErrorLogReading {
  const sorted = sortRows(rows.map((row) => ({ ...row, text: row.text.trim() })));
  const { groups, strays } = groupFlushCacheRows(sorted.flushCache);
  const isUnrecognised = (row: ErrorLogRow): boolean => strays.has(row) || sorted.unknown.has(row);
  const unrecognised = sorted.rows.filter(isUnrecognised);
  const { changes, scans, recoveries, dirtyPageFlushes, noise } = sorted;
  const parsed = rows.length - noise - unrecognised.length;
  const counts = { rows: rows.length, parsed, noise, unrecognised: unrecognised.length };
  return { groups, dirtyPageFlushes, changes, recoveries, scans, unrecognised, counts };
}

interface SortedRows {
  readonly rows: readonly ErrorLogRow[];
  readonly flushCache: FlushCacheRow[];
  readonly dirtyPageFlushes: DirtyPageFlush[];
  readonly changes: OptionChange[];
  readonly recoveries: Recovery[];
  readonly scans: BufferPoolScan[];
  readonly unknown: Set<ErrorLogRow>;
  noise: number;
}

function sortRows(rows: readonly ErrorLogRow[]): SortedRows {
  const unknown = new Set<ErrorLogRow>();
  const sorted: SortedRows = { rows, flushCache: [], dirtyPageFlushes: [], changes: [], recoveries: [], scans: [], unknown, noise: 0 };
  for (const row of rows) {
    if (takeRow(sorted, row)) continue;
    if (isKnownNoise(row)) sorted.noise++;
    else unknown.add(row);
  }
  return sorted;
}

/** True where the row is a message that counts. A scan names FlushCache too, and is none. */
function takeRow(sorted: SortedRows, row: ErrorLogRow): boolean {
  const lines = readFlushCacheLines(row.text);
  if (lines) sorted.flushCache.push({ row, lines });
  return (
    lines !== null ||
    keep(sorted.scans, readBufferPoolScan(row)) ||
    keep(sorted.dirtyPageFlushes, readDirtyPageFlush(row)) ||
    keep(sorted.recoveries, readRecovery(row)) ||
    keep(sorted.changes, readOptionChange(row))
  );
}

function keep<T>(list: T[], message: T | null): boolean {
  if (message !== null) list.push(message);
  return message !== null;
}
