import { callerOfRow, type CheckpointColumns, type Observation } from '../capture/checkpoint-columns';
import { isEngineCaller, isSessionCaller, sessionOfCaller } from '../events/event-register';
import { ROWS_A_STEP, type Steps } from '../steps';
import { findAutomaticTask, type TaskFinding } from './automatic-task';
import { type AutomaticTime, isAutomatic } from './automatic-time';
import type { BackupRun } from './backup-rows';
import { createGapCrossing } from '../session/gap-crossing';
import { createPieceMeter, findObservedPieces, type TimePieces } from '../statistics/observed-time';
import type { CountedWindow } from '../statistics/statistics';
import { orderRows } from '../statistics/row-order';
import { chooseSerial, createBackupNear, findBackupRows, MOST_COMPARED } from './task-overlap';
import { describeRun, findTaskRuns } from './task-run';

/** The window, the databases and the backups that the figures of the checkpoint task are computed from. */
export interface TaskScope {
  readonly window: CountedWindow;
  readonly observation: Observation;
  readonly automatic: AutomaticTime;
  /** Backups by index of the database; null if they could not be read. */
  readonly backups: ReadonlyMap<number, readonly BackupRun[]> | null;
  /** When snapshots that are still there were made, by index of their database; absent: not known. */
  readonly snapshots?: ReadonlyMap<number, readonly number[]>;
  /** `findTask` of all that was observed; absent: of this observation. */
  readonly finding?: TaskFinding;
}

/**
 * Why a checkpoint ran that was no turn: a backup that msdb shows, a snapshot that is still there, another session,
 * another task of the engine. `perhaps a job`: its task goes through the databases and then rests. `unknown`: the
 * events do not say.
 */
type BesideCause = 'backup' | 'snapshot' | 'session' | 'engine' | 'perhaps a job' | 'unknown';

/**
 * A checkpoint of a database with automatic checkpoints that the one task did not run, or cannot have run: a session
 * asked for it, another task ran it, it overlaps one of the task's own, or it opened a backup.
 */
export interface BesideTask {
  readonly row: number;
  readonly database: number;
  readonly beginUtcMs: number;
  readonly durationMs: number;
  readonly cause: BesideCause;
  /** Of the session that asked for it; null: not known. */
  readonly sessionId: number | null;
  /** Time in common with checkpoints of the task; 0 if a backup's checkpoint overlaps none. */
  readonly overlapMs: number;
}

/** Rows in one step if each may overlap the next: about 5 ms. */
const CLUSTERED_A_STEP = ROWS_A_STEP / 8;

/** Checkpoints beside the task that are listed; more are only counted. */
const MOST_BESIDE_TASK = 1000;

/** Which checkpoints the one task of automatic checkpoints ran. */
interface TaskRows {
  /** In order. No two overlap, and none may be of two checkpoints. */
  readonly rows: Uint32Array;
  /** In order of begins, the first MOST_BESIDE_TASK of them. */
  readonly beside: readonly BesideTask[];
  /** Observed time of overlaps without a known task or cause: it is not certain which of them the task ran. */
  readonly uncertainMs: number;
  /** Whether the events themselves tell it of each. */
  readonly isCertain: boolean;
  readonly job: PerhapsJob | null;
}

/**
 * A task that is perhaps a job's, and is the automatic one if it is not: it goes through its databases, and then rests.
 * No event says which.
 */
export interface PerhapsJob {
  /** Whether it was taken for the automatic task, because no other was there. */
  readonly isTask: boolean;
  readonly databases: number;
  /** Observed time in which it was at work. */
  readonly busyMs: number;
  /** Its longest stretch without a pause. */
  readonly longestMs: number;
}

/** Whether no gap may have made a row of two checkpoints. */
function createWhole({ durationMs }: CheckpointColumns, { gaps }: Observation) {
  const isAcrossGap = createGapCrossing(gaps);
  return (begin: number, row: number): boolean =>
    isAcrossGap?.(begin, begin + (durationMs[row] ?? 0)) !== true;
}

/** Finds the one automatic task by all checkpoints of databases with automatic ones. */
export function findTask(
  columns: CheckpointColumns,
  { observation, automatic, backups }: Pick<TaskScope, 'observation' | 'automatic' | 'backups'>,
): Steps<TaskFinding> {
  const { beginUtcMs, database } = columns;
  const isWhole = createWhole(columns, observation);
  const isNear = createBackupNear(backups ?? new Map());
  return findAutomaticTask(
    columns,
    observation,
    (row) => {
      const begin = beginUtcMs[row] ?? 0;
      return isAutomatic(automatic, database[row] ?? 0, begin) && isWhole(begin, row);
    },
    (row) => isNear(database[row] ?? 0, beginUtcMs[row] ?? 0),
  );
}

