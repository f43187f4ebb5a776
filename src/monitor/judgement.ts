import type { DatabaseFacts, Facts } from '../core/advice/facts';
import type { Preflight } from '../core/advice/finding';
import type { Policy } from '../core/advice/policy';
import { createExpectations, noPolicy } from '../core/advice/policy-match';
import { emptyPreflight, listDecisions } from '../core/advice/preflight';
import { type Evidence, judgeDatabase, type KnownOfDatabase, type Verdict } from '../core/advice/verdict';
import type { CaptureRecord } from '../core/capture/capture-record';
import { findUnrecorded } from '../core/capture/unrecorded';
import { type CheckpointStatistics, computeBusyShare, computeStatistics, measureObserved } from '../core/evidence/statistics';
import { DATABASES_A_STEP, type Steps } from '../core/steps';
import { readUtcTime, toUtcMs } from '../core/time';

/** What one capture says: statistics by database_id, and how busy the one task of automatic checkpoints was. */
export interface CaptureEvidence {
  readonly statistics: ReadonlyMap<number, CheckpointStatistics>;
  readonly taskBusyShare: number;
  readonly observedMs: number;
  /** The same of one database, by database_id: less where it was not among those recorded all the time. */
  readonly observedMsOf: (databaseId: number) => number;
}

const always = { beginUtcMs: -Infinity, endUtcMs: Infinity };

/** Statistics of the whole capture; null where no time was observed yet. */
export function summarizeCapture(capture: CaptureRecord | null, facts: Facts): CaptureEvidence | null {
  const observation = capture?.observation ?? null;
  if (capture === null || observation === null) return null;
  const { columns, databases } = capture;
  const living = findLiving(capture, facts);
  const statistics = new Map<number, CheckpointStatistics>();
  for (const one of computeStatistics(columns, databases.length, always, observation)) {
    const database = living.get(one.database);
    if (database !== undefined && one.count > 0) statistics.set(database.databaseId, one);
  }
  const taskBusyShare = computeBusyShare(columns, always, observation, findAutomatic(capture, facts)) ?? 0;
  const observedMs = measureObserved(always, observation);
  const { gaps } = observation;
  const observedMsOf = (databaseId: number): number => {
    const left = findUnrecorded(databaseId, observation, gaps);
    if (left.length === 0) return observedMs;
    const own = left.map((stretch) => ({ kind: 'databases changed', reason: '', ...stretch }) as const);
    return measureObserved(always, { ...observation, gaps: [...gaps, ...own] });
  };
  return { statistics, taskBusyShare, observedMs, observedMsOf };
}

/**
 * The databases of the capture that are there now, by their index. A database_id is given again when its database is gone, so id and create_date tell which it is;
 * where the capture does not say when a database was created, its name must not speak against it.
 */
function findLiving(capture: CaptureRecord, facts: Facts): ReadonlyMap<number, DatabaseFacts> {
  const now = new Map(facts.databases.map((database) => [database.databaseId, database]));
  const living = new Map<number, DatabaseFacts>();
  capture.databases.forEach(({ databaseId, createdLocal, name }, index) => {
    const database = now.get(databaseId);
    const isSame = createdLocal === null ? name === null || name === database?.name : createdLocal === database?.createdLocal;
    if (database !== undefined && isSame) living.set(index, database);
  });
  return living;
}

/** Ids of the databases of the capture that are there now. */
export function listKnown(capture: CaptureRecord, facts: Facts): ReadonlySet<number> {
  return new Set([...findLiving(capture, facts).values()].map(({ databaseId }) => databaseId));
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

/** Ids of the databases that a session records or recorded earlier in the capture; null: all. @param databaseIds that it records now */
export function listRecorded(capture: CaptureRecord, databaseIds: readonly number[] | null): ReadonlySet<number> | null {
  const earlier = (capture.observation?.gaps ?? []).flatMap(({ databases }) => (databases === undefined ? [] : [databases.before]));
  if (databaseIds === null || earlier.includes(null)) return null;
  return new Set([...databaseIds, ...earlier.flatMap((ids) => ids ?? [])]);
}

/** Indexes of the databases with automatic checkpoints: only theirs run on the one task (docs/facts.md, SQL Server 1). */
function findAutomatic(capture: CaptureRecord, facts: Facts): ReadonlySet<number> {
  return new Set([...findLiving(capture, facts)].flatMap(([index, { targetSeconds }]) => (targetSeconds === 0 ? [index] : [])));
}

/** What verdicts rest on beside the facts and the checkpoints. */
export interface JudgingGrounds {
  readonly policy: Policy;
  readonly preflight: Preflight;
  /** What the error log, the samples and the queue say, by database_id; null: nobody looked at the evidence yet. */
  readonly known: ReadonlyMap<number, KnownOfDatabase> | null;
}

export const noGrounds: JudgingGrounds = { policy: noPolicy.policy, preflight: emptyPreflight, known: null };

/** Verdicts by database_id. @param tracked the databases that were tracked; null: all */
export function* judgeDatabases(
  facts: Facts,
  summary: CaptureEvidence | null,
  tracked: ReadonlySet<number> | null,
  { policy, preflight, known }: JudgingGrounds = noGrounds,
): Steps<ReadonlyMap<number, Verdict>> {
  const verdicts = new Map<number, Verdict>();
  const expect = createExpectations(policy, facts.server.serverName, facts.server.nowUtcMs);
  for (const [at, database] of facts.databases.entries()) {
    if (at % DATABASES_A_STEP === DATABASES_A_STEP - 1) yield;
    const { databaseId, name } = database;
    const evidence: Evidence = {
      statistics: summary?.statistics.get(databaseId) ?? null,
      observedMs: summary?.observedMsOf(databaseId) ?? 0,
      tracked: summary !== null && (tracked === null || tracked.has(databaseId)),
      taskBusyShare: summary?.taskBusyShare ?? 0,
      known: known?.get(databaseId) ?? null,
    };
    const circumstances = {
      expectation: expect(name),
      decisions: listDecisions(preflight, databaseId),
    };
    verdicts.set(databaseId, judgeDatabase(database, facts, evidence, circumstances));
  }
  return verdicts;
}
