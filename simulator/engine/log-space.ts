import type { Database, DatabaseDescription } from './databases';
import type { World } from './world';

const MB = 1_048_576;
/** A log is large enough for what comes between two truncations, and half as much again: it has grown to that long ago. The model's choice. */
const SPARE = 1.6;
/** What an empty log uses. The model's choice. */
const EMPTY_SHARE = 0.01;
const MOST_SHARE = 0.98;

/** Size of the log file: as described, or as large as it has had to become. */
export function logFileMb({ logMb, recoveryModel, workload }: DatabaseDescription): number {
  const { logRecordsPerSecond, logRecordsPerCheckpoint, bytesPerLogRecord, batch } = workload;
  if (logRecordsPerSecond === 0) return logMb;
  const jobs = batch === undefined ? 1 : 1 + ((batch.factor - 1) * batch.lengthMinutes) / batch.everyMinutes;
  const records = recoveryModel === 'SIMPLE' ? logRecordsPerCheckpoint * 2 : logRecordsPerSecond * jobs * 3600;
  return Math.max(logMb, 64 * Math.ceil((records * bytesPerLogRecord * SPARE) / MB / 64));
}

export interface LogSpace {
  /** Log that the next log backup, or under SIMPLE the next checkpoint, will free. */
  readonly heldBytes: number;
  /** Share of the file in use, from 0 to 1. */
  readonly usedShare: number;
}

/** How full a log is: FULL and BULK_LOGGED until a log backup has finished, SIMPLE until a checkpoint. Microsoft Learn, "The transaction log", log truncation. */
export function measureLog(world: World, database: Database, nowUs: number): LogSpace {
  const work = world.works.get(database.id);
  if (work === undefined) return { heldBytes: 0, usedShare: EMPTY_SHARE };
  const heldBytes =
    database.recoveryModel === 'SIMPLE'
      ? work.logRecordsSinceCheckpoint(nowUs) * database.workload.bytesPerLogRecord
      : world.backups.logBytesSinceBackup(work, nowUs);
  return { heldBytes, usedShare: Math.min(MOST_SHARE, EMPTY_SHARE + heldBytes / (database.logMb * MB)) };
}
