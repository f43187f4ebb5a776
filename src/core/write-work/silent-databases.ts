import type { CheckpointColumns, Observation } from '../capture/checkpoint-columns';
import { observationOf } from '../capture/unrecorded';
import { t } from '../language';
import { notObservable, type Observed, observed } from '../observed';
import { ROWS_A_STEP, type Steps } from '../steps';
import { BLOCK_MS, type DatabaseBlock } from './block';
import { createPieceMeter, findObservedPieces, type TimeWindow } from '../statistics/observed-time';

/**
 * A database that wrote log and had no checkpoint. An automatic one is due by log records, so how much it wrote decides
 * whether that is strange.
 */
interface SilentDatabase {
  readonly database: number;
  /** In blocks that were watched from begin to end. */
  readonly logWrittenBytes: number;
  /** How long those blocks are together, as far as its counters were observed. */
  readonly observedMs: number;
}

export interface SilentDatabases {
  /** Databases that wrote log and had no checkpoint, most log first. */
  readonly silent: readonly SilentDatabase[];
  /** Indexes of databases that had no checkpoint and wrote no log: idle, not silent. */
  readonly idle: readonly number[];
  /**
   * Indexes of databases for which it is not known whether they had a checkpoint or wrote log; `reason` says which and
   * why.
   */
  readonly unknown: readonly { readonly database: number; readonly reason: string }[];
}

/** Write work of a database by its index: a map, or an object that lists it when asked. */
export type BlocksByDatabase = Pick<ReadonlyMap<number, readonly DatabaseBlock[]>, 'get'>;

const HALF_SEEN = t(
  'Only the begin or only the end of a checkpoint was seen. Whether it ran, and when, is not known.',
);

/**
 * Databases without a checkpoint in the window, told apart by the log that they wrote: SQL Server runs automatic
 * checkpoints only if log is written (docs/facts.md, SQL Server 1).
 * @param tracked indexes of the databases whose checkpoints would have been seen
 * @param unpaired indexes of databases with unpaired events in the window: something ran, whatever it was
 * @param blocks write work by index; null: there are no samples
 */
export function* findSilentDatabases(
  columns: CheckpointColumns,
  tracked: Iterable<number>,
  window: TimeWindow,
  observation: Observation,
  unpaired: ReadonlySet<number>,
  blocks: BlocksByDatabase | null,
): Steps<SilentDatabases> {
  const hasCheckpoint = new Set<number>();
  for (let row = 0; row < columns.rows; row++) {
    const begin = columns.beginUtcMs[row] ?? 0;
    // A checkpoint that only reaches into the window, or is doubtful because of a gap, still was one.
    const isIn = begin < window.endUtcMs && begin + (columns.durationMs[row] ?? 0) >= window.beginUtcMs;
    if (isIn) hasCheckpoint.add(columns.database[row] ?? 0);
    if (row % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
  }
  const isWatchedByAll = createBlockWatch(window, observation);
  const found = {
    silent: [] as SilentDatabase[],
    idle: [] as number[],
    unknown: [] as { database: number; reason: string }[],
  };
  for (const database of tracked) {
    if (hasCheckpoint.has(database)) continue;
    if (unpaired.has(database)) {
      found.unknown.push({ database, reason: HALF_SEEN });
      continue;
    }
    const own = observationOf(observation, database);
    const work = sumLog(
      blocks?.get(database) ?? null,
      own === observation ? isWatchedByAll : createBlockWatch(window, own),
    );
    if (work.kind === 'not observable') found.unknown.push({ database, reason: work.reason });
    else if (work.value.logWrittenBytes > 0) found.silent.push({ database, ...work.value });
    else found.idle.push(database);
    yield;
  }
  found.silent.sort((a, b) => b.logWrittenBytes - a.logWrittenBytes || a.database - b.database);
  return found;
}

/** Tells whether a block was watched from begin to end. */
function createBlockWatch(window: TimeWindow, observation: Observation): (block: DatabaseBlock) => boolean {
  const observedBefore = createPieceMeter(findObservedPieces(window, observation));
  return ({ beginUtcMs }) => observedBefore(beginUtcMs + BLOCK_MS) - observedBefore(beginUtcMs) >= BLOCK_MS;
}

function sumLog(
  blocks: readonly DatabaseBlock[] | null,
  isWatched: (block: DatabaseBlock) => boolean,
): Observed<{ readonly logWrittenBytes: number; readonly observedMs: number }> {
  if (blocks === null) return notObservable(t('Log written: not known, its files were not sampled.'));
  const watched = blocks.filter((block) => block.observedMs > 0 && isWatched(block));
  if (watched.length === 0)
    return notObservable(t('No quarter hour was both sampled and recorded throughout.'));
  const sum = (of: (block: DatabaseBlock) => number): number =>
    watched.reduce((total, block) => total + of(block), 0);
  return observed({
    logWrittenBytes: sum((block) => block.logWrittenBytes),
    observedMs: sum((block) => block.observedMs),
  });
}
