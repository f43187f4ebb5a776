/** Rows of one table -> data files, one for each day, and what the log says of them. */
import { randomUUID } from 'node:crypto';
import { unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AddedFile } from './delta-actions';
import { createOnce, makeFolder } from './delta-log';
import {
  type ColumnData,
  type Columns,
  type ReadRow,
  type LakeValue,
  visitParquetFile,
  type WantedRows,
  writeLakeFile,
} from './parquet-file';
import { type Table, TABLES, type TableName } from './tables';
import { t } from '../core/language';
import { addToList } from '../core/lists';
import type { TimeWindow } from '../core/statistics/observed-time';
import { DAY_MS, isUtcMs } from '../core/time';

/** Rows of one table as columns of one length. */
export type LakeRows = Record<string, LakeValue[]>;

/** Rows a file at most, so that a file is read in one piece without much memory. */
const MOST_ROWS = 1_000_000;

export function createRows(table: TableName): LakeRows {
  return Object.fromEntries(Object.keys(TABLES[table].columns).map((name) => [name, []]));
}

export function countRows(rows: LakeRows): number {
  return Object.values(rows)[0]?.length ?? 0;
}

/** The day (UTC) of a moment as partitions have it: `2026-11-26`. */
export const nameDate = (utcMs: number): string => new Date(utcMs).toISOString().slice(0, 10);

/** @param otherwise of a file of another program that does not say how many rows it has */
export function countRowsOf({ stats }: AddedFile, otherwise = 0): number {
  return (JSON.parse(stats ?? '{}') as { numRecords?: number }).numRecords ?? otherwise;
}

/** Adds one row; a column that is not named is NULL. */
export function addRow(rows: LakeRows, row: Readonly<Record<string, LakeValue>>): void {
  for (const [name, values] of Object.entries(rows)) values.push(row[name] ?? null);
}

/**
 * Writes the rows of several servers, a file for each day. The files are not seen before a commit names them.
 * @param day all rows are of it
 */
export async function writeDataFiles(
  lake: string,
  name: TableName,
  parts: readonly LakeRows[],
  day?: string,
): Promise<readonly AddedFile[]> {
  const added: AddedFile[] = [];
  try {
    for (const [date, rows] of splitByDate(TABLES[name], parts, day))
      for (let from = 0; from < countRows(rows); from += MOST_ROWS)
        added.push(await writeDataFile(lake, name, date, cut(rows, from)));
  } catch (error) {
    await deleteDataFiles(lake, name, added);
    throw error;
  }
  return added;
}

async function writeDataFile(
  lake: string,
  name: TableName,
  date: string | null,
  rows: LakeRows,
): Promise<AddedFile> {
  const table: Table = TABLES[name];
  const file = `part-${randomUUID()}.parquet`;
  const path = date === null ? file : `date=${date}/${file}`;
  const bytes = writeLakeFile(table.columns, rows);
  const target = join(lake, name, path);
  await makeFolder(dirname(target));
  if (!(await createOnce(dirname(target), file, bytes))) throw new Error(t('{0} is there already.', target));
  const partitionValues: AddedFile['partitionValues'] = date === null ? {} : { date };
  const stats = JSON.stringify({ numRecords: countRows(rows), ...describeRange(table, rows) });
  const added = { path, partitionValues, size: bytes.length, modificationTime: Date.now() };
  return { ...added, dataChange: true, stats };
}

/** Files that a table names are not on the disk. */
export class LostFilesError extends Error {
  constructor(
    readonly table: TableName,
    readonly files: readonly AddedFile[],
  ) {
    super(
      t(
        'Files that the table {0} names are gone. “checkpoint-health forget --lost-files” takes them out of it.',
        table,
      ),
    );
  }

  /** The days of which rows are gone. */
  listDays(): readonly TimeWindow[] {
    const days = new Set(this.files.map(({ partitionValues: { date = '' } }) => Date.parse(date)));
    return [...days].map((beginUtcMs) => ({ beginUtcMs, endUtcMs: beginUtcMs + DAY_MS }));
  }
}

export interface Wanted extends WantedRows {
  readonly signal?: AbortSignal;
  /**
   * Takes each row with a time that there is not (`isUtcMs`), in place of `visit`. Absent: they are visited as they
   * are.
   */
  readonly outside?: (row: ReadRow) => void;
  /** Is told of files that are gone, once the others were read. Absent: that is thrown. */
  readonly lost?: (lost: LostFilesError) => void;
}

/**
 * Visits the rows of data files as they were written. Others have the thread meanwhile.
 * @throws the reason of the signal if it is aborted; LostFilesError
 */
