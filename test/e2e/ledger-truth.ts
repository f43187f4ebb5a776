import type { Ledger } from '../../simulator/engine/ledger';

/** What the offenders table must show of one database. Milliseconds. */
export interface Truth {
  readonly databaseId: number;
  readonly count: number;
  readonly totalMs: number;
  readonly maximumMs: number;
}

/** The simulator's own account of the checkpoints whose begin and end the session captured, by database_id. */
export function readTruth(ledger: Ledger, sessionName: string): readonly Truth[] {
  const truths = new Map<number, Truth>();
  for (const { databaseId, beginUtcMs, endUtcMs } of ledger.capturedBy(sessionName)) {
    if (beginUtcMs === null || endUtcMs === null) continue;
    const durationMs = endUtcMs - beginUtcMs;
    const { count, totalMs, maximumMs } = truths.get(databaseId) ?? { count: 0, totalMs: 0, maximumMs: 0 };
    truths.set(databaseId, { databaseId, count: count + 1, totalMs: totalMs + durationMs, maximumMs: Math.max(maximumMs, durationMs) });
  }
  return [...truths.values()].sort((a, b) => a.databaseId - b.databaseId);
}
