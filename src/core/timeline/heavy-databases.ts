/** Which few databases make up most of the checkpoint time: the timeline sets their names off. */
import type { CheckpointStatistics } from '../statistics/statistics';

interface HeavyDatabases {
  /** Indexes into the capture's list of databases, the heaviest first. */
  readonly databases: readonly number[];
  /** Their part of the sum of all durations, 0 to 1. */
  readonly share: number;
}

/** What counts as most of the time. */
const MOST = 0.8;

/** The fewest databases whose durations add up to at least 80 % of all; none where there is no checkpoint time. */
export function findHeavyDatabases(statistics: readonly CheckpointStatistics[]): HeavyDatabases {
  const sorted = statistics.filter((figures) => figures.totalMs > 0).sort((a, b) => b.totalMs - a.totalMs || a.database - b.database);
  const totalMs = sorted.reduce((sum, figures) => sum + figures.totalMs, 0);
  const databases: number[] = [];
  let sumMs = 0;
  for (const figures of sorted) {
    if (sumMs >= totalMs * MOST) break;
    databases.push(figures.database);
    sumMs += figures.totalMs;
  }
  return { databases, share: totalMs === 0 ? 0 : sumMs / totalMs };
}
