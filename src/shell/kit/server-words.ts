/** A server's facts in the words that tree and dashboard share. */
import type { InstanceVerdict } from '../../core/advice/instance';
import type { DatabaseFacts, Facts, ServerFacts, ServerState } from '../../core/advice/facts';
import type { NearestLimit } from '../../core/advice/limits';
import { describeInstance, type InstanceWords } from '../../core/pages/instance-words';
import { isUserDatabase } from '../../core/advice/obstacle';
import {
  describeUnverified,
  type TrackingObstacle,
  type UnverifiedCapture,
} from '../../core/capture/tracking-status';
import {
  countOf,
  formatCount,
  formatDateTime,
  formatDuration,
  formatNumber,
  countEvents,
  countBuffers,
} from '../../core/format';
import type { Standing } from '../../monitor/queries/login-standing';
import type { ConnectionState } from '../../monitor/server-life';
import type { ServerSnapshot } from '../../monitor/server-monitor';
import { findMissingPermission, findTrackingObstacle } from '../../monitor/facts/tracking-permission';
import { t, endSentence } from '../../core/language';
import { DAY_MS } from '../../core/time';

const YEAR_OF_MAJOR_VERSION: Readonly<Record<number, string>> = {
  11: '2012',
  12: '2014',
  13: '2016',
  14: '2017',
  15: '2019',
  16: '2022',
  17: '2025',
};

/** "SQL Server 2019"; the platform if it is not the box product; the bare version if we do not know it. */
export function nameProduct(server: ServerFacts): string {
  if (server.engineEdition === 5) return 'Azure SQL Database';
  if (server.engineEdition === 8) return 'Azure SQL Managed Instance';
  const major = parseInt(server.productVersion, 10);
  return `SQL Server ${YEAR_OF_MAJOR_VERSION[major] ?? server.productVersion}`;
}

/** "256 GB"; whole gigabytes from 10 GB. */
export function describeMemory(state: ServerState): string {
  const gigabytes = state.physicalMemoryMb / 1024;
  if (gigabytes >= 1024) return `${roundBelowTen(gigabytes / 1024)} TB`;
  return gigabytes >= 1 ? `${roundBelowTen(gigabytes)} GB` : `${formatCount(state.physicalMemoryMb)} MB`;
}

function roundBelowTen(amount: number): string {
  return formatNumber(amount, amount < 10 && Math.round(amount * 10) % 10 !== 0 ? 1 : 0);
}

/** "12 d", "5 h 3 min"; only days from two days. */
export function describeUptime(server: ServerFacts): string | null {
  if (server.startedUtcMs === null) return null;
  const uptimeMs = Math.max(0, server.nowUtcMs - server.startedUtcMs);
  return uptimeMs >= 2 * DAY_MS
    ? t('{0} d', formatCount(Math.floor(uptimeMs / DAY_MS)))
    : formatDuration(uptimeMs);
}

/**
 * `9`, `3 of 312`, `5 · 4 system · 1 snapshot`: plain numbers count user databases, others are named.
 * @param all the databases among which these match
 */
export function countNamed(
  matching: readonly DatabaseFacts[],
  all: readonly DatabaseFacts[],
  facts: Facts,
): string {
  const [some, whole] = [splitDatabases(matching, facts), splitDatabases(all, facts)];
  const count = (of: keyof typeof some, name: (number: number) => string): readonly string[] => {
    if (some[of] === 0) return [];
    return [
      some[of] === whole[of] ? name(whole[of]) : t('{0} of {1}', formatCount(some[of]), name(whole[of])),
    ];
  };
  return [
    ...count('users', formatCount),
    ...count('system', (number) => t('{0} system', formatCount(number))),
    ...count('snapshots', (number) => countOf(number, t('{0} snapshot'), t('{0} snapshots'))),
  ].join(' · ');
}

function splitDatabases(
  databases: readonly DatabaseFacts[],
  facts: Facts,
): Readonly<Record<'users' | 'system' | 'snapshots', number>> {
  const snapshots = databases.filter(({ isSnapshot }) => isSnapshot).length;
  const users = databases.filter((database) => isUserDatabase(database, facts)).length;
  return { users, snapshots, system: databases.length - users - snapshots };
}

/** "312 of 400 automatic": short enough for a narrow pane. */
export function describeAutomatic(facts: Facts): string {
  const { automatic, databases } = countAutomatic(facts);
  return t('{0} of {1} automatic', formatCount(automatic), formatCount(databases));
}

interface Counts {
  readonly automatic: number;
  readonly databases: number;
}

const counted = new WeakMap<Facts, Counts>();

/** Counts user databases, once for each reading of the facts, however often the pane is drawn. */
export function countAutomatic(facts: Facts): Counts {
  const known = counted.get(facts);
  if (known !== undefined) return known;
  const databases = facts.databases.filter((database) => isUserDatabase(database, facts));
  const automatic = databases.filter((database) => database.targetSeconds === 0).length;
  const counts = { automatic, databases: databases.length };
  counted.set(facts, counts);
  return counts;
}

/** Words by verdict on the instance. That verdict is a new object whenever the databases are judged again. */
const described = new WeakMap<InstanceVerdict, { readonly facts: Facts; readonly words: InstanceWords }>();

/** The verdict on the instance in words, made once for each verdict; null if not judged yet. */
export function tellInstance({ instance, facts, verdicts }: ServerSnapshot): InstanceWords | null {
  if (instance === null || facts === null) return null;
  const known = described.get(instance);
  if (known?.facts === facts) return known.words;
  const words = describeInstance(instance, facts, verdicts);
  described.set(instance, { facts, words });
  return words;
}

