import type { CheckpointColumns } from '../capture/checkpoint-columns';
import { ROWS_A_STEP, type Steps } from '../steps';
import { findTaskRows, type TaskScope } from './checkpoint-task';
import { createPieceMeter, findObservedPieces, sumPieces } from './observed-time';
import { createObservedOf } from './statistics';

/** What of the one automatic task's time is one database's. */
export interface OwnTaskShare {
  /** Its checkpoints that the task ran. */
  readonly count: number;
  /** Of the time in which the database was observed, 0 to 1. */
  readonly share: number;
}

/**
 * How busy the one task of automatic checkpoints was, and with which databases: without what ran beside it, as far as overlaps and known backups tell
 * (findTaskRows). Shares are of the observed time, 0 to 1.
 */
export interface TaskShare {
  readonly busyShare: number;
  /** The share may be off by as much: overlaps of which it is not certain which checkpoint the task ran. */
  readonly margin: number;
  /** Whether checkpoints of backups could be told from those of the task. */
  readonly areBackupsKnown: boolean;
  /** By index into the capture's databases, those that the task ran a checkpoint of. */
  readonly databases: ReadonlyMap<number, OwnTaskShare>;
}

/** @param databases of the capture */
export function* measureTaskShare(columns: CheckpointColumns, databases: number, scope: TaskScope): Steps<TaskShare> {
  const { rows, uncertainMs } = yield* findTaskRows(columns, scope);
  const pieces = findObservedPieces(scope.window, scope.observation);
  const observedBefore = createPieceMeter(pieces);
  const [counts, coveredMs] = [new Uint32Array(databases), new Float64Array(databases)];
  let busyMs = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0;
    const [begin, database] = [columns.beginUtcMs[row] ?? 0, columns.database[row] ?? 0];
    const ownMs = observedBefore(begin + (columns.durationMs[row] ?? 0)) - observedBefore(begin);
    busyMs += ownMs;
    counts[database] = (counts[database] ?? 0) + 1;
    coveredMs[database] = (coveredMs[database] ?? 0) + ownMs;
    if (i % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
  }
  const observedMs = sumPieces(pieces);
  const observedMsOf = createObservedOf(scope.window, scope.observation, observedMs);
  const toShare = (ms: number, ofMs: number): number => (ofMs > 0 ? ms / ofMs : 0);
  const own = new Map<number, OwnTaskShare>();
  counts.forEach((count, database) => {
    if (count > 0) own.set(database, { count, share: toShare(coveredMs[database] ?? 0, observedMsOf(database)) });
  });
  return {
    busyShare: toShare(busyMs, observedMs),
    margin: toShare(uncertainMs, observedMs),
    areBackupsKnown: scope.backups !== null,
    databases: own,
  };
}
