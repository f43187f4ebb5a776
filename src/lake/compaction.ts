/**
 * Keeps a lake quick to read: joins the small files of days that are over, and deletes files that no reader can still
 * have open.
 */
import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  compareBytes,
  countRows,
  countRowsOf,
  deleteDataFiles,
  type LakeRows,
  LostFilesError,
  readDataFiles,
  visitDataFiles,
  writeDataFiles,
} from './data-files';
import type { ReadRow } from './parquet-file';
import type { Action, AddedFile } from './delta-actions';
import { describeCommit, findForeign, type Lake, takeOut } from './lake';
import { whileHeld } from './delta-log';
import { TABLE_NAMES, TABLES, type TableName } from './tables';
import { t } from '../core/language';
import { addToList } from '../core/lists';

/** Files of fewer rows are joined, up to this number; those of another program that do not say how many are not. */
const ROWS_A_FILE = 1_000_000;
const FULL_SHARE = 2;
/**
 * A file that was taken out of a table, or that no commit names, stays as long as this: it may still be read, or be
 * about to be committed.
 */
const KEEP_FILES_MS = 7 * 24 * 60 * 60_000;

interface Compacted {
  readonly table: TableName;
  readonly joined: number;
  readonly into: number;
  /** Why the table was left as it is, as one clause; null: it was not. */
  readonly leftBecause: string | null;
}

/**
 * Joins files of days before `today` (`2026-11-26`). Another writer at the same time wins: then these files are left as
 * they are.
 * @param begins is told of each table: how many are done
 * @param rowsAFile files of less than half as many rows are joined
 */
export async function compactTables(
  lake: Lake,
  today: string,
  begins?: (done: number) => void,
  rowsAFile = ROWS_A_FILE,
): Promise<readonly Compacted[]> {
  const done: Compacted[] = [];
  for (const [at, table] of TABLE_NAMES.entries()) {
    begins?.(at);
    if (TABLES[table].time === null) continue;
    let [joined, into] = [0, 0];
    const state = await lake.table(table);
    let leftBecause = findForeign(table, state);
    for (const files of leftBecause === null ? listBins(state.files.values(), today, rowsAFile) : []) {
      const added = await joinFiles(lake, table, files, rowsAFile).catch((error: Error) => {
        if (!(error instanceof LostFilesError)) throw error;
        leftBecause = error.message.replace(/\.$/, '');
        return 0;
      });
      if (added === 0) continue;
      joined += files.length;
      into += added;
    }
    if (joined > 0 || leftBecause !== null) done.push({ table, joined, into, leftBecause });
  }
  return done;
}

/** @returns the number of new files; 0: one of the old ones was taken away meanwhile */
async function joinFiles(
  lake: Lake,
  table: TableName,
  files: readonly AddedFile[],
  rowsAFile: number,
): Promise<number> {
  const shares = await listShares(lake, table, files, rowsAFile);
  const read = shares.map(({ servers, rows }) => async (): Promise<LakeRows> => {
    const own = await readDataFiles(lake.folder, table, files, servers);
    // A range that another program wrote wrongly would hide rows, which would then be lost.
    const found = countRows(own);
    if (rows !== undefined && found !== rows)
      throw new Error(t('{0}: {1} rows of {2} were found. Nothing was changed.', table, found, rows));
    return own;
  });
  return (await replaceFiles(lake, table, files, read, 'OPTIMIZE', files[0]?.partitionValues.date)) ?? 0;
}

/**
 * Puts rows in the place of files, in one commit.
 * @param parts rows, or what reads them once it is their turn
 * @param day all rows are of it
 * @returns the number of new files; null: nothing was done, as one of the old ones was taken away meanwhile
 */
