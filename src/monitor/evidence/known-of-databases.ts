/** What verdicts take from the evidence computed while a page is open: for each database its own figures only. */
import type { KnownOfDatabase } from '../../core/advice/known-of-database';
import type { LatencyAnswer } from '../../core/write-work/latency-during';
import { addToList } from '../../core/lists';
import { pickRank } from '../../core/sorted';
import type { Facts } from '../../core/advice/facts';
import type { ErrorLogReading } from '../../core/errorlog/error-log';
import type { Logged } from '../../core/errorlog/error-log-row';
import { isCertain } from '../../core/errorlog/logged-evidence';
import { isOf, type JoinedDatabase } from './joined-database';

/** Messages of this many days count: older ones say little about now. */
const LOGGED_DAYS = 7;
const DAY_MS = 86_400_000;
/** Samples of one database that are kept; the oldest go. */
const MOST_SAMPLES = 200;

export interface KnownSources {
  /** Latency of writes to the log, by database_id, for the databases that wrote most. */
  readonly logLatencies: ReadonlyMap<number, LatencyAnswer | null>;
  /** The same of the same databases, for the checkpoints of all databases: a neighbour's may make them wait. */
  readonly neighbourLatencies?: ReadonlyMap<number, LatencyAnswer | null>;
  /** Bytes of log that were written in a millisecond, by database_id; a database that is missing was not sampled. */
  readonly logRates?: ReadonlyMap<number, number>;
  /** Messages of the error log; null: it was not read. */
  readonly logged: Pick<ErrorLogReading, 'scans' | 'slowIos' | 'failures' | 'notices'> | null;
  /** Log since the last checkpoint as it was seen. */
  readonly redo: RedoSamples;
  readonly nowUtcMs: number;
}

/** By database_id. */
export function gatherKnown(
  databases: readonly JoinedDatabase[],
  { logLatencies, neighbourLatencies, logRates, logged, redo, nowUtcMs }: KnownSources,
): ReadonlyMap<number, KnownOfDatabase> {
  const sinceUtcMs = nowUtcMs - LOGGED_DAYS * DAY_MS;
  const isRecent = (one: Logged): boolean => isCertain(one) && (one.atUtcMs ?? 0) >= sinceUtcMs;
  const failures = countMessages((logged?.failures ?? []).filter(isRecent));
  const slowIos = countMessages((logged?.slowIos ?? []).filter(isRecent));
  const latches = countMessages(
    (logged?.notices ?? []).flatMap((one) =>
      one.kind === 'latch time-out' && isRecent(one) ? { ...one, databaseName: null } : [],
    ),
  );
  const scanMs = new Map<number, number>();
  for (const scan of logged?.scans ?? []) {
    if (scan.command.toUpperCase() !== 'CHECKPOINT' || !isRecent(scan)) continue;
    scanMs.set(scan.databaseId, Math.max(scanMs.get(scan.databaseId) ?? 0, scan.durationSeconds * 1000));
  }
  return new Map(
    databases.map((database): [number, KnownOfDatabase] => {
      const { databaseId, flushCacheUtcMs } = database;
      const messages = flushCacheUtcMs?.filter((utcMs) => utcMs >= sinceUtcMs).length;
      return [
        databaseId,
        {
          flushCache: messages === undefined ? null : { messages, days: LOGGED_DAYS },
          failures: failures(database),
          slowIos: slowIos(database),
          latches: latches(database),
          logLatency: logLatencies.get(databaseId) ?? null,
          neighbourLatency: neighbourLatencies?.get(databaseId) ?? null,
          scanMs: scanMs.get(databaseId) ?? null,
          toRedoMb: rateRedo(redo, databaseId),
          logBytesPerMs: logRates?.get(databaseId) ?? 0,
        },
      ];
    }),
  );
}

interface OfDatabase extends Logged {
  readonly databaseId: number | null;
  readonly databaseName: string | null;
}

/** How many are of a database: by the id that they name, or else by the name. */
function countMessages(messages: readonly OfDatabase[]): (database: JoinedDatabase) => number {
  const own = new Map<number | string | null, number[]>();
  for (const { databaseId, databaseName, atUtcMs } of messages)
    addToList(own, databaseId ?? databaseName, atUtcMs ?? 0);
  return (database) =>
    [database.databaseId, database.name]
      .flatMap((key) => own.get(key) ?? [])
      .filter((utcMs) => isOf(database, utcMs)).length;
}

/**
 * Log written since the last checkpoint of each database, one sample for each time it was read: a review reads it, and
 * Refresh.
 */
export interface RedoSamples {
  /** MB by database_id, oldest first. */
  readonly samples: ReadonlyMap<number, readonly number[]>;
  readonly readUtcMs: number | null;
}

export const NO_REDO: RedoSamples = { samples: new Map(), readUtcMs: null };

export function addRedo(
  redo: RedoSamples,
  { logs, moreReadUtcMs }: Pick<Facts, 'logs' | 'moreReadUtcMs'>,
): RedoSamples {
  if (logs.kind === 'not observable' || moreReadUtcMs === null || moreReadUtcMs === redo.readUtcMs)
    return redo;
  const samples = new Map(redo.samples);
  for (const [databaseId, { sinceCheckpointMb }] of logs.value)
    if (sinceCheckpointMb !== null)
      samples.set(databaseId, [...(samples.get(databaseId) ?? []), sinceCheckpointMb].slice(-MOST_SAMPLES));
  return { samples, readUtcMs: moreReadUtcMs };
}

/** The 95th percentile in MB; null: nothing was read of this database. */
function rateRedo({ samples }: RedoSamples, databaseId: number): number | null {
  const own = samples.get(databaseId);
  return own === undefined ? null : pickRank(Float64Array.from(own).sort(), 95);
}
