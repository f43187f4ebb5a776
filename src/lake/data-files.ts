/** Rows of one table -> data files, one for each day, and what the log says of them. */
import { randomUUID } from 'node:crypto';
import { readFile, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AddedFile } from './delta-actions';
import { createOnce, makeFolder } from './delta-log';
import { type ColumnData, type ReadRow, type Value, visitParquet, writeParquet } from './parquet-file';
import { type Table, TABLES, type TableName } from './tables';
import { t } from '../core/language';

/** Rows of one table as columns of one length. */
export type TableRows = Record<string, Value[]>;

/** Rows a file at most, so that a file is read in one piece without much memory. */
const MOST_ROWS = 1_000_000;

export function createRows(table: TableName): TableRows {
  return Object.fromEntries(Object.keys(TABLES[table].columns).map((name) => [name, []]));
}

export function countRows(rows: TableRows): number {
  return Object.values(rows)[0]?.length ?? 0;
}

/** Adds one row; a column that is not named is NULL. */
export function addRow(rows: TableRows, row: Readonly<Record<string, Value>>): void {
  for (const [name, values] of Object.entries(rows)) values.push(row[name] ?? null);
}

/** Writes the rows of several servers, a file for each day. Nobody sees the files before a commit names them. */
export async function writeDataFiles(lake: string, name: TableName, parts: readonly TableRows[]): Promise<readonly AddedFile[]> {
  const added: AddedFile[] = [];
  try {
    for (const [date, rows] of splitByDate(TABLES[name], parts))
      for (let from = 0; from < countRows(rows); from += MOST_ROWS) added.push(await writeDataFile(lake, name, date, cut(rows, from)));
  } catch (error) {
    await deleteDataFiles(lake, name, added);
    throw error;
  }
  return added;
}

async function writeDataFile(lake: string, name: TableName, date: string | null, rows: TableRows): Promise<AddedFile> {
  const table: Table = TABLES[name];
  const file = `part-${randomUUID()}.parquet`;
  const path = date === null ? file : `date=${date}/${file}`;
  const bytes = writeParquet(table.columns, rows);
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
}

/** Visits the rows of data files as they were written. Others have the thread meanwhile. @throws the reason of the signal if it is aborted */
export async function visitDataFiles(
  lake: string,
  name: TableName,
  files: readonly AddedFile[],
  visit: (row: ReadRow) => void,
  { columns, signal }: Wanted = {},
): Promise<void> {
  for (const { path } of files) {
    signal?.throwIfAborted();
    await visitParquet(await readFile(join(lake, name, decodeURIComponent(path))), visit, columns);
  }
}

/** All rows of data files. */
export async function readDataFiles(lake: string, name: TableName, files: readonly AddedFile[]): Promise<TableRows> {
  const rows = createRows(name);
  await visitDataFiles(lake, name, files, (row) => addRow(rows, row as Record<string, Value>));
  return rows;
}

/** Files that no commit will ever name. */
export async function deleteDataFiles(lake: string, name: TableName, files: readonly AddedFile[]): Promise<void> {
  for (const { path } of files) await unlink(join(lake, name, path)).catch(() => undefined);
}

function splitByDate({ time, otherwise, columns }: Table, parts: readonly TableRows[]): ReadonlyMap<string | null, TableRows> {
  const byDate = new Map<string | null, TableRows>();
  const names = Object.keys(columns);
  for (const part of parts)
    for (let at = 0; at < countRows(part); at++) {
      const moment = time === null ? null : ((part[time]?.[at] ?? part[otherwise ?? time]?.[at]) as number);
      const date = moment === null ? null : new Date(moment).toISOString().slice(0, 10);
      let rows = byDate.get(date);
      if (rows === undefined) byDate.set(date, (rows = Object.fromEntries(names.map((name) => [name, []]))));
      for (const name of names) rows[name]?.push(part[name]?.[at] ?? null);
    }
  return byDate;
}

function cut(rows: TableRows, from: number): TableRows {
  return Object.fromEntries(Object.entries(rows).map(([name, values]) => [name, values.slice(from, from + MOST_ROWS)]));
}

/** Readers leave out files by these values, so they are rounded outwards; of other columns nothing is said. */
function describeRange({ time }: Table, rows: ColumnData): object {
  if (time === null) return {};
  let [least, most, missing] = [Infinity, -Infinity, 0];
  for (const value of rows[time] ?? []) {
    if (value === null) missing++;
    else [least, most] = [Math.min(least, value as number), Math.max(most, value as number)];
  }
  if (!Number.isFinite(least)) return {};
  const iso = (ms: number): string => new Date(ms).toISOString();
  return { minValues: { [time]: iso(Math.floor(least)) }, maxValues: { [time]: iso(Math.ceil(most) + 1) }, nullCount: { [time]: missing } };
}
