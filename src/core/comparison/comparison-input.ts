import type { CheckpointColumns, Observation } from '../capture/checkpoint-columns';
import type { BackupRun } from '../task/backup-rows';
import type { DatabaseBlock, InstanceBlock } from '../write-work/block';
import type { ChangeMoment } from '../task/change-moment';
import type { OffsetPeriod } from '../errorlog/server-clock';
import type { BlockMinutes } from './local-blocks';
import type { WorkBreak } from '../write-work/work-deltas';

/** What a comparison knows of one database. null: could not be observed. */
export interface ComparedDatabase {
  /** Index into the capture's list of databases; null if it is not in the capture. */
  readonly database: number | null;
  readonly name: string;
  readonly changes: readonly ChangeMoment[];
  /** In any order, at most one for each quarter of an hour. Each access may list them again, so read them where they are needed. */
  readonly blocks: readonly DatabaseBlock[];
  readonly backups: readonly BackupRun[] | null;
}

/** Everything that a comparison uses. */
export interface ComparisonInput {
  /** All known databases, including those that never changed: their log counts for the instance. Changes are named. */
  readonly databases: readonly ComparedDatabase[];
  readonly columns: CheckpointColumns;
  /** When checkpoint events were recorded, and the gaps in it. */
  readonly observation: Observation;
  readonly instance: readonly InstanceBlock[];
  /** When and why sampling gave no figures. */
  readonly breaks: readonly WorkBreak[];
  /** Offsets of the server's clock, in order of time. */
  readonly offsets: readonly OffsetPeriod[];
}

/** What a reader may set. */
export interface ComparisonOptions {
  readonly blockMinutes: BlockMinutes;
  /** How often a comparison without any change may say that anything rose or fell: 0.05. */
  readonly error: number;
}

export const DEFAULT_COMPARISON: ComparisonOptions = { blockMinutes: 60, error: 0.05 };
