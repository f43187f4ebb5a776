/** What verdicts take from the evidence that is computed when somebody looks: for each database its own figures only. */
import type { KnownOfDatabase } from '../../core/advice/verdict';
import type { LatencyAnswer } from '../../core/write-work/latency-during';
import { pickRank } from '../../core/sorted';
import type { Facts } from '../../core/advice/facts';
import type { LoggedScan } from '../../core/errorlog/error-log-message';
import { isCertain } from '../../core/errorlog/logged-evidence';
import type { JoinedDatabase } from './joined-database';

/** FlushCache messages of this many days count: older ones say little about now. */
const FLUSH_CACHE_DAYS = 7;
const DAY_MS = 86_400_000;
/** Samples of one database that are kept; the oldest go. */
const MOST_SAMPLES = 200;

interface KnownSources {
  /** Latency of writes to the log, by database_id, for the databases that wrote most. */
  readonly logLatencies: ReadonlyMap<number, LatencyAnswer | null>;
  /** Scans that message 898 names. */
  readonly scans: readonly LoggedScan[];
  /** Log since the last checkpoint as it was seen. */
  readonly redo: RedoSamples;
  /** The server's clock. */
  readonly nowUtcMs: number;
}

/** By database_id. */
export function gatherKnown(
  databases: readonly JoinedDatabase[],
  { logLatencies, scans, redo, nowUtcMs }: KnownSources,
): ReadonlyMap<number, KnownOfDatabase> {
  const sinceUtcMs = nowUtcMs - FLUSH_CACHE_DAYS * DAY_MS;
  const scanMs = new Map<number, number>();
  for (const scan of scans) {
    const isOfCheckpoint = scan.command.toUpperCase() === 'CHECKPOINT' && isCertain(scan) && (scan.atUtcMs ?? 0) >= sinceUtcMs;
    if (isOfCheckpoint) scanMs.set(scan.databaseId, Math.max(scanMs.get(scan.databaseId) ?? 0, scan.durationSeconds * 1000));
  }
  return new Map(
    databases.map(({ databaseId, flushCacheUtcMs }): [number, KnownOfDatabase] => {
      const messages = flushCacheUtcMs?.filter((utcMs) => utcMs >= sinceUtcMs).length;
      return [
        databaseId,
        {
          flushCache: messages === undefined ? null : { messages, days: FLUSH_CACHE_DAYS },
          logLatency: logLatencies.get(databaseId) ?? null,
          scanMs: scanMs.get(databaseId) ?? null,
          toRedoMb: redo.rate(databaseId),
        },
      ];
    }),
  );
}

/** Log written since the last checkpoint of each database, one sample for each time it was read: a review reads it, and Refresh. */
export class RedoSamples {
  private readonly samples = new Map<number, number[]>();
  private readUtcMs: number | null = null;

  /** Takes what is new. */
  add({ logs, moreReadUtcMs }: Pick<Facts, 'logs' | 'moreReadUtcMs'>): void {
    if (logs.kind === 'not observable' || moreReadUtcMs === null || moreReadUtcMs === this.readUtcMs) return;
    this.readUtcMs = moreReadUtcMs;
    for (const [databaseId, { sinceCheckpointMb }] of logs.value) if (sinceCheckpointMb !== null) this.take(databaseId, sinceCheckpointMb);
  }

  take(databaseId: number, megabytes: number): void {
    const own = this.samples.get(databaseId) ?? [];
    if (own.push(megabytes) > MOST_SAMPLES) own.shift();
    this.samples.set(databaseId, own);
  }

  /** The 95th percentile in MB; null: nothing was read of this database. */
  rate(databaseId: number): number | null {
    const own = this.samples.get(databaseId);
    return own === undefined ? null : pickRank(Float64Array.from(own).sort(), 95);
  }
}
