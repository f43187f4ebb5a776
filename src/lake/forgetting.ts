/**
 * Deletes old days of a lake. What later days rest on stays: the last value of each fact before the cut, gaps, runs and
 * checkpoints that reach over it, and a gap in place of what was observed before.
 */
import { replaceFiles } from './compaction';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  addRow,
  countRows,
  countRowsOf,
  createRows,
  type LakeRows,
  LostFilesError,
  visitDataFiles,
} from './data-files';
import type { AddedFile } from './delta-actions';
import { findForeign, type Lake } from './lake';
import type { LakeValue, ReadRow } from './parquet-file';
import { TABLE_NAMES, type TableName } from './tables';
import { t } from '../core/language';

/** What of a table is older than the cut. */
interface Forgotten {
  readonly table: TableName;
  readonly files: number;
  /** Rows and bytes that go. */
  readonly rows: number;
  readonly bytes: number;
  /** Rows of those days that stay. */
  readonly kept: number;
  /** Why the table was left as it is, as one clause; null: it was not. */
  readonly leftBecause: string | null;
}

/** Which rows of before the cut stay. */
interface Keeping {
  /** Of rows that are equal in these, the last one stays; absent: none. */
  readonly keys?: readonly string[];
  /** The column that tells which is the last. */
  readonly moment?: string;
  /** The last one stays only if it ends after the cut. */
  readonly endsLater?: true;
  /** The column of the end of a row that stays if it ends after the cut. */
  readonly end?: string;
}

const DATABASE = ['server', 'database_id', 'database_name'];
/**
 * In this order: what was observed is forgotten before the checkpoints, so that no time is taken for calm if it ends
 * half way.
 */
const KEEPING = {
  gaps: { keys: ['server', 'capture_id', 'kind', 'begin_utc'], moment: 'end_utc', endsLater: true },
  runs: { keys: ['server', 'server_name'], moment: 'started_utc', end: 'observed_to_utc' },
  facts: { keys: [...DATABASE, 'fact'], moment: 'seen_utc' },
  answers: { keys: ['server'], moment: 'read_utc' },
  checkpoints: { end: 'end_utc' },
  samples: { keys: [...DATABASE, 'created_local', 'instance_started_ticks_ms'], moment: 'sampled_utc' },
  log_messages: {},
  server_days: {},
  database_days: {},
} as const satisfies Partial<Record<TableName, Keeping>>;

/** What can be forgotten alone: the evidence of checkpoints is several tables. */
export const FORGETTABLE = {
  checkpoints: ['gaps', 'runs', 'facts', 'answers', 'checkpoints'],
  samples: ['samples'],
  log_messages: ['log_messages'],
  // Those of databases count for nothing without those of servers.
  sums: ['server_days', 'database_days'],
} as const satisfies Readonly<Record<string, readonly (keyof typeof KEEPING)[]>>;

/** Rows at a time that there is not stay nowhere. */
const NOWHERE = { outside: () => undefined };

const rowsOf = (files: readonly AddedFile[]): number =>
  files.reduce((sum, file) => sum + countRowsOf(file), 0);

/**
 * @param cutUtcMs begin of the first day (UTC) that stays
 * @param isTried nothing is changed, and what would go is said
 */
export async function forgetDays(
  lake: Lake,
  cutUtcMs: number,
  what: readonly (keyof typeof FORGETTABLE)[],
  isTried: boolean,
): Promise<readonly Forgotten[]> {
  const wanted = new Set<TableName>(what.flatMap((each) => FORGETTABLE[each]));
  const done: Forgotten[] = [];
  for (const table of Object.keys(KEEPING) as (keyof typeof KEEPING)[]) {
    if (!wanted.has(table)) continue;
    const state = await lake.table(table);
    const old = [...state.files.values()].filter(
      ({ partitionValues: { date } }) => date !== undefined && Date.parse(date) < cutUtcMs,
    );
    const rows = await listKept(lake, table, old, cutUtcMs);
    const kept = countRows(rows);
    if (table === 'gaps') await addForgottenTime(lake, rows, cutUtcMs);
    if (old.length === 0 && countRows(rows) === 0) continue;
    const leftBecause = await replaceRows(lake, table, old, [rows], isTried);
    const bytes = old.reduce((sum, { size }) => sum + size, 0);
    done.push({ table, files: old.length, rows: rowsOf(old) - kept, bytes, kept, leftBecause });
    // Without the gap, time whose checkpoints are gone would count as calm.
    if (table === 'gaps' && leftBecause !== null)
      for (const each of FORGETTABLE.checkpoints) wanted.delete(each);
  }
  return done;
}

/** @returns why nothing was done, as one clause; null: it was, or would be */
async function replaceRows(
  lake: Lake,
  table: TableName,
  files: readonly AddedFile[],
  rows: readonly LakeRows[],
  isTried: boolean,
): Promise<string | null> {
  const foreign = findForeign(table, await lake.table(table));
  if (isTried || foreign !== null) return foreign;
  const isDone = (await replaceFiles(lake, table, files, rows, 'DELETE')) !== null;
  return isDone ? null : t('another program changed it meanwhile');
}

