import type { Ledger } from '../../simulator/engine/ledger/ledger';

const SESSION = 'CheckpointHealth';

/** What the databases table must show of one database. Milliseconds. */
export interface Truth {
  readonly databaseId: number;
  readonly count: number;
  readonly totalMs: number;
  readonly maximumMs: number;
}

/** The simulator's own account of the checkpoints whose begin and end our session captured, by database_id. */
export function readTruth(ledger: Ledger): readonly Truth[] {
  const truths = new Map<number, Truth>();
  for (const { databaseId, durationMs } of readCheckpoints(ledger)) {
    const { count, totalMs, maximumMs } = truths.get(databaseId) ?? { count: 0, totalMs: 0, maximumMs: 0 };
    truths.set(databaseId, {
      databaseId,
      count: count + 1,
      totalMs: totalMs + durationMs,
      maximumMs: Math.max(maximumMs, durationMs),
    });
  }
  return [...truths.values()].sort((a, b) => a.databaseId - b.databaseId);
}

/** One checkpoint as it was. */
interface TrueCheckpoint extends Pick<Truth, 'databaseId'> {
  readonly databaseName: string;
  readonly beginUtcMs: number;
  readonly durationMs: number;
}

/** The checkpoints that our session captured whole. */
export function readCheckpoints(ledger: Ledger): readonly TrueCheckpoint[] {
  return ledger
    .capturedBy(SESSION)
    .flatMap(({ databaseId, databaseName, beginUtcMs, endUtcMs }) =>
      beginUtcMs === null || endUtcMs === null
        ? []
        : [{ databaseId, databaseName, beginUtcMs, durationMs: endUtcMs - beginUtcMs }],
    );
}
