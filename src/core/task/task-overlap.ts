import type { CheckpointColumns } from '../capture/checkpoint-columns';
import type { Steps } from '../steps';
import type { BackupRun } from './backup-rows';
import { findRowsBegun } from '../statistics/row-order';
import { countUpTo } from '../sorted';

/**
 * Automatic checkpoints of all databases run on one task, one after the other. While others wait, each begins within
 * 0.12 s of the end of the one before (docs/facts.md, SQL Server 1). So checkpoints that overlap cannot all have been
 * the task's.
 */
export const BACK_TO_BACK_MS = 120;

/** A backup begins with its checkpoint; msdb knows its begin to the second. */
const BACKUP_SLACK_MS = 1_000;
const BACKUP_LATEST_MS = 10_000;
/** Each is looked for among the checkpoints of a few seconds. */
const BACKUPS_A_STEP = 512;

/** Rows of `rows` (in order of begins) that are the first of a full or differential backup of their database. */
export function* findBackupRows(
  columns: CheckpointColumns,
  rows: Uint32Array,
  backups: ReadonlyMap<number, readonly BackupRun[]>,
): Steps<ReadonlySet<number>> {
  const found = new Set<number>();
  let looked = 0;
  for (const [database, runs] of backups) {
    for (const run of runs) {
      if (++looked % BACKUPS_A_STEP === 0) yield;
      if (run.type === 'log') continue;
      const row = findBackupRow(columns, rows, database, run, found);
      if (row !== null) found.add(row);
    }
  }
  return found;
}

/** Whether a full or differential backup of the database may have begun with a checkpoint of that time. */
export function createBackupNear(
  backups: ReadonlyMap<number, readonly BackupRun[]>,
): (database: number, beginUtcMs: number) => boolean {
  const begins = new Map(
    [...backups].map(([database, runs]) => [
      database,
      Float64Array.from(
        runs.filter(({ type }) => type !== 'log'),
        (run) => run.beginUtcMs,
      ).sort(),
    ]),
  );
  return (database, beginUtcMs) => {
    const own = begins.get(database);
    const last = own === undefined ? 0 : countUpTo(own, beginUtcMs + BACKUP_SLACK_MS, own.length);
    return last > 0 && beginUtcMs - (own?.[last - 1] ?? 0) <= BACKUP_LATEST_MS;
  };
}

function findBackupRow(
  columns: CheckpointColumns,
  rows: Uint32Array,
  index: number,
  run: BackupRun,
  taken: ReadonlySet<number>,
): number | null {
  const { beginUtcMs, durationMs, database } = columns;
  const until = Math.max(
    run.beginUtcMs + BACKUP_SLACK_MS,
    Math.min(run.endUtcMs, run.beginUtcMs + BACKUP_LATEST_MS),
  );
  let best: { readonly row: number; readonly score: number } | null = null;
  for (let i = findRowsBegun(columns, rows, run.beginUtcMs - BACKUP_SLACK_MS); i < rows.length; i++) {
    const row = rows[i] ?? 0;
    const begin = beginUtcMs[row] ?? 0;
    if (begin > until) break;
    if (database[row] !== index || taken.has(row)) continue;
    // One that overlaps another is more likely: the task runs none beside its own.
    const end = begin + (durationMs[row] ?? 0);
    const [before, after] = [rows[i - 1], rows[i + 1]];
    const isOverlapping =
      (after !== undefined && (beginUtcMs[after] ?? 0) < end) ||
      (before !== undefined && (beginUtcMs[before] ?? 0) + (durationMs[before] ?? 0) > begin);
    const score = Math.abs(begin - run.beginUtcMs) + (isOverlapping ? 0 : BACKUP_SLACK_MS);
    if (best === null || score < best.score) best = { row, score };
  }
  return best === null ? null : best.row;
}

/** The worth of following closely. Even many of these are worth less than one more checkpoint. */
const CLOSE = 1e-4;

/** The most overlapping checkpoints that are decided about together. */
export const MOST_COMPARED = 256;

/**
 * Chooses, of checkpoints that overlap, those that can have run one after the other: as many as possible. If several
 * choices have as many, the one whose checkpoints follow closest on each other and on what ran before and after them;
 * then the one that lasts longest, which is arbitrary.
 *   rows   [=======================]      begun by hand
 *            [===][====] [======]         kept: these three
 * @param rows in order of begins; they are linked by overlaps
 * @param lastEndUtcMs when the task last worked before them
 * @param nextUtcMs when the next one after them begins
 * @returns places in `rows`, in order
 */
export function chooseSerial(
  { beginUtcMs, durationMs }: CheckpointColumns,
  rows: readonly number[],
  lastEndUtcMs: number,
  nextUtcMs: number,
): readonly number[] {
  const begins = rows.map((row) => beginUtcMs[row] ?? 0);
  const ends = rows.map((row, i) => (begins[i] ?? 0) + (durationMs[row] ?? 0));
  const byEnd = rows.map((_, i) => i).sort((a, b) => (ends[a] ?? 0) - (ends[b] ?? 0) || a - b);
  const sortedEnds = byEnd.map((i) => ends[i] ?? 0);
  /** The best choice among the first rows by end, for each number of them: its worth, and the last one chosen. */
  const worth = new Float64Array(rows.length + 1);
  const chosen = new Int32Array(rows.length + 1).fill(-1);
  const from = new Int32Array(rows.length + 1);
  for (let k = 0; k < byEnd.length; k++) {
    const i = byEnd[k] ?? 0;
    const before = countUpTo(sortedEnds, begins[i] ?? 0, k);
    const isBehind = (begins[i] ?? 0) - (sortedEnds[before - 1] ?? lastEndUtcMs) <= BACK_TO_BACK_MS;
    const pauseMs = nextUtcMs - (ends[i] ?? 0);
    const isBefore = pauseMs >= 0 && pauseMs <= BACK_TO_BACK_MS;
    const mine =
      (worth[before] ?? 0) +
      1 +
      (isBehind ? CLOSE : 0) +
      (isBefore ? CLOSE : 0) +
      CLOSE * Math.min(0.001, (durationMs[rows[i] ?? 0] ?? 0) * 1e-9);
    const isBetter = mine > (worth[k] ?? 0);
    worth[k + 1] = isBetter ? mine : (worth[k] ?? 0);
    chosen[k + 1] = isBetter ? i : -1;
    from[k + 1] = isBetter ? before : k;
  }
  const kept: number[] = [];
  for (let k = rows.length; k > 0; k = from[k] ?? 0) if ((chosen[k] ?? -1) >= 0) kept.push(chosen[k] ?? 0);
  return kept.reverse();
}