/**
 * Takes files that are not on the disk out of their tables. Days whose checkpoints are gone count as not observed.
 * @param isTried see `forgetDays`
 */
export async function forgetLost(lake: Lake, isTried: boolean): Promise<readonly Forgotten[]> {
  const done: Forgotten[] = [];
  for (const table of TABLE_NAMES) {
    const state = await lake.table(table);
    const isGone = ({ path }: AddedFile): Promise<boolean> =>
      stat(join(lake.folder, table, decodeURIComponent(path))).then(
        () => false,
        (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
      );
    const files: AddedFile[] = [];
    for (const file of state.files.values()) if (await isGone(file)) files.push(file);
    if (files.length === 0) continue;
    const lost = new LostFilesError(table, files);
    const held = table === 'checkpoints' && !isTried ? await addLostDays(lake, lost) : null;
    const leftBecause = held ?? (await replaceRows(lake, table, files, [], isTried));
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    done.push({ table, files: files.length, rows: rowsOf(files), bytes, kept: 0, leftBecause });
  }
  return done;
}

/** A gap in each capture for each of these days. @returns why there is none, as one clause */
async function addLostDays(lake: Lake, lost: LostFilesError): Promise<string | null> {
  const captures = new Map<string, Pick<ReadRow, string>>();
  const { files } = await lake.table('runs');
  const columns = ['server', 'capture_id', 'observed_to_utc'];
  const take = ({ server, capture_id, observed_to_utc: to }: ReadRow): void =>
    void (to != null && captures.set(JSON.stringify([server, capture_id]), { server, capture_id }));
  await visitDataFiles(lake.folder, 'runs', [...files.values()], take, { columns, lost: () => undefined });
  const rows = createRows('gaps');
  for (const { beginUtcMs, endUtcMs } of lost.listDays())
    for (const capture of captures.values())
      addRow(rows, {
        ...(capture as Record<string, LakeValue>),
        kind: 'damaged file',
        begin_utc: beginUtcMs,
        end_utc: endUtcMs,
        reason: t('Files of this day were deleted from the lake.'),
      });
  return replaceRows(lake, 'gaps', [], [rows], false);
}

async function listKept(
  lake: Lake,
  table: keyof typeof KEEPING,
  old: readonly AddedFile[],
  cutUtcMs: number,
): Promise<LakeRows> {
  const { keys, moment = '', endsLater, end }: Keeping = KEEPING[table];
  const last = new Map<string, ReadRow>();
  const kept = new Set<ReadRow>();
  const endsAfter = (row: ReadRow, column: string): boolean => Number(row[column] ?? -Infinity) > cutUtcMs;
  const take = (shown: ReadRow): void => {
    const row = { ...shown };
    if (end !== undefined && endsAfter(row, end)) kept.add(row);
    if (keys === undefined) return;
    const key = JSON.stringify(keys.map((name) => row[name] ?? null));
    if (Number(last.get(key)?.[moment] ?? -Infinity) <= Number(row[moment])) last.set(key, row);
  };
  if (keys !== undefined || end !== undefined) await visitDataFiles(lake.folder, table, old, take, NOWHERE);
  for (const row of last.values()) if (endsLater === undefined || endsAfter(row, moment)) kept.add(row);
  const rows = createRows(table);
  for (const row of kept) addRow(rows, row as Record<string, LakeValue>);
  return rows;
}

/** A gap in each capture that goes on, from its first moment to the cut: what was observed then is known no longer. */
async function addForgottenTime(lake: Lake, gaps: LakeRows, cutUtcMs: number): Promise<void> {
  // Only the command line writes it, in English.
  const reason = t('The lake was told to forget the days before.');
  const times = new Map<string, { server: string; capture_id: string; begin_utc: number; end_utc: number }>();
  const widen = ({ server, capture_id }: ReadRow, begin: unknown, end: unknown): void => {
    if (begin == null || end == null || Number(begin) >= cutUtcMs) return;
    const key = JSON.stringify([server, capture_id]);
    const { begin_utc = Infinity, end_utc = -Infinity } = times.get(key) ?? {};
    times.set(key, {
      server: server as string,
      capture_id: capture_id as string,
      begin_utc: Math.min(begin_utc, Number(begin)),
      end_utc: Math.min(cutUtcMs, Math.max(end_utc, Number(end))),
    });
  };
  const [runs, before] = [await lake.table('runs'), await lake.table('gaps')];
  await visitDataFiles(lake.folder, 'runs', [...runs.files.values()], (run) =>
    widen(run, run.observed_from_utc, run.observed_to_utc),
  );
  await visitDataFiles(lake.folder, 'gaps', [...before.files.values()], (gap) => {
    if (gap.reason === reason) widen(gap, gap.begin_utc, gap.end_utc);
  });
  for (const time of times.values()) addRow(gaps, { ...time, kind: 'unknown', reason });
}
