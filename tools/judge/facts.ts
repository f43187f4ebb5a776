/** The facts that the product would have read from a site's server. */
import {
  type AvailabilityRole,
  type DatabaseCopies,
  type Facts,
  observed,
  type Permissions,
} from '../../src/core/advice/facts';
import { databaseOf, factsOf, serverOf } from '../../test/core/advice/facts-of';
import type { Site, SiteDatabase, SiteServer } from './site';

export function factsOfSite(site: Site): Facts {
  const { server, databases, observedToMs, volumes } = site;
  const roles = new Map(
    databases.flatMap((one): [number, AvailabilityRole][] =>
      one.role === 'NONE' ? [] : [[one.id, roleOf(one)]],
    ),
  );
  const volumesOf = (name: string): readonly string[] =>
    [volumes.get(name)].filter((volume) => volume !== undefined);
  const files = databases.map(({ id, name, logSizeMb }) => {
    return [
      id,
      {
        dataMb: 0,
        logMb: logSizeMb ?? Infinity,
        dataVolumes: volumesOf(name),
        logVolumes: volumesOf(name),
        dataWriteMs: null,
      },
    ] as const;
  });
  const logs = databases.flatMap(({ id, logSizeMb, logUsedPercent: used }) =>
    logSizeMb === null || used === null
      ? []
      : [[id, { vlfCount: 1, sinceCheckpointMb: (logSizeMb * used) / 100 }] as const],
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
        nowUtcMs: observedToMs,
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
      ...(volumes.size > 0 || databases.some(({ logSizeMb }) => logSizeMb !== null)
        ? { files: observed(new Map(files)) }
        : {}),
      ...(logs.length > 0 ? { logs: observed(new Map(logs)) } : {}),
    },
  );
}

function databaseOfSite(one: SiteDatabase, createdLocal: string): Facts['databases'][number] {
  const {
    id,
    name,
    role,
    targetSeconds,
    state,
    recoveryModel,
    logReuseWait,
    isReadOnly,
    isInStandby,
    isSnapshot,
    updateability,
  } = one;
  const own = {
    name,
    targetSeconds,
    state,
    recoveryModel,
    logReuseWait,
    isReadOnly,
    isInStandby,
    isSnapshot,
    updateability,
  };
  return databaseOf({ databaseId: id, createdLocal, ...own, inAvailabilityGroup: role !== 'NONE' });
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
  const { permissions } = serverOf();
  return canRecord
    ? permissions
    : (Object.fromEntries(Object.keys(permissions).map((name) => [name, false])) as unknown as Permissions);
}
