/** What the dashboard shows of a server: from a snapshot and its capture to the values of the protocol. */
import { type DatabaseFacts, type Facts, recoveryIntervalMs } from '../../core/advice/facts';
import { describeInstance } from '../../core/pages/instance-words';
import { findFiguresSince } from '../../core/advice/instance';
import { isOfTheSystem } from '../../core/advice/obstacle';
import type { Verdict } from '../../core/advice/verdict';
import { LAST_SYSTEM_ID } from '../../core/capture/catalog';
import type { CapturedDatabase } from '../../core/capture/checkpoint-columns';
import type { OffsetPeriod } from '../../core/errorlog/server-clock';
import { formatUtcOffset } from '../../core/format';
import type { ServerSnapshot } from '../../monitor/server-monitor';
import type { DatabaseView, InstanceView, ServerView, TrackingView } from '../../protocol';
import {
  countAutomatic,
  describeAbsence,
  findStartObstacle,
  describeMemory,
  nameProduct,
} from '../kit/server-words';
import { t } from '../../core/language';

/** The engine's default, used until the server's value was read. */
const DEFAULT_RECOVERY_INTERVAL_MS = 60_000;

/**
 * null if nothing is known or shown from disk, and nothing failed.
 * @param offsets the UTC offsets that the server's clock is known to have had
 */
export function createServerView(
  snapshot: ServerSnapshot,
  offsets: readonly OffsetPeriod[] = [],
): ServerView | null {
  const { facts } = snapshot;
  if (facts === null) {
    const { unverified, record } = snapshot.tracking;
    if (snapshot.failure === null && unverified === null) return null;
    const description = describeAbsence(snapshot) ?? '';
    return {
      name: snapshot.label,
      description,
      automatic: 0,
      databases: 0,
      utcOffsetMinutes: (unverified ?? record)?.utcOffsetMinutes ?? 0,
      offsets: [],
      recoveryIntervalMs: DEFAULT_RECOVERY_INTERVAL_MS,
      nextWave: null,
      instance: null,
      sides: null,
    };
  }
  return {
    name: snapshot.label,
    description: describe(snapshot, facts),
    ...countAutomatic(facts),
    utcOffsetMinutes: facts.server.utcOffsetMinutes,
    offsets: offsets.map(writeBeginning),
    recoveryIntervalMs: recoveryIntervalMs(facts.server),
    nextWave: snapshot.instance?.next ?? null,
    instance: createInstanceView(snapshot, facts),
    sides: listSides(snapshot),
  };
}

/** The same time as that of the verdict. */
function listSides({ instance, result }: ServerSnapshot): ServerView['sides'] {
  const isDivided = instance !== null && findFiguresSince(instance) !== null;
  return isDivided && result !== null
    ? { before: [...result.sides.before.pieces], since: [...result.sides.since.pieces] }
    : null;
}

function createInstanceView({ instance, verdicts }: ServerSnapshot, facts: Facts): InstanceView | null {
  if (instance === null) return null;
  const { objection, state, forecast, advised, lastWave } = instance;
  const words = describeInstance(instance, facts, verdicts);
  const wave = lastWave && { wave: lastWave.wave, databaseIds: lastWave.databaseIds };
  return { state: objection?.kind ?? state, words, forecast, isAdvised: advised.length > 0, lastWave: wave };
}

/** The first period has no beginning, and JSON has no number for that: it gets the earliest time of ECMA-262. */
const writeBeginning = (period: OffsetPeriod): OffsetPeriod => ({
  ...period,
  fromUtcMs: Math.max(period.fromUtcMs, -8.64e15),
});

function describe(snapshot: ServerSnapshot, facts: Facts): string {
  const { serverName } = facts.server;
  // Scripts name the server as it names itself.
  const isNamed = snapshot.label
    .toLowerCase()
    .split(/[\s:,()]+/)
    .includes(serverName.toLowerCase());
  const parts = [...(isNamed ? [] : [serverName]), nameProduct(facts.server)];
  if (facts.state.kind === 'observed') parts.push(t('{0} memory', describeMemory(facts.state.value)));
  parts.push(formatUtcOffset(facts.server.utcOffsetMinutes));
  const absence = describeAbsence(snapshot);
  if (absence !== null) parts.push(absence, t('all as last seen'));
  return parts.join(' · ');
}

