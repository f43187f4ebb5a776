import type { Facts, ServerFacts } from './facts';

/** What kind of installation it is; platforms differ in what can be seen, where event files lie and what a script may do. */
export type PlatformKind =
  | 'SQL Server on Windows'
  | 'SQL Server on Linux'
  | 'Amazon RDS'
  | 'Azure SQL Managed Instance'
  | 'Azure SQL Database'
  | 'Azure Synapse or Microsoft Fabric'
  | 'unknown';

export interface Platform {
  readonly kind: PlatformKind;
  /** What it was told by, as one sentence. */
  readonly reason: string;
}

/** SERVERPROPERTY('EngineEdition') (docs/facts.md, SQL Server 6; Microsoft Learn, "SERVERPROPERTY", and the enumeration DatabaseEngineEdition of SMO for 6, 9 and 10). */
const editions: ReadonlyMap<number, readonly [kind: PlatformKind, name: string]> = new Map([
  [5, ['Azure SQL Database', 'Azure SQL Database']],
  [6, ['Azure Synapse or Microsoft Fabric', 'a dedicated SQL pool of Azure Synapse']],
  [8, ['Azure SQL Managed Instance', 'Azure SQL Managed Instance']],
  [11, ['Azure Synapse or Microsoft Fabric', 'a serverless SQL pool of Azure Synapse']],
  [12, ['Azure Synapse or Microsoft Fabric', 'Microsoft Fabric']],
]);

/** The platform of a server, with what it was told by. What is not known by name is 'unknown', never taken for the box product. */
export function findPlatform({ server, databases, host }: Pick<Facts, 'server' | 'databases' | 'host'>): Platform {
  const { engineEdition } = server;
  const edition = editions.get(engineEdition);
  if (edition !== undefined) return { kind: edition[0], reason: `Engine edition ${engineEdition} is ${edition[1]}.` };
  if (engineEdition < 1 || engineEdition > 4) return { kind: 'unknown', reason: `Engine edition ${engineEdition} is not known here.` };
  if (isAmazonRds({ databases }))
    return { kind: 'Amazon RDS', reason: 'It has the database rdsadmin, with which Amazon RDS manages its instances.' };
  if (host.kind === 'observed') {
    const kind = host.value.platform === 'Linux' ? 'SQL Server on Linux' : 'SQL Server on Windows';
    return { kind, reason: `It says that it runs on ${host.value.distribution || host.value.platform}.` };
  }
  if (server.pathSeparator === '/') return { kind: 'SQL Server on Linux', reason: 'Its paths are written with /.' };
  if (server.pathSeparator !== null)
    return { kind: 'SQL Server on Windows', reason: `Its paths are written with ${server.pathSeparator}.` };
  if (readMajorVersion(server) < 14) return { kind: 'SQL Server on Windows', reason: 'Before SQL Server 2017 there was no other.' };
  return { kind: 'unknown', reason: 'It does not say what it runs on.' };
}

/** Amazon RDS manages its instances with a database of its own (docs/facts.md, SQL Server 6). */
export function isAmazonRds({ databases }: Pick<Facts, 'databases'>): boolean {
  return databases.some(({ name }) => name.toLowerCase() === 'rdsadmin');
}

/** 15 of "15.0.4322.2"; 0 where it cannot be read. In Azure it is 12 whatever the release. */
export function readMajorVersion({ productVersion }: Pick<ServerFacts, 'productVersion'>): number {
  return Number.parseInt(productVersion, 10) || 0;
}

export function isAzureSqlDatabase({ engineEdition }: Pick<ServerFacts, 'engineEdition'>): boolean {
  return engineEdition === 5;
}

/** Managed Instance and Azure SQL Database are always of a newer release than their version number says. */
export function isManagedByAzure({ engineEdition }: Pick<ServerFacts, 'engineEdition'>): boolean {
  return engineEdition === 5 || engineEdition === 8;
}

/** Whether sys.databases has is_accelerated_database_recovery_on: SQL Server 2019 (docs/facts.md, SQL Server 6). */
export function knowsAcceleratedRecovery(server: ServerFacts): boolean {
  return isManagedByAzure(server) || readMajorVersion(server) >= 15;
}

/** Whether sys.dm_os_host_info is there: SQL Server 2017, not in Azure SQL Database. */
export function knowsHost(server: ServerFacts): boolean {
  return server.engineEdition === 8 || readMajorVersion(server) >= 14;
}

/** Whether sys.availability_groups has is_distributed: SQL Server 2016. */
export function knowsDistributedGroups(server: ServerFacts): boolean {
  return isManagedByAzure(server) || readMajorVersion(server) >= 13;
}
