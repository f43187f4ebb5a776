import type { CheckpointColumns, Observation } from '../capture/checkpoint-columns';
import type { BackupRun } from '../task/backup-rows';
import type { DatabaseBlock, InstanceBlock } from '../write-work/block';
import type { ChangeMoment } from '../task/change-moment';
import type { OffsetPeriod } from '../errorlog/server-clock';
import type { BlockMinutes } from './local-blocks';
import type { TimeWindow } from '../statistics/statistics';
import type { WorkBreak } from '../write-work/work-deltas';

/** One database as far as a comparison knows it. null: could not be observed. */
export interface ComparedDatabase {
  /** Index into the capture's list of databases; null where it is not in the capture. */
  readonly database: number | null;
  readonly name: string;
  readonly changes: readonly ChangeMoment[];
  /** In any order, at most one for each quarter of an hour. May be listed again each time that it is asked for, so ask for them where they are needed. */
  readonly blocks: readonly DatabaseBlock[];
  /** When its FlushCache messages were written. */
  readonly flushCacheUtcMs: readonly number[] | null;
  readonly backups: readonly BackupRun[] | null;
}

/** Everything that before and after are compared from. */
export interface ComparisonInput {
  /** All databases that are known, those that never changed too: their changes are named, their log counts for the instance. */
  readonly databases: readonly ComparedDatabase[];
  readonly columns: CheckpointColumns;
  /** When checkpoint events were seen, and its gaps. */
  readonly observation: Observation;
  readonly instance: readonly InstanceBlock[];
  /** Where and why sampling gave no figures. */
  readonly breaks: readonly WorkBreak[];
  /** What the error log that was read covers; null: none could be read. */
  readonly errorLog: TimeWindow | null;
  /** Offsets of the server's clock, in order of time. */
  readonly offsets: readonly OffsetPeriod[];
}

/** What a reader may set. */
export interface ComparisonOptions {
  readonly blockMinutes: BlockMinutes;
  /** How often anything at all in a comparison without any change may be said to have risen or fallen: 0.05. */
  readonly error: number;
}

export const DEFAULT_COMPARISON: ComparisonOptions = { blockMinutes: 60, error: 0.05 };
