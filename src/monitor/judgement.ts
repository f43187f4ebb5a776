import type { DatabaseFacts, Facts } from '../core/advice/facts';
import type { Preflight } from '../core/advice/finding';
import { type CapturedCheckpoint, findLastCheckpoints } from '../core/advice/last-checkpoint';
import type { Policy } from '../core/advice/policy';
import { createExpectations, noPolicy } from '../core/advice/policy-match';
import { emptyPreflight, listDecisions } from '../core/advice/preflight';
import { idleTask, type TaskOfDatabase } from '../core/advice/task-busy';
import { type Evidence, judgeDatabase, type KnownOfDatabase, type Verdict } from '../core/advice/verdict';
import type { CaptureRecord } from '../core/capture/capture-record';
import { findUnrecorded } from '../core/capture/unrecorded';
import type { TaskScope } from '../core/evidence/checkpoint-task';
import { findAutomaticTime } from '../core/evidence/automatic-time';
import type { BackupRun } from '../core/evidence/backup-run';
import type { ChangeMoment, DatabaseChange } from '../core/evidence/change-moment';
import { type CheckpointStatistics, computeStatisticsSet, measureObserved } from '../core/evidence/statistics';
import { measureTaskShare, type TaskShare } from '../core/evidence/task-share';
import { DATABASES_A_STEP, finishSteps, type Steps } from '../core/steps';
import { readUtcTime, toUtcMs } from '../core/time';

/** What one capture says: statistics by database_id, and how busy the one task of automatic checkpoints was. */
export interface CaptureEvidence {
  readonly statistics: ReadonlyMap<number, CheckpointStatistics>;
  /** By database_id: of databases that have one. */
  readonly lastCheckpoints: ReadonlyMap<number, CapturedCheckpoint>;
  /** Its databases by database_id. */
  readonly task: TaskShare;
  readonly observedMs: number;
  /** The same of one database, by database_id: less where it was not among those recorded all the time. */
  readonly observedMsOf: (databaseId: number) => number;
}

/** Backups of this server by name of the database, and when they were read. */
export interface KnownBackups {
  readonly byName: ReadonlyMap<string, readonly BackupRun[]>;
  readonly readUtcMs: number;
}

/** What tells the checkpoints of the task from others. */
export interface TaskGrounds {
  /** null: not read. */
  readonly backups: KnownBackups | null;
  readonly changes: readonly DatabaseChange[];
}

export const noTaskGrounds: TaskGrounds = { backups: null, changes: [] };

const always = { beginUtcMs: -Infinity, endUtcMs: Infinity };

/** Statistics of the whole capture; null where no time was observed yet. */
export function summarizeCapture(
  capture: CaptureRecord | null,
  facts: Facts,
  grounds: TaskGrounds = noTaskGrounds,
): CaptureEvidence | null {
  return finishSteps(stepSummary(capture, facts, grounds));
}

/** The same in steps. */
export function* stepSummary(capture: CaptureRecord | null, facts: Facts, grounds: TaskGrounds): Steps<CaptureEvidence | null> {
  const observation = capture?.observation ?? null;
  if (capture === null || observation === null) return null;
  const { columns, databases } = capture;
  const living = findLiving(capture, facts);
  const statistics = yield* stepStatistics(capture, facts);
  const task = yield* measureTaskShare(columns, databases.length, {
    window: always,
    observation,
    ...findScope(living, grounds, observation),
  });
  const byId = new Map([...task.databases].flatMap(([index, own]) => mapId(living.get(index), own)));
  const last = yield* findLastCheckpoints(columns, databases.length, observation);
  const lastCheckpoints = new Map(last.flatMap((one, index) => (one === null ? [] : mapId(living.get(index), one))));
  const observedMs = measureObserved(always, observation);
  const { gaps } = observation;
  const observedMsOf = (databaseId: number): number => {
    const left = findUnrecorded(databaseId, observation, gaps);
    if (left.length === 0) return observedMs;
    const own = left.map((stretch) => ({ kind: 'databases changed', reason: '', ...stretch }) as const);
    return measureObserved(always, { ...observation, gaps: [...gaps, ...own] });
  };
  return { statistics, lastCheckpoints, task: { ...task, databases: byId }, observedMs, observedMsOf };
}

/** Statistics of the whole capture alone; null where there is no capture. */
export function summarizeStatistics(capture: CaptureRecord | null, facts: Facts): Pick<CaptureEvidence, 'statistics'> | null {
  return capture && { statistics: finishSteps(stepStatistics(capture, facts)) };
}

