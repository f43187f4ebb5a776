import { readDatabaseFacts } from '../../core/advice/database-facts';
import { readAvailabilityRoles, readServerState } from '../../core/advice/fact-rows';
import {
  type DatabaseFacts,
  type Facts,
  nothingMoreRead,
  observed,
  type ServerFacts,
} from '../../core/advice/facts';
import { readServerFacts } from '../../core/advice/server-facts';
import { isAzureSqlDatabase, knowsAcceleratedRecovery } from '../../core/advice/platform';
import {
  readDatabaseIds,
  readServerSettings,
  readStartupOptions,
  readTraceFlags,
} from '../../core/advice/setting-rows';
import {
  defineRow,
  integer,
  isLacking,
  nullable,
  readRows,
  type RowProblem,
  text,
  utc,
} from '../../core/rows';
import { fillTemplate } from '../../core/script/template';
import { type DatabaseChange, findTargetChange } from '../../core/task/change-moment';
import { readInstanceWork } from '../../core/write-work/work-readings';
import { addLook } from '../../core/write-work/write-figures';
import { ConnectionError } from '../../hosts/host';
import { gatheringTemplates, readTemplates } from '../../texts';
import { type AskAll, askIn, describeUnreadable, isLate, observe, takeOne } from '../queries/observed-read';
import { explainRefusal } from '../queries/failure';
import type { ServerQuery } from '../queries/server-query';
import { lacksView } from './tracking-permission';
import { joinSentences, t } from '../../core/language';

export interface FactsReading {
  readonly facts: Facts;
  /** Rows that could not be read, beside those that could. */
  readonly problems: readonly RowProblem[];
}

/**
 * Reads what the pane always shows about a server: a few small questions. What this login may not see is not
 * observable; the rest is still read. What takes longer (`readMoreFacts`) stays as it was read last on the same server.
 * @throws ConnectionError
 */
export async function readFacts(query: ServerQuery, before: Facts | null = null): Promise<FactsReading> {
  const problems: RowProblem[] = [];
  const all = askIn((text) => query.run(text), problems);
  // Reads that do not need each other are asked at the same moment, so that they go in one text.
  const [identity, databaseRows, state, settings, startup, looked] = await Promise.all([
    all(readTemplates.serverFacts, readServerFacts),
    query.run(fillTemplate(readTemplates.databaseFacts, {})),
    observe(async () =>
      takeOne(await all(readTemplates.serverState, readServerState), describeUnreadable('server-state')),
    ),
    observe(async () =>
      takeOne(
        await all(readTemplates.serverSettings, readServerSettings),
        describeUnreadable('server-settings'),
      ),
    ),
    readStartup(all),
    before && lookAtWaits(query, before.server, before.looks),
  ]);
  const known = takeOne(identity, t('The server did not give its name.'));
  const { values: databases, problems: lacking } = readDatabaseFacts(databaseRows);
  problems.push(...lacking);
  // Each server has system databases.
  if (databases.length === 0)
    throw new ConnectionError(
      'queryFailed',
      joinSentences(describeUnreadable('database-facts'), lacking[0]?.message ?? ''),
    );
  const unreadDatabases = new Set(lacking.filter(isLacking).map(({ row }) => row)).size;
  const [roles, acceleratedRecovery, looks] = await Promise.all([
    readRoles(known, all),
    readAcceleratedRecovery(known, all),
    before === null ? lookAtWaits(query, known, []) : looked,
  ]);
  const isSame = before?.server.serverName === known.serverName;
  // What could not be read is as it was: a passing failure is no change.
  const read = new Set(databases.map(({ databaseId }) => databaseId));
  const kept =
    unreadDatabases > 0 && isSame ? before.databases.filter(({ databaseId }) => !read.has(databaseId)) : [];
  const server = {
    ...known,
    recoveryIntervalMinutes: settings.kind === 'observed' ? settings.value.recoveryIntervalMinutes : null,
  };
  const facts: Facts = {
    ...(isSame ? before : nothingMoreRead),
    server,
    unreadDatabases,
    databases: isAzureSqlDatabase(server)
      ? [...databases, ...kept].map(leaveReplicasToAzure)
      : [...databases, ...kept],
    state,
    roles,
    settings: settings.kind === 'observed' ? observed(settings.value.settings) : settings,
    traceFlags: await readFlags(query, server, problems),
    startup,
    acceleratedRecovery,
    looks: isSame || before === null ? looks : [],
  };
  return { facts, problems };
}

