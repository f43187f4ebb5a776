/** The facts that the product would have read from a site's server. */
import {
  type AvailabilityRole,
  type DatabaseCopies,
  type DatabaseLog,
  type Facts,
  nothingMoreRead,
  observed,
  type Permissions,
} from '../../src/core/advice/facts';
import { databaseOf, factsOf, serverOf } from '../../test/core/advice/facts-of';
import type { Site, SiteDatabase, SiteServer } from './site';

export function factsOfSite(site: Site): Facts {
  const { server, databases } = site;
  const roles = new Map(
    databases.filter(({ role }) => role !== 'NONE').map((one) => [one.id, roleOf(one)] as const),
  );
  // Long before the observed time.
  const createdLocal = new Date(site.observedFromMs - 365 * 86_400_000).toISOString().slice(0, 23);
  return factsOf(
    databases.map((one) => databaseOfSite(one, createdLocal)),
    {
      server: serverOf({
        serverName: site.name,
        productVersion: server.version,
        edition: server.edition,
        engineEdition: findEngine(server.edition),
        isHadrEnabled: roles.size > 0,
        nowUtcMs: site.observedToMs,
        utcOffsetMinutes: server.utcOffsetMin,
        startedUtcMs: site.observedFromMs - 30 * 86_400_000,
        recoveryIntervalMinutes: server.recoveryIntervalMin,
        permissions: permit(server.canRecord),
      }),
      state: observed({
        committedTargetMb: ((server.bufferPoolPages ?? 0) * 8) / 1024 || server.memoryGb * 819.2,
        physicalMemoryMb: server.memoryGb * 1024,
        hasBufferPoolScanComplete: true,
        hasTimestampUtc: true,
      }),
      roles: observed(roles),
      traceFlags: observed(server.traceFlags),
      acceleratedRecovery: observed(new Set(databases.filter(({ isAdr }) => isAdr).map(({ id }) => id))),
      copies: observed(
        new Map(databases.filter(({ role }) => role === 'FORWARDER').map(({ id }) => [id, forwarded(id)])),
      ),
      files: filesOf(site),
      logs: logsOf(site),
    },
  );
}

/** Not read, unless the site names a volume or the size of a log. */
function filesOf({ databases, volumes }: Site): Facts['files'] {
  if (volumes.size === 0 && databases.every(({ logSizeMb }) => logSizeMb === null))
    return nothingMoreRead.files;
  return observed(
    new Map(
      databases.map(({ id, name, logSizeMb }) => {
        const volume = volumes.get(name);
        const on = volume === undefined ? [] : [volume];
        return [
          id,
          { dataMb: 0, logMb: logSizeMb ?? Infinity, dataVolumes: on, logVolumes: on, dataWriteMs: null },
        ];
      }),
    ),
  );
}

function logsOf({ databases }: Site): Facts['logs'] {
  const logs = new Map<number, DatabaseLog>();
  for (const { id, logSizeMb, logUsedPercent } of databases)
    if (logSizeMb !== null && logUsedPercent !== null)
      logs.set(id, { vlfCount: 1, sinceCheckpointMb: (logSizeMb * logUsedPercent) / 100 });
  return logs.size > 0 ? observed(logs) : nothingMoreRead.logs;
}

function databaseOfSite(one: SiteDatabase, createdLocal: string): Facts['databases'][number] {
  return databaseOf({
    databaseId: one.id,
    name: one.name,
    createdLocal,
    targetSeconds: one.targetSeconds,
    state: one.state,
    isReadOnly: one.isReadOnly,
    isInStandby: one.isInStandby,
    isSnapshot: one.isSnapshot,
    recoveryModel: one.recoveryModel,
    logReuseWait: one.logReuseWait,
    updateability: one.updateability,
    inAvailabilityGroup: one.role !== 'NONE',
  });
}

/** A forwarder reports its role as PRIMARY (docs/facts.md, SQL Server 2). */
function roleOf({ id, role }: SiteDatabase): AvailabilityRole {
  return {
    databaseId: id,
    role: role === 'FORWARDER' ? 'PRIMARY' : role,
    groupName: 'AG',
    primaryReplica: null,
  };
}

function forwarded(id: number): DatabaseCopies {
  return { groupDatabaseId: `${id}`, redoQueueKb: null, isForwarder: true };
}

function findEngine(edition: SiteServer['edition']): number {
  if (/managed instance/i.test(edition)) return 8;
  if (/azure/i.test(edition)) return 5;
  return /express/i.test(edition) ? 4 : /standard|web|business/i.test(edition) ? 2 : 3;
}

function permit(canRecord: boolean): Permissions {
  if (canRecord) return serverOf().permissions;
  return {
    viewServerState: false,
    viewPerformanceState: false,
    alterEventSession: false,
    createEventSession: false,
    enableEventSession: false,
    disableEventSession: false,
    addSessionEvent: false,
    dropSessionEvent: false,
    dropEventSession: false,
  };
}
