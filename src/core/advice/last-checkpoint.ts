import type { CheckpointColumns, Observation } from '../capture/checkpoint-columns';
import { observationOf } from '../capture/unrecorded';
import { formatDuration } from '../format';
import { notObservable, type Observed, observed } from '../observed';
import { ROWS_A_STEP, type Steps } from '../steps';
import type { Facts } from './facts';

/** The last checkpoint of one database that a capture holds. */
export interface CapturedCheckpoint {
  readonly endedUtcMs: number;
  /** Until when nothing of this database went unseen since: no later checkpoint ended before. Equal to endedUtcMs where a gap follows at once. */
  readonly seenUntilUtcMs: number;
}

/** The last captured checkpoint of every database of a capture, by its index; null where there is none. A long capture is gone through in steps. */
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
    Number.isNaN(endedUtcMs) ? null : { endedUtcMs, seenUntilUtcMs: findEndOfSight(endedUtcMs, observationOf(observation, database)) },
  );
}

/** Where the first gap begins that ends behind the checkpoint, or where the capture ends. */
function findEndOfSight(endedUtcMs: number, { endUtcMs, gaps }: Observation): number {
  const blinded = gaps.filter((gap) => gap.endUtcMs > endedUtcMs).map(({ beginUtcMs }) => beginUtcMs);
  return Math.max(endedUtcMs, Math.min(endUtcMs, ...blinded));
}

/** How long ago a database had its last checkpoint. */
export interface CheckpointAge {
  /** Milliseconds, at the time when the facts were read. */
  readonly ageMs: number;
  /** False: a later one may have gone unseen, so that this is the most that it can be. */
  readonly isExact: boolean;
}

/** What is still being recorded is handed over this late at most; a capture that ends earlier than that before now has ended. Milliseconds. */
const LATENESS_MS = 60_000;

/** @param captured null: none was captured, or nothing was tracked */
export function measureCheckpointAge(captured: CapturedCheckpoint | null, nowUtcMs: number): Observed<CheckpointAge> {
  if (captured === null)
    return notObservable('No checkpoint of it was captured; SQL Server keeps no time of the last one that could be asked for.');
  const ageMs = Math.max(0, nowUtcMs - captured.endedUtcMs);
  return observed({ ageMs, isExact: nowUtcMs - captured.seenUntilUtcMs <= LATENESS_MS });
}

/**
 * When a database had its last checkpoint and how much log it has written since, as far as either can be seen; '' where neither can.
 * "last checkpoint 42.0 s ago, 12.3 MB of log since"
 */
export function describeLastCheckpoint(databaseId: number, captured: CapturedCheckpoint | null, { server, logs }: Facts): string {
  const age = measureCheckpointAge(captured, server.nowUtcMs);
  const log = logs.kind === 'observed' ? (logs.value.get(databaseId)?.sinceCheckpointMb ?? null) : null;
  const since = log === null ? '' : `${log.toFixed(1)} MB of log since`;
  if (age.kind === 'not observable') return log === null ? '' : `${since} the last checkpoint`;
  const ago = formatDuration(age.value.ageMs);
  return `last checkpoint ${age.value.isExact ? `${ago} ago` : `at most ${ago} ago`}${log === null ? '' : `, ${since}`}`;
}
