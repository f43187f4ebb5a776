/** What the comparison before and after a change takes of each database. */
import type { CaptureRecord } from '../../core/capture/capture-record';
import type { ComparisonInput } from '../../core/comparison/comparison-input';
import type { DatabaseBlock } from '../../core/write-work/block';
import type { WriteWorkLog } from '../../core/write-work/write-work-log';
import type { Steps } from '../../core/steps';
import type { OffsetPeriod } from '../../core/errorlog/server-clock';
import { CheckpointStore } from '../../core/capture/checkpoint-store';
import type { JoinedDatabase } from './joined-database';

interface ComparedSources {
  readonly databases: readonly JoinedDatabase[];
  readonly capture: CaptureRecord | null;
  readonly work: WriteWorkLog;
  readonly offsets: readonly OffsetPeriod[];
}

/** Nothing was seen at any time. */
const NEVER = { beginUtcMs: 0, endUtcMs: 0, gaps: [] };

/**
 * Works in steps. The blocks of hundreds of databases over weeks would be half a gigabyte. So the blocks of one database are listed when they are
 * asked for, and only the last list is held.
 */
export function* gatherHistories({ databases, capture, work, offsets }: ComparedSources): Steps<ComparisonInput> {
  yield* work.prepareBlocks();
  const blocksOf = listInTurn(work);
  return {
    databases: databases.map(({ captured, sampled, name, changes, backups }) => ({
      database: captured,
      name,
      changes,
      backups,
      get blocks() {
        return blocksOf(sampled);
      },
    })),
    columns: capture?.columns ?? new CheckpointStore().columns(),
    observation: capture?.observation ?? NEVER,
    instance: work.instanceBlocks(),
    breaks: work.breaks,
    offsets,
  };
}

/** Both sides of a change are measured one after the other, so the blocks of a database are listed once for both. */
function listInTurn(work: WriteWorkLog): (sampled: number | null) => readonly DatabaseBlock[] {
  let last: { readonly sampled: number; readonly blocks: readonly DatabaseBlock[] } | null = null;
  return (sampled) => {
    if (sampled === null) return [];
    if (last?.sampled !== sampled) last = { sampled, blocks: work.databaseBlocks(sampled) };
    return last.blocks;
  };
}