export async function replaceFiles(
  lake: Lake,
  table: TableName,
  files: readonly AddedFile[],
  parts: readonly (LakeRows | (() => Promise<LakeRows>))[],
  operation: 'OPTIMIZE' | 'DELETE',
  day?: string,
): Promise<number | null> {
  const dataChange = operation === 'DELETE';
  const written: AddedFile[] = [];
  try {
    for (const part of parts) {
      const rows = typeof part === 'function' ? await part() : part;
      written.push(...(await writeDataFiles(lake.folder, table, [rows], day)));
    }
  } catch (error) {
    await deleteDataFiles(lake.folder, table, written);
    throw error;
  }
  const added = written.map((file) => ({ ...file, dataChange }));
  for (;;) {
    const state = await lake.table(table);
    if (!files.every(({ path }) => state.files.has(path)) || findForeign(table, state) !== null) {
      await deleteDataFiles(lake.folder, table, added);
      return null;
    }
    const actions = [
      describeCommit(operation),
      ...files.map((file) => takeOut(file, dataChange)),
      ...added.map((add): Action => ({ add })),
    ];
    try {
      if (await lake.log(table).commit(state.version, actions)) return added.length;
    } catch (error) {
      // What failed may have come after the commit.
      const { files: now } = await lake.table(table);
      if (!added.some(({ path }) => now.has(path))) await deleteDataFiles(lake.folder, table, added);
      throw error;
    }
  }
}

/** Servers whose rows together make one file, and how many those are: a file of a day is of few servers. */
type Share = { readonly servers: Set<string>; rows: number };

async function listShares(
  lake: Lake,
  table: TableName,
  files: readonly AddedFile[],
  rowsAFile: number,
): Promise<readonly Partial<Share>[]> {
  // All, which are not counted.
  if (files.reduce((sum, file) => sum + countRowsOf(file, ROWS_A_FILE), 0) <= rowsAFile) return [{}];
  const counts = new Map<string, number>();
  const count = ({ server }: ReadRow): void =>
    void counts.set(server as string, (counts.get(server as string) ?? 0) + 1);
  await visitDataFiles(lake.folder, table, files, count, { columns: ['server'] });
  const shares: Share[] = [];
  let share: Share = { servers: new Set(), rows: Infinity };
  for (const [server, own] of [...counts].sort(([a], [b]) => compareBytes(a, b))) {
    if (share.rows + own > rowsAFile) shares.push((share = { servers: new Set(), rows: 0 }));
    share.servers.add(server);
    share.rows += own;
  }
  return shares;
}

/** The small files of each day, where there is more than one. */
function listBins(files: Iterable<AddedFile>, today: string, rowsAFile: number): readonly AddedFile[][] {
  const byDate = new Map<string, AddedFile[]>();
  for (const file of files) {
    const { date = today } = file.partitionValues;
    if (date < today && countRowsOf(file, ROWS_A_FILE) <= rowsAFile / FULL_SHARE)
      addToList(byDate, date, file);
  }
  return [...byDate.values()].filter((day) => day.length > 1);
}

/**
 * Deletes data files that are in no table and have been so for long, and what was never finished.
 * @returns how many
 * @throws Error of the first that stays
 */
export async function vacuum(lake: Lake, nowMs: number, keepMs = KEEP_FILES_MS): Promise<number> {
  let deleted = 0;
  const failures: Error[] = [];
  for (const folder of [...TABLE_NAMES, '_commits'] as const) {
    const state = folder === '_commits' ? null : await lake.table(folder);
    const live = new Set([...(state?.files.keys() ?? [])].map(decodeURIComponent));
    const takenOut = new Map<string, number>();
    for (const { path, deletionTimestamp } of state?.removed.values() ?? [])
      takenOut.set(decodeURIComponent(path), deletionTimestamp);
    for (const path of await listFiles(join(lake.folder, folder))) {
      // Of the log itself, only what was never finished.
      if (live.has(path) || !/^(?!_delta_log\/).*\.parquet$|(^|\/)\.unfinished-/.test(path)) continue;
      const file = join(lake.folder, folder, path);
      // Another program may have taken it away.
      const sinceMs = takenOut.get(path) ?? (await stat(file).catch(() => null))?.mtimeMs ?? nowMs;
      if (nowMs - sinceMs < keepMs) continue;
      const failure = await whileHeld(() => unlink(file)).catch((error: Error) => error);
      if (failure === undefined) deleted++;
      else failures.push(failure);
    }
  }
  if (failures[0] !== undefined) throw failures[0];
  return deleted;
}

async function listFiles(folder: string, below = ''): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isFile()) paths.push(path);
    else if (entry.isDirectory()) paths.push(...(await listFiles(folder, path)));
  }
  return paths;
}
