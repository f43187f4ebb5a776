import { areAutomaticOff, type DatabaseFacts, type Facts, recoveryIntervalMs } from '../../core/advice/facts';
import type { Preflight } from '../../core/advice/finding';
import { type CapturedCheckpoint, findLastCheckpoints } from '../../core/advice/last-checkpoint';
import {
  createExpectations,
  createRedoBounds,
  type Expectation,
  noPolicy,
  type Policy,
} from '../../core/advice/policy';
import { emptyPreflight } from '../../core/advice/rules/preflight';
import { type AdviceGrounds, adviseServer, type ServerVerdict } from '../../core/advice/server-advice';
import { estimateLikely } from '../../core/advice/forecast';
import { findLastWave } from '../../core/advice/forecast-seen';
import {
  DEFAULT_BOUND,
  findFiguresSince,
  type Instance,
  LEAST_OBSERVED_MS,
  judgeInstance,
} from '../../core/advice/instance';
import { findObstacle, findTurnTarget, isUserDatabase } from '../../core/advice/obstacle';
import type { KnownOfDatabase } from '../../core/advice/known-of-database';
import type { Weight } from '../../core/advice/plan';
import { type Evidence, judgeDatabase, type Verdict } from '../../core/advice/verdict';
import type { CaptureRecord } from '../../core/capture/capture-record';
import type { Observation } from '../../core/capture/checkpoint-columns';
import { findUnrecorded } from '../../core/capture/unrecorded';
import { listChanges } from '../../core/comparison/changes';
import { type ChangedDatabase, computeResult, type Result } from '../../core/comparison/result';
import { chooseSides, type Side } from '../../core/comparison/sides';
import type { OffsetPeriod } from '../../core/errorlog/server-clock';
import { addToList } from '../../core/lists';
import { addCutTurns, findBegun } from '../../core/task/cut-turns';
import { findTask, type TaskScope } from '../../core/task/checkpoint-task';
import { findAutomaticTime } from '../../core/task/automatic-time';
import type { BackupRun } from '../../core/task/backup-rows';
import type { ChangeMoment, DatabaseChange } from '../../core/task/change-moment';
import {
  type CheckpointStatistics,
  computeStatistics,
  measureObserved,
} from '../../core/statistics/statistics';
import type { TimeWindow } from '../../core/statistics/observed-time';
import { measureTaskShare, type TaskShare } from '../../core/task/task-share';
import { DATABASES_A_STEP, type Steps } from '../../core/steps';
import { measureLooks, type QueueBusy } from '../../core/write-work/write-figures';
import { t } from '../../core/language';
import { findLiving, type Living } from './captured-databases';

/** What one capture says: statistics by database_id, and how busy the one task of automatic checkpoints was. */
export interface CaptureEvidence {
  /**
   * Of databases that are there now and have a checkpoint: since the last change that counts, once there are ten
   * minutes of it, else of all time.
   */
  readonly statistics: ReadonlyMap<number, CheckpointStatistics>;
  /** By database_id, for databases that have one. */
  readonly lastCheckpoints: ReadonlyMap<number, CapturedCheckpoint>;
  /** Ids of databases of which a begin was seen, and no checkpoint. */
  readonly begun: ReadonlySet<number>;
  /** The task since the last change that counts, if there was one: the side after it. Databases are by database_id. */
  readonly task: TaskShare;
  /** What became of the changes; null: nothing was changed. */
  readonly result: Result | null;
  /**
   * When a target recovery time was last changed, and the side after it, where the result divides the time; null: it
   * does not.
   */
  readonly sinceUtcMs: number | null;
  readonly since: Side | null;
  /** How busy the task was before that; null: not at all, or nothing was observed before it. */
  readonly busyBefore: number | null;
  readonly observedMs: number;
  /** How long its statistics rest on, by database_id: less if it was not recorded all the time. */
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
  /** Of the server's clock; empty: only the present one is known. */
  readonly offsets: readonly OffsetPeriod[];
  /** Ids of the databases that the session records; absent or null: all, or it is not known. */
  readonly recorded?: ReadonlySet<number> | null;
}