export async function visitDataFiles(
  lake: string,
  name: TableName,
  files: readonly AddedFile[],
  visit: (row: ReadRow) => void,
  { signal, outside, lost, ...wanted }: Wanted = {},
): Promise<void> {
  const columns = Object.entries(TABLES[name].columns as Columns);
  const moments = columns.flatMap(([column, type]) => (type === 'moment' ? [column] : []));
  const isOutside = (row: ReadRow): boolean =>
    moments.some((column) => row[column] != null && !isUtcMs(row[column]));
  const take = outside ? (row: ReadRow): void => (isOutside(row) ? outside : visit)(row) : visit;
  const gone: AddedFile[] = [];
  for (const file of files) {
    signal?.throwIfAborted();
    if (!mayHold(file, wanted.servers)) continue;
    const path = join(lake, name, decodeURIComponent(file.path));
    await visitParquetFile(path, take, wanted).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      gone.push(file);
    });
  }
  if (gone.length === 0) return;
  const error = new LostFilesError(name, gone);
  if (lost === undefined) throw error;
  lost(error);
}

/** Whether a file may have rows of these servers, by the range that the log has of it; without a range it may. */
function mayHold({ stats }: AddedFile, servers: ReadonlySet<string> | undefined): boolean {
  type Range = Partial<Record<'minValues' | 'maxValues', { readonly server?: string }>>;
  const { minValues, maxValues } = JSON.parse(stats ?? '{}') as Range;
  const [least, most] = [minValues?.server, maxValues?.server];
  if (servers === undefined || least === undefined || most === undefined) return true;
  return [...servers].some((server) => compareBytes(least, server) <= 0 && compareBytes(server, most) <= 0);
}

/** By their bytes as UTF-8, which is the order that Parquet and Delta have for texts. */
export const compareBytes = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));

/** All rows of data files. @param servers only theirs */
export async function readDataFiles(
  lake: string,
  name: TableName,
  files: readonly AddedFile[],
  servers?: ReadonlySet<string>,
): Promise<LakeRows> {
  const rows = createRows(name);
  const add = (row: ReadRow): void => addRow(rows, row as Record<string, LakeValue>);
  await visitDataFiles(lake, name, files, add, servers && { servers });
  return rows;
}

/** Files that no commit will ever name. */
export async function deleteDataFiles(
  lake: string,
  name: TableName,
  files: readonly AddedFile[],
): Promise<void> {
  for (const { path } of files) await unlink(join(lake, name, path)).catch(() => undefined);
}

/** The rows of each day, sorted by server and time, so that a reader of one server can leave out the others. */
function splitByDate(
  { time, otherwise, columns }: Table,
  parts: readonly LakeRows[],
  day?: string,
): ReadonlyMap<string | null, LakeRows> {
  const servers = new Set(parts.flatMap(({ server = [] }) => server as readonly string[]));
  const ranks = new Map([...servers].sort(compareBytes).map((server, rank) => [server, rank]));
  const places = new Map<string | null, { rank: number; moment: number; part: LakeRows; at: number }[]>();
  for (const part of parts)
    for (let at = 0; at < countRows(part); at++) {
      const moment = time === null ? 0 : ((part[time]?.[at] ?? part[otherwise ?? time]?.[at]) as number);
      const date = day ?? (time === null ? null : nameDate(moment));
      const rank = ranks.get(part['server']?.[at] as string) ?? -1;
      addToList(places, date, { rank, moment, part, at });
    }
  return new Map(
    [...places].map(([date, own]) => {
      own.sort((a, b) => a.rank - b.rank || a.moment - b.moment);
      const take = (name: string): LakeValue[] => own.map(({ part, at }) => part[name]?.[at] ?? null);
      return [date, Object.fromEntries(Object.keys(columns).map((name) => [name, take(name)]))];
    }),
  );
}

function cut(rows: LakeRows, from: number): LakeRows {
  return Object.fromEntries(
    Object.entries(rows).map(([name, values]) => [name, values.slice(from, from + MOST_ROWS)]),
  );
}

/** Readers leave out files by these values, so moments are rounded outwards; of other columns nothing is said. */
function describeRange({ time }: Table, rows: ColumnData): object {
  const servers = rows['server'] ?? [];
  const [first, last] = [servers[0], servers[servers.length - 1]];
  if (time === null || typeof first !== 'string' || typeof last !== 'string') return {};
  let [least, most, missing] = [Infinity, -Infinity, 0];
  for (const value of rows[time] ?? []) {
    if (value === null) missing++;
    else [least, most] = [Math.min(least, value as number), Math.max(most, value as number)];
  }
  if (!isUtcMs(least) || !isUtcMs(most)) return {};
  const iso = (ms: number): string => new Date(ms).toISOString();
  return {
    minValues: { server: first, [time]: iso(Math.floor(least)) },
    maxValues: { server: last, [time]: iso(Math.ceil(most) + 1) },
    nullCount: { server: 0, [time]: missing },
  };
}
