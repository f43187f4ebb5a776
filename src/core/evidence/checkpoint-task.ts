import type { CheckpointColumns, Observation } from '../capture/checkpoint-columns';
import { ROWS_A_STEP, type Steps } from '../steps';
import { type AutomaticTime, isAutomatic } from './automatic-time';
import type { BackupRun } from './backup-run';
import { createGapCrossing } from './gap-crossing';
import { findObservedPieces, type TimePieces, type TimeWindow } from './observed-time';
import { orderRows } from './row-order';
import { chooseSerial, findBackupRows } from './task-overlap';

/** What the figures of the checkpoint task are asked of. */
export interface TaskScope {
  readonly window: TimeWindow;
  readonly observation: Observation;
  readonly automatic: AutomaticTime;
  /** Backups by index of the database; null where they could not be read. */
  readonly backups: ReadonlyMap<number, readonly BackupRun[]> | null;
}

/**
 * A checkpoint of a database with automatic checkpoints that the one task cannot have run, or did not: it overlaps one of the task's own, or opened a
 * backup. `unknown`: by hand, a snapshot, a shutdown, or a backup that is not in the list; the events do not say.
 */
export interface BesideTask {
  readonly row: number;
  readonly database: number;
  readonly beginUtcMs: number;
  readonly durationMs: number;
  readonly cause: 'backup' | 'unknown';
  /** Time in common with checkpoints of the task; 0 where a backup's checkpoint had the server to itself. */
  readonly overlapMs: number;
}

/** Which checkpoints the one task of automatic checkpoints ran. */
export interface TaskRows {
  /** In order; no two overlap, none may be of two checkpoints. */
  readonly rows: Uint32Array;
  /** In order of begins. */
  readonly beside: readonly BesideTask[];
  /** Observed time of overlaps without a known cause: where it is not certain which of them the task ran. */
  readonly uncertainMs: number;
}

/** Tells the checkpoints of the one automatic task from those beside it; all that reach into the window. */
export function* findTaskRows(columns: CheckpointColumns, scope: TaskScope): Steps<TaskRows> {
  const { window, automatic, observation } = scope;
  const { beginUtcMs, durationMs, database } = columns;
  const isAcrossGap = createGapCrossing(observation.gaps);
  const candidates = yield* orderRows(columns, (row) => {
    const begin = beginUtcMs[row] ?? 0;
    const end = begin + (durationMs[row] ?? 0);
    if (!(begin < window.endUtcMs && (begin >= window.beginUtcMs || end > window.beginUtcMs))) return false;
    return isAutomatic(automatic, database[row] ?? 0, begin) && isAcrossGap?.(begin, end) !== true;
  });
  yield;
  const backupRows = scope.backups === null ? new Set<number>() : findBackupRows(columns, candidates, scope.backups);
  const sorting = new TaskSorting(columns, findObservedPieces(window, observation));
  for (let i = 0; i < candidates.length; i++) {
    const row = candidates[i] ?? 0;
    if (!backupRows.has(row)) sorting.take(row);
    if (i % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
  }
  return sorting.finish([...backupRows]);
}

class TaskSorting {
  private readonly kept: number[] = [];
  private readonly unknown: number[] = [];
  private cluster: number[] = [];
  private clusterEndUtcMs = -Infinity;
  private lastEndUtcMs = -Infinity;
  private uncertainMs = 0;

  constructor(
    private readonly columns: CheckpointColumns,
    private readonly pieces: TimePieces,
  ) {}

  take(row: number): void {
    if (this.beginOf(row) >= this.clusterEndUtcMs) this.closeCluster();
    this.cluster.push(row);
    this.clusterEndUtcMs = Math.max(this.clusterEndUtcMs, this.endOf(row));
  }

  finish(backupRows: readonly number[]): TaskRows {
    this.closeCluster();
    const rows = Uint32Array.from(this.kept);
    const beside = [
      ...backupRows.map((row) => this.describeBeside(row, rows, 'backup')),
      ...this.unknown.map((row) => this.describeBeside(row, rows, 'unknown')),
    ].sort((a, b) => a.beginUtcMs - b.beginUtcMs || a.row - b.row);
    return { rows, beside, uncertainMs: this.uncertainMs };
  }

  private closeCluster(): void {
    const { cluster } = this;
    if (cluster.length === 1) this.keep(cluster[0] ?? 0);
    else if (cluster.length > 1) {
      const chosen = new Set(chooseSerial(this.columns, cluster, this.lastEndUtcMs));
      this.uncertainMs += measureIn(this.pieces, this.beginOf(cluster[0] ?? 0), this.clusterEndUtcMs);
      cluster.forEach((row, place) => (chosen.has(place) ? this.keep(row) : this.unknown.push(row)));
    }
    this.cluster = [];
  }

  private keep(row: number): void {
    this.kept.push(row);
    this.lastEndUtcMs = this.endOf(row);
  }

  private describeBeside(row: number, taskRows: Uint32Array, cause: BesideTask['cause']): BesideTask {
    const [begin, end] = [this.beginOf(row), this.endOf(row)];
    let overlapMs = 0;
    // Rows of the task do not overlap: only the last one that begins before can reach into this one.
    let i = this.findLastBefore(taskRows, begin);
    for (i = Math.max(0, i); i < taskRows.length && this.beginOf(taskRows[i] ?? 0) < end; i++) {
      overlapMs += Math.max(0, Math.min(end, this.endOf(taskRows[i] ?? 0)) - Math.max(begin, this.beginOf(taskRows[i] ?? 0)));
    }
    return { row, database: this.columns.database[row] ?? 0, beginUtcMs: begin, durationMs: end - begin, cause, overlapMs };
  }

  private findLastBefore(rows: Uint32Array, utcMs: number): number {
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.beginOf(rows[middle] ?? 0) < utcMs) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  private beginOf(row: number): number {
    return this.columns.beginUtcMs[row] ?? 0;
  }

  private endOf(row: number): number {
    return this.beginOf(row) + (this.columns.durationMs[row] ?? 0);
  }
}

/** Milliseconds of an interval that lie in the pieces. */
function measureIn(pieces: TimePieces, beginUtcMs: number, endUtcMs: number): number {
  let sumMs = 0;
  for (let i = 0; i + 1 < pieces.length; i += 2) {
    sumMs += Math.max(0, Math.min(endUtcMs, pieces[i + 1] ?? 0) - Math.max(beginUtcMs, pieces[i] ?? 0));
  }
  return sumMs;
}
