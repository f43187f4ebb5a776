/** What the dashboard shows of a server: from a snapshot and its capture to the values of the protocol. */
import { type DatabaseFacts, type Facts, recoveryIntervalMs } from '../../core/advice/facts';
import { findNextWave } from '../../core/advice/forecast-seen';
import { describeInstance } from '../../core/pages/instance-words';
import { isOfTheSystem } from '../../core/advice/obstacle';
import type { Verdict } from '../../core/advice/verdict';
import { LAST_SYSTEM_ID } from '../../core/capture/catalog';
import type { CapturedDatabase } from '../../core/capture/checkpoint-columns';
import { findSwitches } from '../../core/task/change-moment';
import type { OffsetPeriod } from '../../core/errorlog/server-clock';
import { formatUtcOffset } from '../../core/format';
import type { ServerSnapshot } from '../../monitor/server-monitor';
import { findTrackingObstacle } from '../../monitor/facts/tracking-permission';
import type { DatabaseView, InstanceView, ServerView, TrackingView } from '../../protocol';
import { countAutomatic, describeAbsence, describeMemory, nameProduct } from '../kit/server-words';

/** The engine's default recovery interval, for as long as nothing was read. */
const DEFAULT_RECOVERY_INTERVAL_MS = 60_000;

/** null: nothing is known yet, nothing kept is shown, and nothing failed. @param offsets those that its clock is known to have had */
export function createServerView(snapshot: ServerSnapshot, offsets: readonly OffsetPeriod[] = []): ServerView | null {
  const { facts } = snapshot;
  if (facts === null) {
    const { unverified } = snapshot.tracking;
    if (snapshot.failure === null && unverified === null) return null;
    const description = describeAbsence(snapshot) ?? '';
    return {
      name: snapshot.label,
      description,
      automatic: 0,
      databases: 0,
      utcOffsetMinutes: unverified?.utcOffsetMinutes ?? 0,
      offsets: [],
      recoveryIntervalMs: DEFAULT_RECOVERY_INTERVAL_MS,
      nextWave: null,
      instance: null,
    };
  }
  return {
    name: snapshot.label,
    description: describe(snapshot, facts),
    ...countAutomatic(facts),
    utcOffsetMinutes: facts.server.utcOffsetMinutes,
    offsets: offsets.map(writeBeginning),
    recoveryIntervalMs: recoveryIntervalMs(facts.server),
    nextWave: describeNextWave(snapshot, facts),
    instance: createInstanceView(snapshot, facts),
  };
}

/** A value that somebody set meanwhile is left out: the review overwrites what it is pointed at. */
function describeNextWave({ forecast, changes }: ServerSnapshot, { databases }: Facts): ServerView['nextWave'] {
  const next = forecast && findNextWave(forecast, findSwitches(changes, forecast.madeUtcMs));
  if (next === null) return null;
  const own = new Set(next.databaseIds);
  const automatic = databases.filter(({ databaseId, targetSeconds }) => own.has(databaseId) && targetSeconds === 0);
  return automatic.length === 0 ? null : { wave: next.wave, databaseIds: automatic.map(({ databaseId }) => databaseId) };
}

function createInstanceView({ instance, verdicts }: ServerSnapshot, facts: Facts): InstanceView | null {
  if (instance === null) return null;
  return { state: instance.state, words: describeInstance(instance, facts, verdicts), forecast: instance.forecast };
}

/** The first period has no beginning, for which JSON has no number: it begins with time itself (ECMA-262, time values). */
const writeBeginning = (period: OffsetPeriod): OffsetPeriod => ({ ...period, fromUtcMs: Math.max(period.fromUtcMs, -8.64e15) });

function describe(snapshot: ServerSnapshot, facts: Facts): string {
  const parts = [nameProduct(facts.server)];
  if (facts.state.kind === 'observed') parts.push(`${describeMemory(facts.state.value)} memory`);
  parts.push(formatUtcOffset(facts.server.utcOffsetMinutes));
  const absence = describeAbsence(snapshot);
  if (absence !== null) parts.push(absence, 'all as last seen');
  return parts.join(' · ');
}

/** Where the server was never reached, that is what there is to say about tracking. */
export function createTrackingView({ facts, failure, tracking }: ServerSnapshot): TrackingView {
  if (facts !== null) return { ...tracking, obstacle: findTrackingObstacle(facts.server) };
  return { ...tracking, ...(failure === null ? {} : { state: 'failed', message: failure }), obstacle: null };
}