export const noTaskGrounds: TaskGrounds = { backups: null, changes: [], offsets: [] };

const always = { beginUtcMs: -Infinity, endUtcMs: Infinity };

/** What the capture says; null if no time was observed yet. */
export function* summarizeCapture(
  capture: CaptureRecord | null,
  facts: Facts,
  grounds: TaskGrounds,
): Steps<CaptureEvidence | null> {
  const observation = capture?.observation ?? null;
  if (capture === null || observation === null) return null;
  const { columns, databases } = capture;
  const living = findLiving(capture, facts);
  const changesOf = new Map<number, DatabaseChange[]>();
  for (const change of grounds.changes) addToList(changesOf, change.databaseId, change);
  const changed = listChanged(living, changesOf, facts, grounds.recorded ?? null);
  const scope = findScope(living, changesOf, facts, grounds.backups, observation);
  const turns = yield* addCutTurns(capture, observation, scope.automatic);
  // One task for all windows: before and after a change it is the same one.
  const finding = yield* findTask(turns, { ...scope, observation });
  const intervalMs = recoveryIntervalMs(facts.server);
  const offsets =
    grounds.offsets.length > 0
      ? grounds.offsets
      : [{ fromUtcMs: -Infinity, offsetMinutes: facts.server.utcOffsetMinutes }];
  const divided = yield* divideTime(capture, observation, changed, offsets, (window, watched) =>
    measureTaskShare(
      turns,
      databases.length,
      { ...scope, finding, window, observation: watched },
      intervalMs,
    ),
  );
  // Figures of databases are of the same time as the verdict.
  const since = findFiguresSince(divided) === null ? null : divided.since;
  const watched = since?.observation ?? observation;
  const figures = yield* computeStatistics(columns, databases.length, since ?? always, watched);
  const last = yield* findLastCheckpoints(columns, databases.length, observation);
  // A database that was switched had its time in the task before that; if it had a turn since, it will again.
  const switched = divided.since === null ? changed.map(({ captured }) => captured) : [];
  return {
    ...divided,
    task: nameTask(divided.task, living, new Set(switched)),
    statistics: new Map(
      figures.databases.flatMap((one) => (one.count > 0 ? mapId(living.get(one.database), one) : [])),
    ),
    lastCheckpoints: new Map(
      last.flatMap((one, index) => (one === null ? [] : mapId(living.get(index), one))),
    ),
    begun: yield* findBegun(capture),
    observedMs: measureObserved(always, observation),
    observedMsOf: createObservedTime(observation, watched),
  };
}

/** What became of the changes, and the task in the time that counts, its databases by index in the capture. */
function* divideTime(
  { columns, databases }: CaptureRecord,
  observation: Observation,
  changed: readonly ChangedDatabase[],
  offsets: readonly OffsetPeriod[],
  measure: (window: TimeWindow, watched: Observation) => Steps<TaskShare>,
): Steps<Pick<CaptureEvidence, 'task' | 'result' | 'sinceUtcMs' | 'since' | 'busyBefore'>> {
  const undivided = { result: null, sinceUtcMs: null, since: null, busyBefore: null };
  const moments = changed.flatMap(({ changes }) => changes);
  const sides = chooseSides(moments, observation, offsets);
  if (sides === null) return { ...undivided, task: yield* measure(always, observation) };
  const before = yield* measure(sides.before, sides.before.observation);
  const after = yield* measure(sides.after, sides.after.observation);
  const task = { before, after };
  const result = yield* computeResult({ columns, databases: databases.length, sides, task, changed });
  const isBeforeSeen = before.observedMs > 0;
  const whole = isBeforeSeen ? null : yield* measure(always, observation);
  if (!isMuch(changed, whole ?? before, observation))
    return { ...undivided, result, task: whole ?? (yield* measure(always, observation)) };
  return {
    // Without hours to choose, both are the same time.
    task: sides.areSameHours ? yield* measure(sides.since, sides.since.observation) : after,
    result,
    sinceUtcMs: sides.lastUtcMs,
    since: sides.since,
    busyBefore: isBeforeSeen ? before.busyShare : null,
  };
}