/** In Azure SQL Database the service runs the replicas: no group, no role, nothing to do on another server. */
function leaveReplicasToAzure(database: DatabaseFacts): DatabaseFacts {
  return { ...database, inAvailabilityGroup: false };
}

async function readRoles(server: ServerFacts, all: AskAll): Promise<Facts['roles']> {
  if (!server.isHadrEnabled || isAzureSqlDatabase(server)) return observed(new Map());
  return observe(async () => {
    const roles = await all(readTemplates.availabilityRoles, readAvailabilityRoles);
    return new Map(roles.map((role) => [role.databaseId, role]));
  });
}

async function readFlags(
  query: ServerQuery,
  { serverName }: ServerFacts,
  problems: RowProblem[],
): Promise<Facts['traceFlags']> {
  return observe(async () => {
    const values = await askIn((text) => query.gather(text), problems)(
      gatheringTemplates.traceFlags,
      readTraceFlags,
    );
    const { refusal, flags } = takeOne(values, describeUnreadable('trace-flags'));
    if (refusal !== null) throw explainRefusal(refusal, serverName);
    return flags;
  });
}

async function readStartup(all: AskAll): Promise<Facts['startup']> {
  return observe(async () => {
    const values = await all(readTemplates.startupOptions, readStartupOptions);
    return takeOne(
      values,
      t('The server does not show its startup options. On Linux it never does.'),
      'permissionDenied',
    );
  });
}

/** With one look more: two tell how busy the checkpoint task is, whether or not anything is tracked. */
async function lookAtWaits(
  query: ServerQuery,
  server: ServerFacts,
  earlier: Facts['looks'],
): Promise<Facts['looks']> {
  if (earlier === null || isAzureSqlDatabase(server) || lacksView(server.permissions)) return earlier && [];
  const answer = await observe(() => query.run(fillTemplate(readTemplates.instanceWork, {})), isLate);
  if (answer.kind === 'not observable') return answer.mayPass ? earlier : null;
  const { value } = readInstanceWork(answer.value);
  return value === null ? earlier : addLook(earlier, value);
}

/** The column exists since SQL Server 2019. On earlier versions a text that names it fails as a whole. */
async function readAcceleratedRecovery(
  server: ServerFacts,
  all: AskAll,
): Promise<Facts['acceleratedRecovery']> {
  if (!knowsAcceleratedRecovery(server)) return observed(new Set());
  return observe(async () => new Set(await all(readTemplates.acceleratedRecovery, readDatabaseIds)));
}

/** Databases whose target recovery time differs between two readings of the facts: it changed between them. */
export function findChanges(before: Facts | null, after: Facts): readonly DatabaseChange[] {
  if (before === null || before.server.serverName !== after.server.serverName) return [];
  const known = new Map(before.databases.map((database) => [database.databaseId, database]));
  const between = {
    source: 'observed',
    notBeforeUtcMs: before.server.nowUtcMs,
    atUtcMs: after.server.nowUtcMs,
  } as const;
  return after.databases.flatMap((database) => {
    const change = findTargetChange(known.get(database.databaseId), database);
    return change === null ? [] : [{ databaseId: database.databaseId, ...between, ...change }];
  });
}

const clockRow = defineRow({ server_name: nullable(text()), now_utc: utc(), utc_offset_minutes: integer() });

export type ServerClockReading = Pick<ServerFacts, 'nowUtcMs' | 'utcOffsetMinutes'>;

/** The server's clock, which every login may read; null if another server answers. @throws ConnectionError */
export async function readServerClock(
  query: Pick<ServerQuery, 'run'>,
  serverName: string | null,
): Promise<ServerClockReading | null> {
  const { rows } = readRows(clockRow, await query.run(fillTemplate(readTemplates.serverClock, {})));
  const clock = rows[0];
  if (clock === undefined || clock.serverName !== serverName) return null;
  return { nowUtcMs: clock.nowUtc, utcOffsetMinutes: clock.utcOffsetMinutes };
}