/** By database_id: of databases that are there now and have a checkpoint. */
function* stepStatistics(capture: CaptureRecord, facts: Facts): Steps<ReadonlyMap<number, CheckpointStatistics>> {
  const { columns, databases, observation } = capture;
  if (observation === null) return new Map();
  const living = findLiving(capture, facts);
  const set = yield* computeStatisticsSet(columns, databases.length, always, observation);
  return new Map(set.databases.flatMap((one) => (one.count > 0 ? mapId(living.get(one.database), one) : [])));
}

function mapId<T>(database: DatabaseFacts | undefined, value: T): readonly [number, T][] {
  return database === undefined ? [] : [[database.databaseId, value]];
}

/** What was observed after the backups were read may be no more than this part of it: else checkpoints of backups may be in it again. */
const mostSinceBackups = 0.1;

function findScope(
  living: ReadonlyMap<number, DatabaseFacts>,
  { backups, changes }: TaskGrounds,
  { beginUtcMs, endUtcMs }: NonNullable<CaptureRecord['observation']>,
): Pick<TaskScope, 'automatic' | 'backups'> {
  const changesOf = new Map<number, readonly ChangeMoment[]>();
  const backupsOf = new Map<number, readonly BackupRun[]>();
  for (const [index, { databaseId, name }] of living) {
    const own = changes.filter((change) => change.databaseId === databaseId);
    if (own.length > 0) changesOf.set(index, own);
    backupsOf.set(index, backups?.byName.get(name) ?? []);
  }
  const automatic = findAutomaticTime(new Map([...living].map(([index, { targetSeconds }]) => [index, targetSeconds])), changesOf);
  const isRecent = backups !== null && endUtcMs - backups.readUtcMs <= mostSinceBackups * (endUtcMs - beginUtcMs);
  return { automatic, backups: isRecent ? backupsOf : null };
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

/** What verdicts rest on beside the facts and the checkpoints. */
export interface JudgingGrounds {
  readonly policy: Policy;
  readonly preflight: Preflight;
  /** What the error log, the samples and the queue say, by database_id; null: nobody looked at the evidence yet. */
  readonly known: ReadonlyMap<number, KnownOfDatabase> | null;
}

export const noGrounds: JudgingGrounds = { policy: noPolicy.policy, preflight: emptyPreflight, known: null };

/** Entries of a policy that are gone through for one database while it is judged; with more, fewer databases are judged in a step. */
const USUAL_ENTRIES = 200;

/** Verdicts by database_id. @param tracked the databases that were tracked; null: all */
export function* judgeDatabases(
  facts: Facts,
  summary: CaptureEvidence | null,
  tracked: ReadonlySet<number> | null,
  { policy, preflight, known }: JudgingGrounds = noGrounds,
): Steps<ReadonlyMap<number, Verdict>> {
  const verdicts = new Map<number, Verdict>();
  const aStep = Math.ceil((DATABASES_A_STEP * USUAL_ENTRIES) / (USUAL_ENTRIES + policy.targets.length + policy.exceptions.length));
  const expect = createExpectations(policy, facts.server.serverName, facts.server.nowUtcMs);
  const taskOf = summary === null ? () => idleTask : describeTaskOf(summary.task, facts);
  for (const [at, database] of facts.databases.entries()) {
    if (at % aStep === aStep - 1) yield;
    const { databaseId, name } = database;
    const evidence: Evidence = {
      statistics: summary?.statistics.get(databaseId) ?? null,
      observedMs: summary?.observedMsOf(databaseId) ?? 0,
      tracked: summary !== null && (tracked === null || tracked.has(databaseId)),
      task: taskOf(databaseId),
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

/** The task, seen from each database. */
function describeTaskOf({ databases, ...task }: TaskShare, facts: Facts): (databaseId: number) => TaskOfDatabase {
  const [most] = [...databases].sort(([, a], [, b]) => b.share - a.share);
  const name = facts.databases.find(({ databaseId }) => databaseId === most?.[0])?.name ?? null;
  return (databaseId) => {
    const { count: ownCount, share: ownShare } = databases.get(databaseId) ?? { count: 0, share: 0 };
    const heaviest = most === undefined || name === null ? null : { name, share: most[1].share, isOwn: most[0] === databaseId };
    return { ...task, ownCount, ownShare, heaviest };
  };
}
