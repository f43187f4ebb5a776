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

function describe(
  table: TableName,
  files: readonly AddedFile[],
  kept: number,
  leftBecause: string | null,
): Forgotten {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const rows = files.reduce((sum, file) => sum + countRowsOf(file), 0) - kept;
  return { table, files: files.length, rows, bytes, kept, leftBecause };
}

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
    const old = await lake.listFiles(table, (date) => Date.parse(date) < cutUtcMs);
    const rows = await listKept(lake, table, old, cutUtcMs);
    const kept = countRows(rows);
    if (table === 'gaps') await addForgottenTime(lake, rows, cutUtcMs);
    if (old.length === 0 && countRows(rows) === 0) continue;
    const leftBecause = await replaceRows(lake, table, old, [rows], isTried);
    done.push(describe(table, old, kept, leftBecause));
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
    const isGone = ({ path }: AddedFile): Promise<boolean> =>
      stat(join(lake.folder, table, decodeURIComponent(path))).then(
        () => false,
        (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
      );
    const files: AddedFile[] = [];
    for (const file of await lake.listFiles(table)) if (await isGone(file)) files.push(file);
    if (files.length === 0) continue;
    const lost = new LostFilesError(table, files);
    const held = table === 'checkpoints' && !isTried ? await addLostDays(lake, lost) : null;
    done.push(describe(table, files, 0, held ?? (await replaceRows(lake, table, files, [], isTried))));
  }
  return done;
}

const nameCapture = ({ server = null, capture_id = null }: ReadRow): string =>
  JSON.stringify({ server, capture_id });
const readCapture = (name: string) => JSON.parse(name) as Record<'server' | 'capture_id', LakeValue>;

/** A gap in each capture for each of these days. @returns why there is none, as one clause */
async function addLostDays(lake: Lake, lost: LostFilesError): Promise<string | null> {
  const captures = new Set<string>();
  const columns = ['server', 'capture_id', 'observed_to_utc'];
  const take = (run: ReadRow): void => void (run.observed_to_utc != null && captures.add(nameCapture(run)));
  await lake.visit('runs', take, { columns, lost: () => undefined });
  const rows = createRows('gaps');
  const told = { kind: 'damaged file', reason: t('Files of this day were deleted from the lake.') };
  for (const { beginUtcMs: begin_utc, endUtcMs: end_utc } of lost.listDays())
    for (const capture of captures) addRow(rows, { ...readCapture(capture), ...told, begin_utc, end_utc });
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
  const times = new Map<string, Record<'begin_utc' | 'end_utc', number>>();
  const widen = (row: ReadRow, begin: unknown, end: unknown): void => {
    if (begin == null || end == null || Number(begin) >= cutUtcMs) return;
    const { begin_utc, end_utc } = times.get(nameCapture(row)) ?? { begin_utc: Infinity, end_utc: -Infinity };
    const latest = Math.min(cutUtcMs, Math.max(end_utc, Number(end)));
    times.set(nameCapture(row), { begin_utc: Math.min(begin_utc, Number(begin)), end_utc: latest });
  };
  await lake.visit('runs', (run) => widen(run, run.observed_from_utc, run.observed_to_utc));
  await lake.visit('gaps', (gap) => {
    if (gap.reason === reason) widen(gap, gap.begin_utc, gap.end_utc);
  });
  for (const [name, time] of times)
    addRow(gaps, { ...readCapture(name), ...time, kind: 'forgotten', reason });
}