/** The task with its databases by database_id: those that will have turns on it again. */
function nameTask(task: TaskShare, living: Living, switched: ReadonlySet<number | null>): TaskShare {
  const isStill = (index: number, count: number): boolean =>
    (living.get(index)?.targetSeconds ?? 0) === 0 || (count > 0 && !switched.has(index));
  const databases = new Map(
    [...task.databases].flatMap(([index, own]) =>
      isStill(index, own.count) ? mapId(living.get(index), own) : [],
    ),
  );
  const left = [...task.databases].filter(
    ([index, { count }]) => count > 0 && !databases.has(living.get(index)?.databaseId ?? -1),
  );
  const run = task.longestRun;
  return {
    ...task,
    databases,
    longestRun: run && {
      ...run,
      hogs: new Map([...run.hogs].flatMap(([index, part]) => mapId(living.get(index), part))),
    },
    gone: { databases: left.length, share: left.reduce((sum, [, { share }]) => sum + share, 0) },
  };
}

function createObservedTime(observation: Observation, watched: Observation): CaptureEvidence['observedMsOf'] {
  const { gaps } = observation;
  const watchedMs = measureObserved(always, watched);
  return (databaseId) => {
    const left = findUnrecorded(databaseId, observation, gaps);
    if (left.length === 0) return watchedMs;
    const own = left.map((stretch) => ({ kind: 'databases changed', reason: '', ...stretch }) as const);
    return measureObserved(always, { ...watched, gaps: [...gaps, ...own] });
  };
}

/**
 * A change counts only if the changed databases together had this part of the task's time: a small one does not divide
 * the time.
 */
const LEAST_CHANGED = 0.05;

/** Databases that are there now and were changed, each change once. */
function listChanged(
  living: Living,
  changesOf: ReadonlyMap<number, readonly DatabaseChange[]>,
  facts: Facts,
  recorded: ReadonlySet<number> | null,
): readonly ChangedDatabase[] {
  const indexes = new Map([...living].map(([index, { databaseId }]) => [databaseId, index]));
  return facts.databases.flatMap(({ databaseId, name, targetSeconds }) => {
    const own = listChanges(changesOf.get(databaseId) ?? []);
    const last = own[own.length - 1];
    if (last === undefined) return [];
    // A moment set by hand is compared whatever was changed then; and a change after the facts is newer than the target
    // in them.
    const isNewer = last.source === 'user' || last.atUtcMs > facts.server.nowUtcMs;
    const isAutomatic = (isNewer ? last.toSeconds : (targetSeconds ?? last.toSeconds)) === 0;
    const isRecorded = recorded === null || recorded.has(databaseId);
    return [
      { databaseId, name, captured: indexes.get(databaseId) ?? null, changes: own, isRecorded, isAutomatic },
    ];
  });
}

/**
 * Whether those that were changed during the capture had their part of the task's time.
 * @param task before the first change, or in all the time
 */
function isMuch(changed: readonly ChangedDatabase[], task: TaskShare, { beginUtcMs }: TimeWindow): boolean {
  const within = changed.filter(
    ({ captured, changes }) => captured !== null && changes.some(({ atUtcMs }) => atUtcMs > beginUtcMs),
  );
  const share = within.reduce(
    (sum, { captured }) => sum + (task.databases.get(captured ?? -1)?.share ?? 0),
    0,
  );
  return within.length > 0 && share >= LEAST_CHANGED * task.busyShare;
}

function mapId<T>(database: DatabaseFacts | undefined, value: T): readonly [number, T][] {
  return database === undefined ? [] : [[database.databaseId, value]];
}

/** If more than this part of the capture came after backups were read, checkpoints of later backups may be in it. */
const MOST_SINCE_BACKUPS = 0.1;

