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
  for (const { databaseId, beginUtcMs, endUtcMs } of ledger.capturedBy(SESSION)) {
    if (beginUtcMs === null || endUtcMs === null) continue;
    const durationMs = endUtcMs - beginUtcMs;
    const { count, totalMs, maximumMs } = truths.get(databaseId) ?? { count: 0, totalMs: 0, maximumMs: 0 };
    truths.set(databaseId, { databaseId, count: count + 1, totalMs: totalMs + durationMs, maximumMs: Math.max(maximumMs, durationMs) });
  }
  return [...truths.values()].sort((a, b) => a.databaseId - b.databaseId);
}

/** One checkpoint as it was, on both clocks. */
interface TrueCheckpoint {
  readonly databaseId: number;
  readonly databaseName: string;
  readonly beginUtcMs: number;
  readonly beginServerMs: number;
  readonly durationMs: number;
}

/** The checkpoints that our session captured whole, and the clocks that a dashboard shows them on. */
export interface TrueCheckpoints {
  readonly serverOffsetMs: number;
  /** Of the reader's machine at the time of the model. */
  readonly localOffsetMs: number;
  readonly all: readonly TrueCheckpoint[];
  /** In order of time. */
  of(databaseName: string): readonly TrueCheckpoint[];
  onServer(utcMs: number): number;
  /** A time of day as the dashboard writes it, on the day of what is in view. */
  momentOn(inView: { readonly beginMs: number }, timeOfDay: string): number;
}

export function readCheckpoints(ledger: Ledger, serverOffsetMinutes: number, localOffsetMinutes: number): TrueCheckpoints {
  const serverOffsetMs = serverOffsetMinutes * 60_000;
  const all = ledger
    .capturedBy(SESSION)
    .flatMap(({ databaseId, databaseName, beginUtcMs, endUtcMs }): readonly TrueCheckpoint[] =>
      beginUtcMs === null || endUtcMs === null
        ? []
        : [{ databaseId, databaseName, beginUtcMs, beginServerMs: beginUtcMs + serverOffsetMs, durationMs: endUtcMs - beginUtcMs }],
    )
    .sort((a, b) => a.beginUtcMs - b.beginUtcMs);
  const byName = new Map<string, TrueCheckpoint[]>();
  for (const one of all) byName.set(one.databaseName, [...(byName.get(one.databaseName) ?? []), one]);
  return {
    serverOffsetMs,
    localOffsetMs: localOffsetMinutes * 60_000,
    all,
    of: (name) => byName.get(name) ?? [],
    onServer: (utcMs) => utcMs + serverOffsetMs,
    momentOn: ({ beginMs }, timeOfDay) => Date.parse(`${new Date(beginMs).toISOString().slice(0, 10)}T${timeOfDay}Z`),
  };
}
