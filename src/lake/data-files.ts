/** Rows of one table -> data files, one for each day, and what the log says of them. */
import { randomUUID } from 'node:crypto';
import { readFile, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AddedFile } from './delta-actions';
import { createOnce, makeFolder } from './delta-log';
import {
  type ColumnData,
  type Columns,
  type ReadRow,
  type LakeValue,
  visitParquet,
  writeLakeFile,
} from './parquet-file';
import { type Table, TABLES, type TableName } from './tables';
import { t } from '../core/language';
import { isUtcMs } from '../core/time';

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
  const stats = JSON.stringify({ numRecords: countRows(rows), ...describeRange(table, rows) });
  return {
    path,
    partitionValues: date === null ? {} : { date },
    size: bytes.length,
    modificationTime: Date.now(),
    dataChange: true,
    stats,
  };
}

/** What of data files is wanted. */
interface Wanted {
  /** undefined: all. */
  readonly columns?: readonly string[];
  readonly signal?: AbortSignal;
  /**
   * Takes each row with a time that there is not (`isUtcMs`), in place of `visit`. Absent: they are visited as they
   * are.
   */
  readonly outside?: (row: ReadRow) => void;
}

/**
 * Visits the rows of data files as they were written. Others have the thread meanwhile.
 * @throws the reason of the signal if it is aborted
 */
export async function visitDataFiles(
  lake: string,
  name: TableName,
  files: readonly AddedFile[],
  visit: (row: ReadRow) => void,
  { columns, signal, outside }: Wanted = {},
): Promise<void> {
  const moments = Object.entries(TABLES[name].columns as Columns).flatMap(([column, type]) =>
    type === 'moment' ? [column] : [],
  );
  const isOutside = (row: ReadRow): boolean =>
    moments.some((column) => row[column] != null && !isUtcMs(row[column]));
  const take =
    outside === undefined ? visit : (row: ReadRow): void => (isOutside(row) ? outside : visit)(row);
  for (const { path } of files) {
    signal?.throwIfAborted();
    await visitParquet(await readFile(join(lake, name, decodeURIComponent(path))), take, columns);
  }
}

/** All rows of data files. */
export async function readDataFiles(
  lake: string,
  name: TableName,
  files: readonly AddedFile[],
): Promise<LakeRows> {
  const rows = createRows(name);
  await visitDataFiles(lake, name, files, (row) => addRow(rows, row as Record<string, LakeValue>));
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

function splitByDate(
  { time, otherwise, columns }: Table,
  parts: readonly LakeRows[],
  day?: string,
): ReadonlyMap<string | null, LakeRows> {
  const byDate = new Map<string | null, LakeRows>();
  const names = Object.keys(columns);
  for (const part of parts)
    for (let at = 0; at < countRows(part); at++) {
      const moment = time === null ? null : ((part[time]?.[at] ?? part[otherwise ?? time]?.[at]) as number);
      const date = day ?? (moment === null ? null : new Date(moment).toISOString().slice(0, 10));
      let rows = byDate.get(date);
      if (rows === undefined) byDate.set(date, (rows = Object.fromEntries(names.map((name) => [name, []]))));
      for (const name of names) rows[name]?.push(part[name]?.[at] ?? null);
    }
  return byDate;
}

function cut(rows: LakeRows, from: number): LakeRows {
  return Object.fromEntries(
    Object.entries(rows).map(([name, values]) => [name, values.slice(from, from + MOST_ROWS)]),
  );
}

/** Readers leave out files by these values, so they are rounded outwards; of other columns nothing is said. */
function describeRange({ time }: Table, rows: ColumnData): object {
  if (time === null) return {};
  let least = Infinity;
  let most = -Infinity;
  let missing = 0;
  for (const value of rows[time] ?? []) {
    if (value === null) missing++;
    else [least, most] = [Math.min(least, value as number), Math.max(most, value as number)];
  }
  if (!isUtcMs(least) || !isUtcMs(most)) return {};
  const iso = (ms: number): string => new Date(ms).toISOString();
  return {
    minValues: { [time]: iso(Math.floor(least)) },
    maxValues: { [time]: iso(Math.ceil(most) + 1) },
    nullCount: { [time]: missing },
  };
}