function findScope(
  living: Living,
  changesOf: ReadonlyMap<number, readonly DatabaseChange[]>,
  facts: Facts,
  backups: KnownBackups | null,
  { beginUtcMs, endUtcMs }: Observation,
): Pick<TaskScope, 'automatic' | 'backups'> {
  const targets = new Map<number, number | null>();
  const changes = new Map<number, readonly ChangeMoment[]>();
  const backupsOf = new Map<number, readonly BackupRun[]>();
  for (const [index, database] of living) {
    targets.set(index, findTurnTarget(database, facts));
    const own = changesOf.get(database.databaseId);
    if (own !== undefined) changes.set(index, own);
    backupsOf.set(index, backups?.byName.get(database.name) ?? []);
  }
  const isRecent =
    backups !== null && endUtcMs - backups.readUtcMs <= MOST_SINCE_BACKUPS * (endUtcMs - beginUtcMs);
  return { automatic: findAutomaticTime(targets, changes), backups: isRecent ? backupsOf : null };
}

/** What verdicts rest on besides the facts and the checkpoints. */
export interface JudgingGrounds extends Pick<
  AdviceGrounds,
  'hold' | 'missed' | 'soFar' | 'planned' | 'logWrites' | 'before'
> {
  readonly policy: Policy;
  readonly preflight: Preflight;
  /** What the error log, the samples and the queue say, by database_id; null: the evidence was not opened yet. */
  readonly known: ReadonlyMap<number, KnownOfDatabase> | null;
  /** Up to this share of the time the task counts as free. */
  readonly bound: number;
  /** Why nothing can be recorded here; null: it can. */
  readonly blind: string | null;
  /** Ids of the databases that the session records; null: all, or it is not known. */
  readonly recorded: ReadonlySet<number> | null;
  /** `queueBusy` of the page I/O; absent or null: not known. */
  readonly byWaits?: QueueBusy | null;
  readonly isRecording: boolean;
}

export const noGrounds: JudgingGrounds = {
  policy: noPolicy.policy,
  preflight: emptyPreflight,
  known: null,
  bound: DEFAULT_BOUND,
  blind: null,
  recorded: null,
  hold: null,
  missed: null,
  soFar: null,
  planned: null,
  logWrites: 'not read',
  isRecording: false,
  before: null,
};

/** Entries of a policy. If it has more, fewer databases are judged in a step. */
const USUAL_ENTRIES = 200;

/** The same function, which computes each value once. */
export function rememberFor<T>(create: (key: string) => T): (key: string) => T {
  const created = new Map<string, T>();
  return (key) => {
    const value = created.get(key) ?? create(key);
    created.set(key, value);
    return value;
  };
}

/** The verdict on the instance, and then on each database. @param tracked the databases that were tracked; null: all */
export function* judgeServer(
  facts: Facts,
  summary: CaptureEvidence | null,
  tracked: ReadonlySet<number> | null,
  grounds: JudgingGrounds = noGrounds,
): Steps<ServerVerdict> {
  const { policy, known } = grounds;
  const before = grounds.before?.sinceUtcMs === (summary?.sinceUtcMs ?? null) ? grounds.before : null;
  const verdicts = new Map<number, Verdict>();
  const aStep = Math.ceil(
    (DATABASES_A_STEP * USUAL_ENTRIES) / (USUAL_ENTRIES + policy.targets.length + policy.exceptions.length),
  );
  const expect = rememberFor(createExpectations(policy, facts.server.serverName, facts.server.nowUtcMs));
  const boundRedo = createRedoBounds(policy, facts.server.serverName);
  const instance = yield* judgeQueue(facts, summary, { ...grounds, before }, expect, aStep);
  for (const [at, database] of facts.databases.entries()) {
    if (at % aStep === aStep - 1) yield;
    const { databaseId, name, logReuseWait } = database;
    const evidence: Evidence = {
      statistics: summary?.statistics.get(databaseId) ?? null,
      hasEarlier: summary?.lastCheckpoints.has(databaseId) === true,
      hasBegun: summary?.begun.has(databaseId) === true,
      observedMs: summary?.observedMsOf(databaseId) ?? 0,
      // What has checkpoints was recorded, whatever the session says of itself.
      tracked:
        summary !== null &&
        (tracked === null || tracked.has(databaseId) || summary.lastCheckpoints.has(databaseId)),
      instance,
      known: known?.get(databaseId) ?? null,
      logReuseWait,
      mostMbToRedo: boundRedo(name),
    };
    verdicts.set(databaseId, judgeDatabase(database, facts, evidence, expect(name)));
  }
  return yield* adviseServer(facts, instance, verdicts, {
    ...grounds,
    before,
    expect,
    weigh: weighIn(summary),
    busyBefore: summary?.busyBefore ?? null,
    lastWave:
      summary?.result == null ? null : findLastWave(summary.result, grounds.planned, grounds.isRecording),
  });
}

