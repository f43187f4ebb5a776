import { readAvailabilityRoles, readDatabaseFacts, readServerFacts, readServerState } from '../../core/advice/fact-rows';
import {
  type AvailabilityRole,
  type DatabaseFacts,
  type Facts,
  nothingMoreRead,
  type Observed,
  observed,
  type ServerFacts,
  type ServerState,
} from '../../core/advice/facts';
import { isAzureSqlDatabase, knowsAcceleratedRecovery } from '../../core/advice/platform';
import {
  readDatabaseIds,
  readServerSettings,
  readStartupOptions,
  readTraceFlags,
  type SettingsAnswer,
} from '../../core/advice/setting-rows';
import { isLacking, type RowProblem } from '../../core/rows';
import { fillTemplate } from '../../core/script/template';
import { type DatabaseChange, findTargetChange } from '../../core/task/change-moment';
import { ConnectionError } from '../../hosts/host';
import { gatheringTemplates, readTemplates } from '../../texts';
import { describeUnreadable, noteIn, observe, type TakeAll, takeOne } from '../queries/observed-read';
import { explainRefusal } from '../queries/failure';
import type { ServerQuery } from '../queries/server-query';
import { joinSentences, t } from '../../core/language';

export interface FactsReading {
  readonly facts: Facts;
  /** Rows that could not be read, beside those that could. */
  readonly problems: readonly RowProblem[];
}

/**
 * Reads what the pane always shows about a server: a few small questions. What this login may not see is not observable; the rest is still read.
 * What takes longer (`readMoreFacts`) stays as it was read last on the same server. @throws ConnectionError
 */
export async function readFacts(query: ServerQuery, before: Facts | null = null): Promise<FactsReading> {
  const problems: RowProblem[] = [];
  const all = noteIn(problems);
  // Reads that do not need each other are asked at the same moment, so that they go in one text.
  const [identity, databaseRows, state, settings, startup] = await Promise.all([
    query.run(fillTemplate(readTemplates.serverFacts, {})),
    query.run(fillTemplate(readTemplates.databaseFacts, {})),
    readState(query, all),
    readSettings(query, all),
    readStartup(query, all),
  ]);
  const known = takeOne(all('server-facts', readServerFacts(identity)), t('The server did not say who it is.'));
  const { values: databases, problems: lacking } = readDatabaseFacts(databaseRows);
  problems.push(...lacking);
  // Each server has system databases.
  if (databases.length === 0)
    throw new ConnectionError('queryFailed', joinSentences(describeUnreadable('database-facts'), lacking[0]?.message ?? ''));
  const unreadDatabases = new Set(lacking.filter(isLacking).map(({ row }) => row)).size;
  const [roles, acceleratedRecovery] = await Promise.all([readRoles(query, known, all), readAcceleratedRecovery(query, known, all)]);
  const isSame = before?.server.serverName === known.serverName;
  // What could not be read is as it was: a passing failure is no change.
  const read = new Set(databases.map(({ databaseId }) => databaseId));
  const kept = unreadDatabases > 0 && isSame ? before.databases.filter(({ databaseId }) => !read.has(databaseId)) : [];
  const server = { ...known, recoveryIntervalMinutes: settings.kind === 'observed' ? settings.value.recoveryIntervalMinutes : null };
  const facts: Facts = {
    ...(isSame ? before : nothingMoreRead),
    server,
    unreadDatabases,
    databases: isAzureSqlDatabase(server) ? [...databases, ...kept].map(leaveReplicasToAzure) : [...databases, ...kept],
    state,
    roles,
    settings: settings.kind === 'observed' ? observed(settings.value.settings) : settings,
    traceFlags: await readFlags(query, server, all),
    startup,
    acceleratedRecovery,
  };
  return { facts, problems };
}

async function readState(query: ServerQuery, all: TakeAll): Promise<Observed<ServerState>> {
  const unreadable = describeUnreadable('server-state');
  return observe(async () =>
    takeOne(all('server-state', readServerState(await query.run(fillTemplate(readTemplates.serverState, {})))), unreadable),
  );
}

/** In Azure SQL Database the service runs the replicas: no group, no role, nothing to do on another server. */
function leaveReplicasToAzure(database: DatabaseFacts): DatabaseFacts {
  return { ...database, inAvailabilityGroup: false };
}

async function readRoles(query: ServerQuery, server: ServerFacts, all: TakeAll): Promise<Observed<ReadonlyMap<number, AvailabilityRole>>> {
  if (!server.isHadrEnabled || isAzureSqlDatabase(server)) return observed(new Map());
  return observe(async () => {
    const roles = all('availability-roles', readAvailabilityRoles(await query.run(fillTemplate(readTemplates.availabilityRoles, {}))));
    return new Map(roles.map((role) => [role.databaseId, role]));
  });
}

async function readSettings(query: ServerQuery, all: TakeAll): Promise<Observed<SettingsAnswer>> {
  return observe(async () => {
    const values = all('server-settings', readServerSettings(await query.run(fillTemplate(readTemplates.serverSettings, {}))));
    return takeOne(values, describeUnreadable('server-settings'));
  });
}

async function readFlags(query: ServerQuery, { serverName }: ServerFacts, all: TakeAll): Promise<Facts['traceFlags']> {
  return observe(async () => {
    const values = all('trace-flags', readTraceFlags(await query.gather(fillTemplate(gatheringTemplates.traceFlags, {}))));
    const { refusal, flags } = takeOne(values, describeUnreadable('trace-flags'));
    if (refusal !== null) throw explainRefusal(refusal, serverName);
    return flags;
  });
}

async function readStartup(query: ServerQuery, all: TakeAll): Promise<Facts['startup']> {
  return observe(async () => {
    const values = all('startup-options', readStartupOptions(await query.run(fillTemplate(readTemplates.startupOptions, {}))));
    return takeOne(values, t('The server does not show its startup options. On Linux it never does.'), 'permissionDenied');
  });
}

/** The column exists since SQL Server 2019. On earlier versions a text that names it fails as a whole. */
async function readAcceleratedRecovery(query: ServerQuery, server: ServerFacts, all: TakeAll): Promise<Facts['acceleratedRecovery']> {
  if (!knowsAcceleratedRecovery(server)) return observed(new Set());
  return observe(async () => {
    const set = await query.run(fillTemplate(readTemplates.acceleratedRecovery, {}));
    return new Set(all('accelerated-recovery', readDatabaseIds(set)));
  });
}

/** Databases whose target recovery time differs between two readings of the facts: it changed some time between them. */
export function findChanges(before: Facts | null, after: Facts): readonly DatabaseChange[] {
  if (before === null || before.server.serverName !== after.server.serverName) return [];
  const known = new Map(before.databases.map((database) => [database.databaseId, database]));
  const between = { source: 'observed', notBeforeUtcMs: before.server.nowUtcMs, atUtcMs: after.server.nowUtcMs } as const;
  return after.databases.flatMap((database) => {
    const change = findTargetChange(known.get(database.databaseId), database);
    return change === null ? [] : [{ databaseId: database.databaseId, ...between, ...change }];
  });
}
