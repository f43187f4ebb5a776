/** What is known of each database, as the comparison before and after its changes takes it. */
import type { CaptureRecord } from '../../core/capture/capture-record';
import type { ComparedDatabase, ComparisonInput } from '../../core/evidence/comparison-input';
import type { TimeWindow } from '../../core/evidence/observed-time';
import type { WriteWorkLog } from '../../core/evidence/write-work-log';
import type { Steps } from '../../core/steps';
import type { OffsetPeriod } from '../../core/errorlog/server-clock';
import { CheckpointStore } from '../../core/capture/checkpoint-store';
import type { JoinedDatabase } from './joined-database';

export interface ComparedSources {
  readonly databases: readonly JoinedDatabase[];
  readonly capture: CaptureRecord | null;
  readonly work: WriteWorkLog;
  /** Time of the error log that was read; null: none. */
  readonly errorLog: TimeWindow | null;
  readonly offsets: readonly OffsetPeriod[];
}

/** Nothing was seen at any time. */
const NEVER = { beginUtcMs: 0, endUtcMs: 0, gaps: [] };

/** In steps: the blocks of weeks, of hundreds of databases, take seconds to list. */
export function* gatherHistories({ databases, capture, work, errorLog, offsets }: ComparedSources): Steps<ComparisonInput> {
  const compared: ComparedDatabase[] = [];
  for (const one of databases) {
    compared.push(gatherDatabase(one, work));
    yield;
  }
  return {
    databases: compared,
    columns: capture?.columns ?? new CheckpointStore().columns(),
    observation: capture?.observation ?? NEVER,
    instance: work.instanceBlocks(),
    breaks: work.breaks,
    errorLog,
    offsets,
  };
}

function gatherDatabase(
  { captured, sampled, name, changes, flushCacheUtcMs, backups }: JoinedDatabase,
  work: WriteWorkLog,
): ComparedDatabase {
  const blocks = sampled === null ? [] : work.databaseBlocks(sampled);
  return { database: captured, name, changes, blocks, flushCacheUtcMs, backups };
}