function* judgeQueue(
  facts: Facts,
  summary: CaptureEvidence | null,
  { bound, blind, before, recorded, known, byWaits = null }: JudgingGrounds,
  expect: (databaseName: string) => Expectation,
  aStep: number,
): Steps<Instance> {
  const changeable = new Set<number>();
  for (const [at, database] of facts.databases.entries()) {
    if (at % aStep === aStep - 1) yield;
    if (database.targetSeconds !== 0 || findObstacle(database, facts) !== null) continue;
    if (expect(database.name).kind !== 'exception') changeable.add(database.databaseId);
  }
  const sinceUtcMs = summary?.sinceUtcMs ?? null;
  const intervalMs = recoveryIntervalMs(facts.server);
  const instance = judgeInstance(summary?.task ?? null, {
    changeable,
    bound,
    sinceUtcMs,
    intervalMs,
    blind: blind ?? findBlindness(facts, summary),
    partly: countRecorded(facts, summary, recorded ?? null),
    before,
    byWaits,
  });
  const logRates = new Map([...(known ?? [])].map(([id, { logBytesPerMs = 0 }]) => [id, logBytesPerMs]));
  const looks = (facts.looks ?? []).filter(({ moment }) => moment.nowUtcMs >= (sinceUtcMs ?? -Infinity));
  const byLooks = measureLooks(looks);
  return {
    ...instance,
    byWaits:
      instance.task === null || instance.neededMs > 0
        ? byLooks
        : byWaits && { ...byWaits, heldBack: byLooks?.heldBack },
    likely: instance.task && estimateLikely(instance.task, logRates),
  };
}

/**
 * Of the automatic databases, null where all are recorded. A database with checkpoints is, whatever the session says of
 * itself; one whose row could not be read is not known.
 * @param recorded null: all, or it is not known
 */
function countRecorded(
  facts: Facts,
  summary: CaptureEvidence | null,
  recorded: ReadonlySet<number> | null,
): Instance['partly'] {
  const automatic = facts.databases.filter(
    (database) => database.targetSeconds === 0 && isUserDatabase(database, facts),
  );
  const isSeen = (id: number): boolean =>
    recorded === null || recorded.has(id) || summary?.lastCheckpoints.has(id) === true;
  const seen = automatic.filter(({ databaseId }) => isSeen(databaseId)).length;
  const { unreadDatabases: unread } = facts;
  return seen === automatic.length && unread === 0 ? null : { recorded: seen, of: automatic.length, unread };
}

/** Why the capture says nothing about usual automatic checkpoints; null: it does say something. */
function findBlindness(facts: Facts, summary: CaptureEvidence | null): string | null {
  const { traceFlags } = facts;
  if (areAutomaticOff(facts))
    return t('automatic checkpoints are off (the recovery interval is at its maximum)');
  if (traceFlags.kind === 'observed' && traceFlags.value.includes(3505))
    return t('trace flag 3505 is on, which reportedly turns off automatic checkpoints');
  const isSilent =
    summary !== null && summary.observedMs >= LEAST_OBSERVED_MS && summary.lastCheckpoints.size === 0;
  return isSilent ? t('no checkpoint of any database was recorded') : null;
}

export function weighIn(summary: CaptureEvidence | null): (database: DatabaseFacts) => Weight | null {
  return ({ databaseId }) => {
    const statistics = summary?.statistics.get(databaseId);
    if (statistics === undefined) return null;
    const mostShare = summary?.task.databases.get(databaseId)?.mostShare ?? 0;
    return { checkpoints: statistics.count, totalMs: statistics.totalMs, mostShare };
  };
}