/**
 * Tells the checkpoints of the one automatic task from those beside it, for all that reach into the window. What
 * carries the task's id is the task's, also of a database that is gone, or that has indirect checkpoints: which task
 * runs those is not known (docs/facts.md, SQL Server 3).
 */
export function* findTaskRows(columns: CheckpointColumns, scope: TaskScope): Steps<TaskRows> {
  const { window, automatic, observation } = scope;
  const { beginUtcMs, durationMs, database } = columns;
  const isWhole = createWhole(columns, observation);
  const isKnown = (begin: number, row: number): boolean => isAutomatic(automatic, database[row] ?? 0, begin);
  const { isOfTask, isPerhapsJob } = scope.finding ?? (yield* findTask(columns, scope));
  const candidates = yield* orderRows(columns, (row) => {
    const begin = beginUtcMs[row] ?? 0;
    const isIn =
      begin < window.endUtcMs &&
      (begin >= window.beginUtcMs || begin + (durationMs[row] ?? 0) > window.beginUtcMs);
    return isIn && isWhole(begin, row) && (isKnown(begin, row) || isOfTask(row) === true);
  });
  const others =
    scope.backups === null ? candidates : yield* pickRows(candidates, (row) => isOfTask(row) !== true);
  const backupRows =
    scope.backups === null ? new Set<number>() : yield* findBackupRows(columns, others, scope.backups);
  const pieces = findObservedPieces(window, observation);
  const sorting = new TaskSorting(columns, pieces, candidates.length);
  for (let i = 0; i < candidates.length; i++) {
    const row = candidates[i] ?? 0;
    if (!backupRows.has(row)) sorting.take(row, isOfTask(row));
    if (i % CLUSTERED_A_STEP === CLUSTERED_A_STEP - 1) yield;
  }
  yield;
  const causeOf = (row: number): BesideCause => {
    const caller = callerOfRow(columns, row);
    if (isSessionCaller(caller)) return isSnapshotNear(scope, columns, row) ? 'snapshot' : 'session';
    if (isEngineCaller(caller)) return 'engine';
    return isPerhapsJob(row) ? 'perhaps a job' : 'unknown';
  };
  const job = yield* measureJob(columns, yield* pickRows(candidates, isPerhapsJob), pieces);
  return {
    ...(yield* sorting.finish([...backupRows], causeOf)),
    job: job && { ...job, isTask: candidates.some((row) => isPerhapsJob(row) && isOfTask(row) !== false) },
  };
}

/** A snapshot is made with its checkpoint; how far apart their times are is not published. */
const SNAPSHOT_SLACK_MS = 10_000;

export function isSnapshotNear(
  { snapshots }: Pick<TaskScope, 'snapshots'>,
  columns: CheckpointColumns,
  row: number,
): boolean {
  const begin = columns.beginUtcMs[row] ?? 0;
  const [from, to] = [begin - SNAPSHOT_SLACK_MS, begin + (columns.durationMs[row] ?? 0) + SNAPSHOT_SLACK_MS];
  return (snapshots?.get(columns.database[row] ?? 0) ?? []).some((made) => made >= from && made <= to);
}

/** @param rows in order of begins */
function* measureJob(
  columns: CheckpointColumns,
  rows: Uint32Array,
  pieces: TimePieces,
): Steps<Omit<PerhapsJob, 'isTask'> | null> {
  const runs = yield* findTaskRuns(columns, rows, pieces);
  const databases = new Set<number>();
  let [busyMs, longestMs] = [0, 0];
  for (let run = 0; run < runs.count; run++) {
    busyMs += runs.busyMs[run] ?? 0;
    const { beginUtcMs, endUtcMs, databases: own } = describeRun(columns, rows, runs, run);
    longestMs = Math.max(longestMs, endUtcMs - beginUtcMs);
    for (const database of own) databases.add(database);
    if (run % CLUSTERED_A_STEP === CLUSTERED_A_STEP - 1) yield;
  }
  return rows.length === 0 ? null : { databases: databases.size, busyMs, longestMs };
}

function* pickRows(rows: Uint32Array, isWanted: (row: number) => boolean): Steps<Uint32Array> {
  const picked = new Uint32Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    if (isWanted(rows[i] ?? 0)) picked[count++] = rows[i] ?? 0;
    if (i % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
  }
  return picked.subarray(0, count);
}

class TaskSorting {
  private readonly kept: Uint32Array;
  private keptCount = 0;
  private readonly observedBefore: (utcMs: number) => number;
  private readonly unknown: number[] = [];
  private cluster: number[] = [];
  private clusterEndUtcMs = -Infinity;
  /** The begin of a cluster if a part of it is decided already. */
  private clusterBeginUtcMs: number | null = null;
  private lastEndUtcMs = -Infinity;
  private uncertainMs = 0;
  private isCertain = true;

