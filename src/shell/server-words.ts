/** A server's facts in the words that tree and dashboard share. */
import { type DatabaseFacts, type Facts, isSystemDatabase, type ServerFacts, type ServerState } from '../core/advice/facts';
import { formatCount, formatDateTime, formatDuration } from '../core/format';
import type { Standing } from '../monitor/login-breaker';
import type { ServerSnapshot } from '../monitor/server-monitor';
import { findMissingPermission } from '../monitor/tracking-permission';

const dayMs = 86_400_000;

const yearOfMajorVersion: Readonly<Record<string, string>> = {
  11: '2012',
  12: '2014',
  13: '2016',
  14: '2017',
  15: '2019',
  16: '2022',
  17: '2025',
};

/** "SQL Server 2019"; the platform where it is not the box product; the bare version where it is one we do not know. */
export function nameProduct(server: ServerFacts): string {
  if (server.engineEdition === 5) return 'Azure SQL Database';
  if (server.engineEdition === 8) return 'Azure SQL Managed Instance';
  const major = server.productVersion.split('.')[0] ?? '';
  return `SQL Server ${yearOfMajorVersion[major] ?? server.productVersion}`;
}

/** "256 GB"; whole gigabytes from 10 on. */
export function describeMemory(state: ServerState): string {
  const gigabytes = state.physicalMemoryMb / 1024;
  if (gigabytes >= 1024) return `${roundBelowTen(gigabytes / 1024)} TB`;
  return gigabytes >= 1 ? `${roundBelowTen(gigabytes)} GB` : `${state.physicalMemoryMb} MB`;
}

function roundBelowTen(amount: number): string {
  return amount < 10 ? String(Math.round(amount * 10) / 10) : String(Math.round(amount));
}

/** "12 d", "5 h 3 min": days alone from two days on. */
export function describeUptime(server: ServerFacts): string | null {
  if (server.startedUtcMs === null) return null;
  const uptimeMs = Math.max(0, server.nowUtcMs - server.startedUtcMs);
  return uptimeMs >= 2 * dayMs ? `${formatCount(Math.floor(uptimeMs / dayMs))} d` : formatDuration(uptimeMs);
}

/** The databases that the sentence about automatic checkpoints is about: system databases are never switched and snapshots have no checkpoints of their own. */
export function listUserDatabases(facts: Facts): readonly DatabaseFacts[] {
  return facts.databases.filter((database) => !isSystemDatabase(database.databaseId) && !database.isSnapshot);
}

/** "312 of 400 databases use automatic checkpoints". */
export function describeAutomatic(facts: Facts): string {
  const { automatic, databases } = countAutomatic(facts);
  return `${automatic} of ${databases} databases use automatic checkpoints`;
}

export function countAutomatic(facts: Facts): { readonly automatic: number; readonly databases: number } {
  const databases = listUserDatabases(facts);
  return { automatic: databases.filter((database) => database.targetSeconds === 0).length, databases: databases.length };
}

/** What this login may not see or do, one sentence each. Empty where nothing is missing. */
export function listLimits(facts: Facts): readonly string[] {
  const { server, state, roles } = facts;
  const limits: string[] = [];
  if (state.kind === 'not observable') limits.push(`Memory and event sessions cannot be seen: ${endSentence(state.reason)}`);
  if (roles.kind === 'not observable') limits.push(`Availability group roles cannot be seen: ${endSentence(roles.reason)}`);
  const missing = findMissingPermission(server);
  if (missing !== null) limits.push(missing);
  if (server.startedUtcMs === null) limits.push('The time since the last start cannot be seen.');
  if (server.recoveryIntervalMinutes === null) limits.push('The recovery interval cannot be seen; one minute, its default, is assumed.');
  return limits;
}

function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

const standingWords: Readonly<Record<Standing['kind'], string>> = {
  refused: 'login refused',
  certificate: 'certificate not trusted',
  waiting: 'waits for a click',
  unreachable: 'not reached',
};

/** Of a server that could not be read: "not reached", "login refused". */
export function nameFailure({ standing }: Pick<ServerSnapshot, 'standing'>): string {
  return standing === null ? standingWords.unreachable : nameStanding(standing);
}

/** "login refused". */
export function nameStanding({ kind }: Standing): string {
  return standingWords[kind];
}

/** "Login refused since 10:32, not tried again by itself: click to choose what to do"; by the clock of this computer. */
export function describeStanding(standing: Standing): string {
  const said = `${nameStanding(standing)} since ${formatClock(standing.sinceMs)}, ${describeNext(standing)}`;
  return said.slice(0, 1).toUpperCase() + said.slice(1);
}

function describeNext({ kind, retryAtMs }: Standing): string {
  if (retryAtMs !== null) return `tried again at ${formatClock(retryAtMs, true)}: click to try now`;
  return kind === 'waiting' ? 'asks nothing by itself: click to connect' : 'not tried again by itself: click to choose what to do';
}

function formatClock(utcMs: number, withSeconds = false): string {
  const local = formatDateTime(utcMs, -new Date(utcMs).getTimezoneOffset());
  return local.slice(11, withSeconds ? 19 : 16);
}