/** True if the first verdict, or the first since a change, needs more time. False if it is there or cannot come. */
export function awaitsVerdict({ instance, tracking }: ServerSnapshot): boolean {
  return tracking.state === 'tracking' && instance !== null && instance.neededMs > 0;
}

/**
 * Milliseconds from the beginning of tracking to the end of what was observed, by the server's clock. null if nothing
 * was observed yet.
 */
export function measureElapsed({ tracking, trackingSinceUtcMs }: ServerSnapshot): number | null {
  if (tracking.observation === null) return null;
  return Math.max(0, tracking.observation.endUtcMs - (trackingSinceUtcMs ?? tracking.observation.beginUtcMs));
}

/**
 * "214 events lost"; null if none, or not observable. Lost buffers are mentioned too: each held many events, it is not
 * known how many.
 */
export function describeLost({ lostEvents, lostBuffers }: ServerSnapshot['tracking']): string | null {
  const events = (lostEvents ?? 0) === 0 ? null : countEvents(lostEvents ?? 0);
  const buffers = (lostBuffers ?? 0) === 0 ? null : countBuffers(lostBuffers ?? 0);
  return events === null || buffers === null ? (events ?? buffers) : t('{0} and {1}', events, buffers);
}

/** What this login may not see or do, one sentence each; empty if it may do all. */
export function listLimits(facts: Facts): readonly string[] {
  const { server, state, roles } = facts;
  const limits: string[] = [];
  if (state.kind === 'not observable')
    limits.push(t('Memory and event sessions cannot be seen: {0}', endSentence(state.reason)));
  if (roles.kind === 'not observable')
    limits.push(t('Availability group roles cannot be seen: {0}', endSentence(roles.reason)));
  const missing = findMissingPermission(server);
  if (missing !== null) limits.push(missing);
  if (server.startedUtcMs === null) limits.push(t('The time since the last start cannot be seen.'));
  if (server.recoveryIntervalMinutes === null)
    limits.push(t('The recovery interval cannot be seen. The default of one minute is assumed.'));
  return limits;
}

/** What a limit asks for. */
export const nameLimit = ({ isUp }: NearestLimit): string =>
  isUp ? t({ message: 'Stop', comment: ['The name of a limit that is exceeded'] }) : t('Near a limit');

export const connectionNames: Readonly<Record<ConnectionState, string>> = {
  'not connected': t('not connected'),
  connecting: t('connecting…'),
  connected: t('connected'),
  failed: t('failed'),
};

const standingWords: Readonly<Record<Standing['kind'], string>> = {
  refused: t('login refused'),
  certificate: t('certificate not trusted'),
  waiting: t('not connected'),
  unreachable: t('not reached'),
  gone: t('connect another way'),
};

/**
 * Why we show an earlier state, or a part only: "not reached since 10:32", "tracked when last seen". By the clock of
 * this computer. null if the state is of now.
 */
export function describeAbsence({
  connection,
  standing,
  silentSinceMs,
  tracking,
  facts,
  failure,
}: ServerSnapshot): string | null {
  if (tracking.record !== undefined)
    return facts === null && failure !== null ? t('has checkpoints only') : null;
  const isClosed = standing === null ? connection === 'not connected' : standing.kind === 'waiting';
  if (isClosed) return tracking.isLastSeen ? t('tracked when last seen') : standingWords.waiting;
  // With its time it would be too long for a narrow pane. The tooltip has the time.
  if (standing?.kind === 'certificate' || standing?.kind === 'gone') return standingWords[standing.kind];
  if (standing !== null)
    return t('{0} since {1}', standingWords[standing.kind], formatClock(standing.sinceMs));
  if (silentSinceMs !== null) return t('no answer since {0}', formatClock(silentSinceMs));
  return connection === 'failed' ? t('could not be read') : null;
}

/** What happens next: "Trying again in 20 s", below a minute in steps of 5 s, as the row is updated. */
export function describeNext({ kind, retryInMs }: Standing): string {
  if (retryInMs === null) return kind === 'waiting' ? t('Open') : t('Not trying again: click to choose');
  const seconds = Math.ceil(retryInMs / WAIT_STEP_MS) * (WAIT_STEP_MS / 1000);
  if (seconds <= 0) return t('Trying again now');
  return seconds < 60
    ? t('Trying again in {0} s', seconds)
    : t('Trying again in {0} min', Math.round(seconds / 60));
}

/** How often the text about a wait changes, in milliseconds. */
export const WAIT_STEP_MS = 5_000;

/** "10:32", by the clock of this computer. */
export function formatClock(utcMs: number): string {
  return formatDateTime(utcMs, offsetHereAt(utcMs)).slice(11, 16);
}

/** "As of 09:40, not verified yet", by the clock of this computer. */
export const tellUnverified = (capture: UnverifiedCapture): string =>
  describeUnverified(capture, offsetHereAt(capture.toUtcMs), Date.now());

const offsetHereAt = (utcMs: number): number => -new Date(utcMs).getTimezoneOffset();

/** Why tracking cannot be started there; null if nothing is known to be in the way. */
export function findStartObstacle({
  facts,
  tracking,
}: Pick<ServerSnapshot, 'facts' | 'tracking'>): TrackingObstacle | null {
  const sentence = t(
    'This is a saved capture, with no server behind it: nothing can be read, tracked or changed.',
  );
  if (tracking.record !== undefined)
    return { brief: t('a saved capture'), missing: [], sentence, grant: null };
  return facts === null ? null : findTrackingObstacle(facts.server);
}