/**
 * If the server was never reached, the failure is all there is to say about tracking. Of a file it says what the file
 * does not hold.
 */
export function createTrackingView({ facts, failure, tracking, waitsFor }: ServerSnapshot): TrackingView {
  const view = { ...tracking, obstacle: findStartObstacle({ facts, tracking }) };
  // What failed before is being mended.
  if (waitsFor !== null) return { ...view, asked: waitsFor };
  if (facts !== null || failure === null) return view;
  return tracking.record === undefined
    ? { ...view, state: 'failed', message: failure }
    : { ...view, message: failure };
}

/**
 * The databases of a capture in the order of its `database` column, then those that were tracked and had no checkpoint.
 * If several had one database_id one after the other, the earlier ones keep their old names and get a number below
 * zero, which no database has.
 * @param captured null if there is no capture
 */
export function createDatabaseViews(
  snapshot: ServerSnapshot,
  captured: readonly CapturedDatabase[] | null,
): readonly DatabaseView[] {
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
  return [
    ...views,
    ...quiet
      .flatMap((databaseId) => byId.get(databaseId) ?? [])
      .map((database) => describeCurrent(snapshot, database)),
  ];
}

/**
 * Positions of the databases that have their database_id now. A database is known by its id and its create_date. For
 * system databases, which keep their ids, and without a known date, the id alone decides. If the catalog does not have
 * an id, the last database in the list counts.
 */
function findBearers(
  captured: readonly CapturedDatabase[],
  byId: ReadonlyMap<number, DatabaseFacts>,
): ReadonlyMap<number, number> {
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
  const verdict = describeVerdict(
    snapshot.verdicts.get(databaseId),
    t('This database has not been judged yet.'),
  );
  const isSystem = snapshot.facts !== null && isOfTheSystem(database, snapshot.facts);
  return { databaseId, name, targetSeconds, ...verdict, ...(isSystem && { isSystem }) };
}

function describeGone(
  { facts, tracking }: ServerSnapshot,
  { databaseId, name }: CapturedDatabase,
): DatabaseView {
  const unread =
    tracking.record === undefined
      ? t('The server has not answered, so its settings are not known.')
      : t('Its settings are not in this file.');
  const reason = facts === null ? unread : t('This database is not in the catalog now.');
  return {
    databaseId,
    name: name ?? t('database {0}', databaseId),
    targetSeconds: null,
    ...describeVerdict(undefined, reason),
  };
}

/**
 * Without a name there is no create_date either: the events are of a time in which the id passed from one database to
 * another.
 */
function describeEarlier({ databaseId, name }: CapturedDatabase, position: number): DatabaseView {
  const reason =
    name === null
      ? t('Several databases had database_id {0}. These checkpoints may belong to any of them.', databaseId)
      : t('It had database_id {0} earlier. Another database has that id now.', databaseId);
  const shown = name === null ? t('database_id {0} (not known which)', databaseId) : t('{0} (earlier)', name);
  return {
    databaseId: -1 - position,
    name: shown,
    targetSeconds: null,
    ...describeVerdict(undefined, reason),
  };
}

/** Databases whose checkpoints would have been recorded. */
function listTracked(snapshot: ServerSnapshot): readonly number[] {
  if (snapshot.trackedDatabaseIds !== null) return snapshot.trackedDatabaseIds;
  return (snapshot.facts?.databases ?? [])
    .filter((database) => database.state === 'ONLINE' && !database.isSnapshot)
    .map((database) => database.databaseId);
}

type VerdictView = Pick<DatabaseView, 'verdict' | 'reason' | 'part' | 'group'>;

/** @param otherwise the reason if there is no verdict */
function describeVerdict(verdict: Verdict | undefined, otherwise: string): VerdictView {
  if (verdict === undefined)
    return { verdict: 'Cannot tell here', reason: otherwise, part: null, group: null };
  const { reason, part, group } = verdict;
  return { verdict: verdict.verdict, reason, part, group };
}