  constructor(
    private readonly columns: CheckpointColumns,
    pieces: TimePieces,
    mostRows: number,
  ) {
    this.kept = new Uint32Array(mostRows);
    this.observedBefore = createPieceMeter(pieces);
  }

  take(row: number, isOfTask: boolean | null): void {
    if (isOfTask === false) return void this.unknown.push(row);
    this.isCertain &&= isOfTask === true;
    if (this.beginOf(row) >= this.clusterEndUtcMs) this.closeCluster(this.beginOf(row));
    this.clusterEndUtcMs = Math.max(this.clusterEndUtcMs, this.endOf(row));
    this.cluster.push(row);
    if (this.cluster.length > MOST_COMPARED) this.thinCluster();
  }

  *finish(
    backupRows: readonly number[],
    causeOf: (row: number) => BesideCause,
  ): Steps<Omit<TaskRows, 'job'>> {
    this.closeCluster(Infinity);
    const rows = this.kept.subarray(0, this.keptCount);
    const isAlone = backupRows.length + this.unknown.length === 0;
    const taskPieces = new Float64Array(isAlone ? 0 : 2 * rows.length);
    for (let i = 0; 2 * i < taskPieces.length; i++) {
      taskPieces[2 * i] = this.beginOf(rows[i] ?? 0);
      taskPieces[2 * i + 1] = this.endOf(rows[i] ?? 0);
      if (i % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
    }
    const busyBefore = createPieceMeter(taskPieces);
    yield;
    const describe = (cause: BesideTask['cause'], row: number): BesideTask => {
      const [beginUtcMs, endUtcMs] = [this.beginOf(row), this.endOf(row)];
      const overlapMs = busyBefore(endUtcMs) - busyBefore(beginUtcMs);
      return {
        row,
        database: this.columns.database[row] ?? 0,
        beginUtcMs,
        durationMs: endUtcMs - beginUtcMs,
        cause,
        sessionId: sessionOfCaller(callerOfRow(this.columns, row)) || null,
        overlapMs,
      };
    };
    const inOrder = [...backupRows]
      .sort((a, b) => this.beginOf(a) - this.beginOf(b))
      .slice(0, MOST_BESIDE_TASK);
    const beside = [
      ...inOrder.map((row) => describe('backup', row)),
      ...this.unknown.slice(0, MOST_BESIDE_TASK).map((row) => describe(causeOf(row), row)),
    ]
      .sort((a, b) => a.beginUtcMs - b.beginUtcMs || a.row - b.row)
      .slice(0, MOST_BESIDE_TASK);
    return {
      rows,
      beside,
      uncertainMs: this.uncertainMs,
      isCertain: this.isCertain,
    };
  }

  private closeCluster(nextUtcMs: number): void {
    const { cluster } = this;
    if (cluster.length === 1 && this.clusterBeginUtcMs === null) this.keep(cluster[0] ?? 0);
    else if (cluster.length > 0) {
      const chosen = new Set(chooseSerial(this.columns, cluster, this.lastEndUtcMs, nextUtcMs));
      const beginUtcMs = this.clusterBeginUtcMs ?? this.beginOf(cluster[0] ?? 0);
      this.uncertainMs += this.observedBefore(this.clusterEndUtcMs) - this.observedBefore(beginUtcMs);
      cluster.forEach((row, place) => (chosen.has(place) ? this.keep(row) : this.unknown.push(row)));
    }
    this.cluster = [];
    this.clusterBeginUtcMs = null;
  }

  /**
   * Decides about the first half of a cluster that keeps growing, so that its cost stays in proportion. Rows that
   * overlap the last one chosen stay.
   */
  private thinCluster(): void {
    this.clusterBeginUtcMs ??= this.beginOf(this.cluster[0] ?? 0);
    const places = chooseSerial(this.columns, this.cluster, this.lastEndUtcMs, Infinity);
    const until = places[places.length >> 1] ?? 0;
    const untilUtcMs = this.endOf(this.cluster[until] ?? 0);
    const chosen = new Set(places);
    const rest: number[] = [];
    this.cluster.forEach((row, place) => {
      if (chosen.has(place) && place <= until) this.keep(row);
      else if (this.beginOf(row) < untilUtcMs) this.unknown.push(row);
      else rest.push(row);
    });
    this.cluster = rest;
  }

  private keep(row: number): void {
    this.kept[this.keptCount++] = row;
    this.lastEndUtcMs = this.endOf(row);
  }

  private beginOf(row: number): number {
    return this.columns.beginUtcMs[row] ?? 0;
  }

  private endOf(row: number): number {
    return this.beginOf(row) + (this.columns.durationMs[row] ?? 0);
  }
}
