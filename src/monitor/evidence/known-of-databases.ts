/** What verdicts take from the evidence that is computed when somebody looks: of each database its own figures alone. */
import type { KnownOfDatabase } from '../../core/advice/verdict';
import type { LatencyAnswer } from '../../core/evidence/latency-during';
import type { TaskStatistics } from '../../core/evidence/task-statistics';
import type { JoinedDatabase } from './joined-database';

/** FlushCache messages of so many days count: older ones say little about now. */
const FLUSH_CACHE_DAYS = 7;
const DAY_MS = 86_400_000;

export interface ComputedWork {
  /** null: nothing was captured. */
  readonly task: TaskStatistics | null;
  /** Of writes to the log, by database_id; only of databases that were asked about. */
  readonly logLatencies: ReadonlyMap<number, LatencyAnswer | null>;
}

/** By database_id. @param nowUtcMs the server's clock */
export function gatherKnown(
  databases: readonly JoinedDatabase[],
  { task, logLatencies }: ComputedWork,
  nowUtcMs: number,
): ReadonlyMap<number, KnownOfDatabase> {
  const delays = new Map(task?.delays.map((delay) => [delay.database, delay]));
  const sinceUtcMs = nowUtcMs - FLUSH_CACHE_DAYS * DAY_MS;
  return new Map(
    databases.map(({ databaseId, captured, flushCacheUtcMs }): [number, KnownOfDatabase] => {
      const messages = flushCacheUtcMs?.filter((utcMs) => utcMs >= sinceUtcMs).length;
      return [
        databaseId,
        {
          flushCache: messages === undefined ? null : { messages, days: FLUSH_CACHE_DAYS },
          delay: captured === null ? null : (delays.get(captured) ?? null),
          logLatency: logLatencies.get(databaseId) ?? null,
        },
      ];
    }),
  );
}
