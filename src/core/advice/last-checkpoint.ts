import type { CheckpointColumns, Observation } from '../capture/checkpoint-columns';
import { observationOf } from '../capture/unrecorded';
import { english } from '../format';
import { ROWS_A_STEP, type Steps } from '../steps';
import { type Facts, findOf } from './facts';

/** The last checkpoint of one database that a capture holds. */
export interface CapturedCheckpoint {
  readonly endedUtcMs: number;
  /**
   * This database was observed without a gap until then, and no later checkpoint ended. Equal to endedUtcMs if a gap
   * follows at once.
   */
  readonly seenUntilUtcMs: number;
}

/** The last captured checkpoint of every database of a capture, by its index; null if there is none. Works in steps. */
export function* findLastCheckpoints(
  columns: CheckpointColumns,
  databases: number,
  observation: Observation,
): Steps<readonly (CapturedCheckpoint | null)[]> {
  const ends = new Float64Array(databases).fill(NaN);
  for (let row = 0; row < columns.rows; row++) {
    if (row > 0 && row % ROWS_A_STEP === 0) yield;
    const database = columns.database[row] ?? 0;
    const end = (columns.beginUtcMs[row] ?? NaN) + (columns.durationMs[row] ?? NaN);
    if (!(end <= (ends[database] ?? NaN))) ends[database] = end;
  }
  return Array.from(ends, (endedUtcMs, database) =>
    Number.isNaN(endedUtcMs)
      ? null
      : { endedUtcMs, seenUntilUtcMs: findSeenUntil(endedUtcMs, observationOf(observation, database)) },
  );
}

/** The beginning of the first gap that ends after the checkpoint, or the end of the capture. */
function findSeenUntil(endedUtcMs: number, { endUtcMs, gaps }: Observation): number {
  const blinded = gaps.filter((gap) => gap.endUtcMs > endedUtcMs).map(({ beginUtcMs }) => beginUtcMs);
  return Math.max(endedUtcMs, Math.min(endUtcMs, ...blinded));
}

/** Events of a running capture arrive at most this late. A capture that ends earlier has stopped. Milliseconds. */
const LATENESS_MS = 60_000;

/**
 * When a database had its last checkpoint and how much log it has written since; '' if neither can be seen. In English,
 * for scripts. "last checkpoint 42.0 s ago, 12.3 MB of log since"
 */
export function describeLastCheckpoint(
  databaseId: number,
  captured: CapturedCheckpoint | null,
  { server, logs }: Facts,
): string {
  const log = findOf(logs, databaseId)?.sinceCheckpointMb ?? null;
  const since = log === null ? '' : `${log.toFixed(1)} MB of log since`;
  if (captured === null) return log === null ? '' : `${since} the last checkpoint`;
  const ago = english.formatDuration(Math.max(0, server.nowUtcMs - captured.endedUtcMs));
  // A later checkpoint may have gone unseen, so this is an upper bound.
  const bound = server.nowUtcMs - captured.seenUntilUtcMs <= LATENESS_MS ? '' : 'at most ';
  return `last checkpoint ${bound}${ago} ago${log === null ? '' : `, ${since}`}`;
}
