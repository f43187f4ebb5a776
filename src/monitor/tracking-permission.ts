import type { Facts, ServerFacts } from '../core/advice/facts';

/** SERVERPROPERTY('EngineEdition') of platforms without event sessions of the server (docs/facts.md, SQL Server 6). */
const withoutServerSessions: ReadonlyMap<number, string> = new Map([
  [5, 'Azure SQL Database'],
  [11, 'Azure Synapse serverless SQL'],
  [12, 'Microsoft Fabric'],
]);
const MANAGED_INSTANCE = 8;

/** Whether an event session can write no files of its own there, only blobs with a credential: then it records in memory (docs/facts.md, SQL Server 6). */
export function hasNoFiles({ engineEdition }: Pick<ServerFacts, 'engineEdition'>): boolean {
  return engineEdition === MANAGED_INSTANCE;
}

/** Amazon RDS, which its own database gives away, takes event files in one folder only (docs/facts.md, SQL Server 6). '' where they lie beside the error log. */
export function findSessionFolder({ databases }: Facts): string {
  return databases.some(({ name }) => name.toLowerCase() === 'rdsadmin') ? 'D:\\rdsdbdata\\log\\' : '';
}

/** Why checkpoints cannot be tracked on this platform, as one sentence with what still works; null where they can. */
export function findPlatformObstacle(server: ServerFacts): string | null {
  const platform = withoutServerSessions.get(server.engineEdition);
  if (platform === undefined) return null;
  return `${server.serverName} is ${platform}, which has no event sessions of the server: tracking is not possible there with this version. The list of databases and the review of scripts work without it.`;
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