/**
 * The databases of a capture in the order of its `database` column, then those that were tracked and had no checkpoint. Of several that had one database_id one
 * after the other, those that do not have it now keep the name that they had, and are listed under a number below zero, which no database has.
 * @param captured null: there is no capture
 */
export function createDatabaseViews(snapshot: ServerSnapshot, captured: readonly CapturedDatabase[] | null): readonly DatabaseView[] {
  if (captured === null) return [];
  const byId = new Map((snapshot.facts?.databases ?? []).map((database) => [database.databaseId, database]));
  const bearers = findBearers(captured, byId);
  const views = captured.map((database, position) => {
    const current = byId.get(database.databaseId);
    if (bearers.get(database.databaseId) !== position) return describeEarlier(database, position);
    return current === undefined ? describeGone(snapshot, database) : describeCurrent(snapshot, current);
  });
  const present = new Set(views.map(({ databaseId }) => databaseId));
  const quiet = listTracked(snapshot).filter((databaseId) => !present.has(databaseId));
  return [...views, ...quiet.flatMap((databaseId) => byId.get(databaseId) ?? []).map((database) => describeCurrent(snapshot, database))];
}

/**
 * Positions of the databases that have their database_id now. A database is its id and its create_date; system databases keep their ids for ever, and where the
 * date is not known, the id has to do. Of an id that the catalog does not show, the last of the list had it last.
 */
function findBearers(captured: readonly CapturedDatabase[], byId: ReadonlyMap<number, DatabaseFacts>): ReadonlyMap<number, number> {
  const bearers = new Map<number, number>();
  const sure = new Set<number>();
  captured.forEach(({ databaseId, createdLocal }, position) => {
    const current = byId.get(databaseId);
    const isSure = createdLocal !== null && createdLocal === current?.createdLocal;
    const mayBe = current === undefined || createdLocal === null || databaseId <= LAST_SYSTEM_ID;
    if (isSure || (mayBe && !sure.has(databaseId))) bearers.set(databaseId, position);
    if (isSure) sure.add(databaseId);
  });
  return bearers;
}

function describeCurrent(snapshot: ServerSnapshot, database: DatabaseFacts): DatabaseView {
  const { databaseId, name, targetSeconds } = database;
  const verdict = describeVerdict(snapshot.verdicts.get(databaseId), 'This database was not judged yet.');
  const isSystem = snapshot.facts !== null && isOfTheSystem(database, snapshot.facts);
  return { databaseId, name, targetSeconds, ...verdict, ...(isSystem && { isSystem }) };
}

function describeGone({ facts }: ServerSnapshot, { databaseId, name }: CapturedDatabase): DatabaseView {
  const reason =
    facts === null ? 'The server has not answered, so its settings are not known.' : 'This database is not in the catalog now.';
  return { databaseId, name: name ?? `database_id ${databaseId}`, targetSeconds: null, ...describeVerdict(undefined, reason) };
}

/** Without a name there is no create_date either: events of a time in which the id went from one database to another. */
function describeEarlier({ databaseId, name }: CapturedDatabase, position: number): DatabaseView {
  const reason =
    name === null
      ? `Which of the databases that had database_id ${databaseId} these checkpoints are of is not known.`
      : `It had database_id ${databaseId} before the database that has it now, which is another one.`;
  const shown = name === null ? `database_id ${databaseId} (not known which)` : `${name} (earlier)`;
  return { databaseId: -1 - position, name: shown, targetSeconds: null, ...describeVerdict(undefined, reason) };
}

/** Databases of which a checkpoint would have been seen. */
function listTracked(snapshot: ServerSnapshot): readonly number[] {
  if (snapshot.trackedDatabaseIds !== null) return snapshot.trackedDatabaseIds;
  return (snapshot.facts?.databases ?? [])
    .filter((database) => database.state === 'ONLINE' && !database.isSnapshot)
    .map((database) => database.databaseId);
}

type VerdictView = Pick<DatabaseView, 'verdict' | 'reason' | 'confidence' | 'part' | 'group'>;

/** @param otherwise the reason where there is no verdict */
function describeVerdict(verdict: Verdict | undefined, otherwise: string): VerdictView {
  if (verdict === undefined) return { verdict: 'Cannot tell here', reason: otherwise, confidence: 'low', part: null, group: null };
  const { reason, confidence, part, group } = verdict;
  return { verdict: verdict.verdict, reason, confidence, part, group };
}
