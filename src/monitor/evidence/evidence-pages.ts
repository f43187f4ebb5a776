/** Computes the pages of evidence of one server in steps, from everything that was read of it. */
import type { CheckpointLoop } from '../../core/task/loops';
import { isUserDatabase } from '../../core/advice/obstacle';
import type { SoFar } from '../../core/advice/instance';
import { describeLimits, findNearestLimit, type NearestLimit } from '../../core/advice/limits';
import type { MissedForecast } from '../../core/advice/forecast';
import { listNames } from '../../core/answers/answer';
import { addToList } from '../../core/lists';
import { findMissed, judgeLastRun } from '../../core/advice/forecast-seen';
import type { KnownOfDatabase, LogWrites } from '../../core/advice/known-of-database';
import type { ChangeMoment, DatabaseChange } from '../../core/task/change-moment';
import { listChanges } from '../../core/comparison/changes';
import { CheckpointStore } from '../../core/capture/checkpoint-store';
import { addBlocks } from '../../core/comparison/added-blocks';
import { compareDays, type Comparison } from '../../core/comparison/comparison';
import type { Result } from '../../core/comparison/result';
import { measureObserved } from '../../core/statistics/statistics';
import {
  listFlushCacheMoments,
  listLoggedChanges,
  type LoggedChange,
} from '../../core/errorlog/logged-evidence';
import {
  createServerTime,
  listOffsetPeriods,
  type OffsetPeriod,
  type ServerTime,
} from '../../core/errorlog/server-clock';
import { countSome } from '../../core/format';
import { createBeforeAfterPage } from '../../core/pages/before-after-page';
import { createErrorLogPage } from '../../core/pages/error-log-page';
import type { EvidencePage, EvidencePages } from '../../core/pages/evidence-page';
import { listTimeMarks, type TimeMarks } from '../../core/timeline/time-marks';
import type { Steps } from '../../core/steps';
import type { QueueBusy } from '../../core/write-work/write-figures';
import {
  type EvidenceReadings,
  findClock,
  isLogRefused,
  listRefusals,
  type LoggedEvidence,
  readLog,
} from './evidence-readings';
import type { EvidenceSources } from './evidence-world';
import { followForecast } from './forecast-followed';
import { isOf, type JoinedDatabase, joinDatabases } from './joined-database';
import { gatherKnown } from './known-of-databases';
import { computeWriteWork, type History, listTurns } from './write-work-evidence';
import { makeVisible } from '../../core/visible';
import { listSentences, t } from '../../core/language';

/** What the pages and the verdicts rest on: the databases with all that was read, and their changes, each once. */
interface JoinedEvidence {
  readonly logged: LoggedEvidence | null;
  readonly databases: readonly JoinedDatabase[];
  readonly changes: readonly DatabaseChange[];
  readonly marks: TimeMarks;
  readonly offsets: readonly OffsetPeriod[];
}

/** The pages, and what verdicts take from them. */
interface ComputedEvidence extends EvidencePages {
  /** The most important limit; null: none is exceeded or near. */
  readonly nearestLimit: NearestLimit | null;
  /** The last wave, if the task is busier than was forecast; null: it is not, or that is not known yet. */
  readonly missed: MissedForecast | null;
  /** null: nothing was switched. */
  readonly soFar: SoFar | null;
  readonly logWrites: LogWrites;
  readonly byWaits: QueueBusy | null;
  /** By database_id. */
  readonly known: ReadonlyMap<number, KnownOfDatabase>;
}

export function* joinEvidence(sources: EvidenceSources): Steps<JoinedEvidence> {
  const { facts, capture, readings } = sources;
  const logged = yield* readLog(readings, facts);
  const databases = joinDatabases(facts, {
    captured: capture?.databases ?? [],
    sampled: sources.work.databases,
    changes: sources.changes,
    loggedChanges: logged && gatherChanges(listLoggedChanges(logged.reading.changes).changes),
    flushCache: logged && listFlushCacheMoments(logged.reading.groups).byDatabaseId,
    backups: readings.knownBackups?.byName ?? null,
  });
  yield;
  return {
    logged,
    databases,
    changes: databases.flatMap(({ databaseId, changes }) =>
      listChanges(changes).map((change) => ({ ...change, databaseId })),
    ),
    marks: yield* computeMarks(readings, databases, logged),
    offsets: listOffsetPeriods(findClock(readings, facts, logged?.reading.observations ?? [])),
  };
}

export function* computePages(sources: EvidenceSources, joined: JoinedEvidence): Steps<ComputedEvidence> {
  const { facts } = sources;
  const { logged, databases, offsets } = joined;
  const localMsOf = createServerTime(offsets, facts.server.utcOffsetMinutes);
  const turns = yield* listTurns(sources, databases);
  const {
    page: writeWork,
    logWrites,
    byWaits,
    loops,
    ...ofDatabases
  } = yield* computeWriteWork(sources, databases, localMsOf, turns);
  return {
    ...(yield* computeBeforeAfterPage(sources, joined, localMsOf, turns, loops)),
    writeWork,
    logWrites,
    byWaits,
    known: gatherKnown(databases, {
      ...ofDatabases,
      logged: logged?.reading ?? null,
      redo: sources.redo,
      nowUtcMs: facts.server.nowUtcMs,
    }),
    errorLog: computeErrorLogPage(sources, databases, logged),
  };
}

