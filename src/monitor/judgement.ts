import type { Facts } from '../core/advice/facts';
import { type Evidence, judgeDatabase, type Verdict } from '../core/advice/verdict';
import type { CaptureRecord } from '../core/capture/capture-record';
import { type CheckpointStatistics, computeBusyShare, computeStatistics, measureObserved } from '../core/evidence/statistics';
import { readUtcTime, toUtcMs } from '../core/time';

/** What one capture says: statistics by database_id, and how busy the one task of automatic checkpoints was. */
export interface CaptureEvidence {
  readonly statistics: ReadonlyMap<number, CheckpointStatistics>;
  readonly taskBusyShare: number;
  readonly observedMs: number;
}

const always = { beginUtcMs: -Infinity, endUtcMs: Infinity };

/** Statistics of the whole capture; null where no time was observed yet. */
export function summarizeCapture(capture: CaptureRecord | null, facts: Facts): CaptureEvidence | null {
  const observation = capture?.observation ?? null;
  if (capture === null || observation === null) return null;
  const { columns, databases } = capture;
  const known = listKnown(capture, facts);
  const statistics = new Map<number, CheckpointStatistics>();
  for (const one of computeStatistics(columns, databases.length, always, observation)) {
    const databaseId = databases[one.database]?.databaseId;
    if (databaseId !== undefined && known.has(databaseId) && one.count > 0) statistics.set(databaseId, one);
  }
  const taskBusyShare = computeBusyShare(columns, always, observation, findAutomatic(capture, facts)) ?? 0;
  return { statistics, taskBusyShare, observedMs: measureObserved(always, observation) };
}

/**
 * Ids of the databases in the capture, without those that carry another name now: a database_id is given again when its database is gone, so a capture from
 * before may speak of another database.
 */
export function listKnown(capture: CaptureRecord, facts: Facts): ReadonlySet<number> {
  const names = new Map(facts.databases.map((database) => [database.databaseId, database.name]));
  const known = capture.databases.filter(({ databaseId, name }) => name === null || name === names.get(databaseId));
  return new Set(known.map(({ databaseId }) => databaseId));
}

/** Ids of the databases that were there before the capture began, by their create_date, and are not contradicted by it. */
export function listThere(capture: CaptureRecord, facts: Facts): ReadonlySet<number> {
  const known = listKnown(capture, facts);
  const captured = new Set(capture.databases.map(({ databaseId }) => databaseId));
  // An hour for the clock having been changed between summer and winter since.
  const beginUtcMs = (capture.observation?.beginUtcMs ?? -Infinity) - 3_600_000;
  const there = facts.databases.filter(({ databaseId, createdLocal }) => {
    if (captured.has(databaseId)) return known.has(databaseId);
    const createdMs = readUtcTime(createdLocal);
    return createdMs !== null && toUtcMs(createdMs, facts.server.utcOffsetMinutes) < beginUtcMs;
  });
  return new Set(there.map(({ databaseId }) => databaseId));
}

/** Indexes of the databases with automatic checkpoints: only theirs run on the one task (docs/facts.md, SQL Server 1). */
function findAutomatic(capture: CaptureRecord, facts: Facts): ReadonlySet<number> {
  const automatic = new Set(facts.databases.filter((database) => database.targetSeconds === 0).map((database) => database.databaseId));
  const indexes = new Set<number>();
  capture.databases.forEach((database, index) => {
    if (automatic.has(database.databaseId)) indexes.add(index);
  });
  return indexes;
}

/** Verdicts by database_id. @param tracked the databases that were tracked; null: all */
export function judgeDatabases(
  facts: Facts,
  summary: CaptureEvidence | null,
  tracked: ReadonlySet<number> | null,
): ReadonlyMap<number, Verdict> {
  const verdicts = new Map<number, Verdict>();
  for (const database of facts.databases) {
    const evidence: Evidence | null =
      summary === null
        ? null
        : {
            statistics: summary.statistics.get(database.databaseId) ?? null,
            observedMs: summary.observedMs,
            tracked: tracked === null || tracked.has(database.databaseId),
            taskBusyShare: summary.taskBusyShare,
          };
    verdicts.set(database.databaseId, judgeDatabase(database, facts, evidence));
  }
  return verdicts;
}
