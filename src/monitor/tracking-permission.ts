import type { ServerFacts } from '../core/advice/facts';

/** SERVERPROPERTY('EngineEdition') of platforms whose sessions cannot write event files of their own (docs/facts.md, SQL Server 6). */
const withoutEventFiles: ReadonlyMap<number, string> = new Map([
  [5, 'Azure SQL Database'],
  [8, 'Azure SQL Managed Instance'],
  [11, 'Azure Synapse serverless SQL'],
  [12, 'Microsoft Fabric'],
]);

/** Why checkpoints cannot be tracked on this platform, as one sentence with what still works; null where they can. */
export function findPlatformObstacle(server: ServerFacts): string | null {
  const platform = withoutEventFiles.get(server.engineEdition);
  if (platform === undefined) return null;
  return `${server.serverName} is ${platform}, where an event session cannot write files of its own: tracking is not possible there with this version. The list of databases and the review of scripts work without it.`;
}

/**
 * What this login lacks for tracking, as one sentence with what to do and what still works; null where nothing is known to be missing.
 * From SQL Server 2022 creating and starting are two permissions (docs/facts.md, SQL Server 6).
 */
export function findMissingPermission(server: ServerFacts): string | null {
  const { permissions } = server;
  const missing: string[] = [];
  const mayChange =
    permissions.alterEventSession === true || (permissions.createEventSession === true && permissions.enableEventSession === true);
  if (!mayChange) missing.push('ALTER ANY EVENT SESSION');
  if (permissions.viewServerState === false && permissions.viewPerformanceState !== true) missing.push('VIEW SERVER STATE');
  if (missing.length === 0) return null;
  return `Tracking needs ${missing.join(' and ')}, which the login ${server.loginName} does not have on ${server.serverName}. Ask an administrator to grant it; the list of databases and the review of scripts work without it.`;
}