function computeMarks(
  readings: EvidenceReadings,
  databases: readonly JoinedDatabase[],
  logged: LoggedEvidence | null,
): ReturnType<typeof listTimeMarks> {
  const byId = new Map(databases.map((database) => [database.databaseId, database]));
  const byName = new Map(databases.map((database) => [database.name, database]));
  const ifOf = (database: JoinedDatabase | undefined, utcMs: number): JoinedDatabase | null =>
    database !== undefined && isOf(database, utcMs) ? database : null;
  return listTimeMarks({
    reading: logged?.reading ?? null,
    backups: readings.knownBackups?.byName ?? null,
    findById: (databaseId, atUtcMs) => ifOf(byId.get(databaseId), atUtcMs),
    findByName: (name, atUtcMs) => ifOf(byName.get(name), atUtcMs),
  });
}

function gatherChanges(logged: readonly LoggedChange[]): ReadonlyMap<string, readonly ChangeMoment[]> {
  const changes = new Map<string, ChangeMoment[]>();
  for (const { databaseName, moment } of logged) addToList(changes, databaseName, moment);
  return changes;
}

function* computeBeforeAfterPage(
  sources: EvidenceSources,
  { databases, logged, offsets }: JoinedEvidence,
  localMsOf: ServerTime,
  turns: History | null,
  loops: readonly CheckpointLoop[],
): Steps<Pick<ComputedEvidence, 'beforeAfter' | 'nearestLimit' | 'missed' | 'soFar'>> {
  const { facts, capture, readings, result, instance } = sources;
  const { seen, signs, writes } = yield* followForecast(sources, databases, logged, turns);
  const observation = capture?.observation ?? null;
  const missed = seen === null ? null : findMissed(seen.waves);
  // A missed forecast is found here, and objects from the next verdict on.
  const isHeld = sources.isHeld || missed !== null || instance?.objection?.kind === 'just switched';
  const beforeAfter = createBeforeAfterPage({
    result,
    seen,
    next: instance?.next?.wave ?? null,
    forecast: instance?.forecast ?? null,
    isContested: instance !== null && instance.blind !== null,
    signs,
    writes,
    loops,
    localMsOf,
    isHeld,
    partly: instance?.partly ?? null,
    comparison: result === null ? null : yield* compareResult(sources, databases, result, offsets),
    observedMs: observation === null ? 0 : measureObserved(observation, observation),
    databases: facts.databases.filter((database) => isUserDatabase(database, facts)).length,
    notes: listMissing(readings, logged, databases),
  });
  const soFar = signs && {
    ...judgeLastRun(seen?.waves ?? []),
    atUtcMs: facts.server.nowUtcMs,
    limits: describeLimits(signs),
  };
  return { beforeAfter, nearestLimit: findNearestLimit(signs ?? []), missed, soFar };
}

/**
 * Of the changed databases together. Their blocks are listed one database after the other: all at once would be
 * hundreds of megabytes.
 */
function* compareResult(
  { capture, work }: EvidenceSources,
  databases: readonly JoinedDatabase[],
  { sides, rows }: Result,
  offsets: readonly OffsetPeriod[],
): Steps<Comparison> {
  const kept = new Set(rows.filter(({ isAutomatic }) => !isAutomatic).map(({ databaseId }) => databaseId));
  const changed = databases.filter(({ databaseId }) => kept.has(databaseId));
  yield* work.prepareBlocks();
  const blocks = yield* addBlocks(
    changed.flatMap(({ sampled }) => (sampled === null ? [] : [() => work.databaseBlocks(sampled)])),
  );
  return yield* compareDays({
    sides,
    blocks,
    offsets,
    observation: capture?.observation ?? null,
    captured: new Set(changed.flatMap(({ captured }) => captured ?? [])),
    columns: capture?.columns ?? new CheckpointStore().columns(),
  });
}

function listMissing(
  { backups }: EvidenceReadings,
  logged: LoggedEvidence | null,
  databases: readonly JoinedDatabase[],
): readonly string[] {
  const names = databases.filter(({ hasEarlierChanges }) => hasEarlierChanges).map(({ name }) => name);
  const replaced = t(
    '{0}: restored, renamed or created again since a change under that name or id. The time before counts as another database, and its setting may differ.',
    makeVisible(listNames(names)),
  );
  return listSentences(
    logged === null
      ? t(
          'Changes and FlushCache messages are not known: the error log was not read, or this login has no permission to read it.',
        )
      : '',
    backups === null ? t('Backups were not read yet.') : '',
    backups?.kind === 'not observable' ? t('Backups could not be read: {0}', backups.reason) : '',
    names.length === 0 ? '' : replaced,
  );
}

function computeErrorLogPage(
  { readings }: EvidenceSources,
  databases: readonly JoinedDatabase[],
  logged: LoggedEvidence | null,
): EvidencePage {
  const names = new Map(databases.map((database) => [database.databaseId, database.name]));
  const ids = new Map(databases.map(({ name, databaseId }) => [name, databaseId]));
  return createErrorLogPage({
    reading: logged?.reading ?? null,
    nameOf: (databaseId) => names.get(databaseId) ?? null,
    idOf: (name) => ids.get(name) ?? null,
    notes: logged === null ? listRefusals(readings) : describeReading(logged),
    isRefused: isLogRefused(readings),
  });
}

function describeReading({ result, rowsLetGo }: LoggedEvidence): readonly string[] {
  return listSentences(
    result.way === null ? t('Read earlier. It cannot be read now.') : t('Read by {0}.', result.way),
    ...result.limits,
    countSome(
      rowsLetGo,
      t('{0} of the oldest rows was dropped, because there were too many.'),
      t('{0} of the oldest rows were dropped, because there were too many.'),
    ),
  );
}
