/** Computes the pages of evidence of one server in steps, from everything that was read of it. */
import { listForecastSteps } from '../../core/advice/forecast';
import { findStopSign, type StopSignFound } from '../../core/advice/stop-signs';
import type { KnownOfDatabase } from '../../core/advice/verdict';
import type { ChangeMoment, DatabaseChange } from '../../core/task/change-moment';
import { listChanges } from '../../core/comparison/change-window';
import { compareChanges } from '../../core/comparison/comparison';
import { createLocalClock } from '../../core/comparison/local-blocks';
import { countSampledDays } from '../../core/comparison/matched-days';
import { findCoveredTime, listFlushCacheMoments, listLoggedChanges, type LoggedChange } from '../../core/errorlog/logged-evidence';
import { createServerTime, listOffsetPeriods, type OffsetPeriod, type ServerTime } from '../../core/errorlog/server-clock';
import { countOf } from '../../core/format';
import { createBeforeAfterPage } from '../../core/pages/before-after-page';
import { createErrorLogPage } from '../../core/pages/error-log-page';
import type { EvidencePage, EvidencePages } from '../../core/pages/evidence-page';
import type { NothingChanged } from '../../core/pages/forecast-page';
import { listTimeMarks, type TimeMarks } from '../../core/timeline/time-marks';
import type { Steps } from '../../core/steps';
import { gatherHistories } from './compared-histories';
import type { EvidenceReadings, LoggedEvidence } from './evidence-readings';
import type { EvidenceSources } from './evidence-world';
import { followForecast } from './forecast-followed';
import { isOf, type JoinedDatabase, joinDatabases } from './joined-database';
import { gatherKnown } from './known-of-databases';
import { computeWriteWork } from './write-work-evidence';
import { t } from '../../core/language';

/** The pages, all changes that they rest on, each once, and what verdicts take from them. */
interface ComputedEvidence extends EvidencePages {
  readonly changes: readonly DatabaseChange[];
  /** The most important stop sign; null: none is up or near. */
  readonly stopSign: StopSignFound | null;
  /** By database_id. */
  readonly known: ReadonlyMap<number, KnownOfDatabase>;
  readonly marks: TimeMarks;
  /** Known offsets of the server's clock from UTC. */
  readonly offsets: readonly OffsetPeriod[];
}

export function* computePages(sources: EvidenceSources): Steps<ComputedEvidence> {
  const { facts, capture, readings } = sources;
  const logged = yield* readings.readLog(facts);
  const databases = joinDatabases(facts, {
    captured: capture?.databases ?? [],
    sampled: sources.work.databases,
    changes: sources.changes,
    loggedChanges: logged && gatherChanges(listLoggedChanges(logged.reading.changes).changes),
    flushCache: logged && listFlushCacheMoments(logged.reading.groups).byDatabaseId,
    backups: readings.knownBackups?.byName ?? null,
  });
  yield;
  const offsets = listOffsetPeriods(readings.findClock(facts, logged?.reading.observations ?? []));
  const localMsOf = createServerTime(offsets, facts.server.utcOffsetMinutes);
  const { page: writeWork, logLatencies } = yield* computeWriteWork(sources, databases, localMsOf);
  return {
    ...(yield* computeBeforeAfterPage(sources, databases, logged, { offsets, localMsOf })),
    writeWork,
    known: gatherKnown(databases, {
      logLatencies,
      scans: logged?.reading.scans ?? [],
      redo: sources.redo,
      nowUtcMs: facts.server.nowUtcMs,
    }),
    errorLog: computeErrorLogPage(sources, databases, logged),
    marks: yield* computeMarks(readings, databases, logged),
    offsets,
    changes: databases.flatMap(({ databaseId, changes }) => listChanges(changes).map((change) => ({ ...change, databaseId }))),
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
  const changes = new Map<string, readonly ChangeMoment[]>();
  for (const { databaseName, moment } of logged) changes.set(databaseName, [...(changes.get(databaseName) ?? []), moment]);
  return changes;
}

/** Without a change there is nothing to compare, so the blocks are not listed. */
function* computeBeforeAfterPage(
  sources: EvidenceSources,
  databases: readonly JoinedDatabase[],
  logged: LoggedEvidence | null,
  { offsets, localMsOf }: { readonly offsets: readonly OffsetPeriod[]; readonly localMsOf: ServerTime },
): Steps<Pick<ComputedEvidence, 'beforeAfter' | 'stopSign'>> {
  const { facts, capture, work, readings } = sources;
  const hasChange = databases.some(({ changes }) => changes.length > 0);
  const errorLog = logged && findCoveredTime(logged.reading, readings.findClock(facts, logged.reading.observations));
  const { seen, signs } = yield* followForecast(sources, databases, logged, offsets);
  const histories = hasChange ? yield* gatherHistories({ databases, capture, work, errorLog, offsets }) : null;
  const comparison = histories === null ? null : yield* compareChanges(histories);
  const ids = new Map(databases.map(({ name, databaseId }) => [name, databaseId]));
  const beforeAfter = createBeforeAfterPage({
    comparison,
    seen,
    signs,
    nothing: { ...describeNothing(sources, offsets), isLogRead: logged !== null, loggedSinceUtcMs: errorLog?.beginUtcMs ?? null },
    localMsOf,
    idOf: (name) => ids.get(name) ?? null,
    notes: listMissing(readings, logged),
  });
  return { beforeAfter, stopSign: findStopSign(signs ?? []) };
}

function describeNothing(
  { facts, capture, work, forecast, advice }: EvidenceSources,
  offsets: readonly OffsetPeriod[],
): Omit<NothingChanged, 'isLogRead' | 'loggedSinceUtcMs'> {
  return {
    forecast: forecast === null ? advice.forecast : listForecastSteps(forecast),
    databaseIds: forecast === null ? advice.databaseIds : forecast.waves.flatMap(({ databaseIds }) => databaseIds),
    seenSinceUtcMs: capture?.observation?.beginUtcMs ?? facts.server.nowUtcMs,
    databases: facts.databases.length,
    days: countSampledDays(work.instanceBlocks(), createLocalClock(offsets, 60)),
  };
}

function listMissing(readings: EvidenceReadings, logged: LoggedEvidence | null): readonly string[] {
  const { backups } = readings;
  return [
    ...(logged === null
      ? [t('Changes and FlushCache messages are not known: the error log was not read, or this login has no permission to read it.')]
      : []),
    ...(backups === null ? [t('Backups were not read yet.')] : []),
    ...(backups?.kind === 'not observable' ? [t('Backups could not be read: {0}', backups.reason)] : []),
  ];
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
    notes: logged === null ? readings.refusals : describeReading(logged),
    isRefused: readings.isRefused,
  });
}

function describeReading({ result, rowsLetGo }: LoggedEvidence): readonly string[] {
  return [
    result.way === null ? t('Read earlier. No way to read it works now.') : t('Read by {0}.', result.way),
    ...result.limits,
    ...(result.noiseRows > 0
      ? [
          countOf(
            result.noiseRows,
            t('{0} row that does not matter here was left on the server.'),
            t('{0} rows that do not matter here were left on the server.'),
          ),
        ]
      : []),
    ...(rowsLetGo > 0
      ? [
          countOf(
            rowsLetGo,
            t('{0} of the oldest rows was dropped, because there were too many.'),
            t('{0} of the oldest rows were dropped, because there were too many.'),
          ),
        ]
      : []),
  ];
}
