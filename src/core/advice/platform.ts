import type { Facts, ServerFacts } from './facts';

/** Amazon RDS manages its instances with a database of its own (docs/facts.md, SQL Server 6). */
export function isAmazonRds({ databases }: Pick<Facts, 'databases'>): boolean {
  return databases.some(({ name }) => name.toLowerCase() === 'rdsadmin');
}

/** 15 of "15.0.4322.2"; 0 if it cannot be read. In Azure it is always 12. */
export function readMajorVersion({ productVersion }: Pick<ServerFacts, 'productVersion'>): number {
  return Number.parseInt(productVersion, 10) || 0;
}

export function isAzureSqlDatabase({ engineEdition }: Pick<ServerFacts, 'engineEdition'>): boolean {
  return engineEdition === 5;
}

/** Managed Instance and Azure SQL Database are always newer than their version number says. */
function isManagedByAzure({ engineEdition }: Pick<ServerFacts, 'engineEdition'>): boolean {
  return engineEdition === 5 || engineEdition === 8;
}

/** The column of sys.databases with the name that the counters of a database have (docs/facts.md, SQL Server 6). */
export function findCounterColumn({
  engineEdition,
}: Pick<ServerFacts, 'engineEdition'>): 'name' | 'physical_database_name' {
  return engineEdition === 8 ? 'physical_database_name' : 'name';
}

/** Whether sys.databases has is_accelerated_database_recovery_on: SQL Server 2019 (docs/facts.md, SQL Server 6). */
export function knowsAcceleratedRecovery(server: ServerFacts): boolean {
  return isManagedByAzure(server) || readMajorVersion(server) >= 15;
}

/** Whether sys.availability_groups has is_distributed: SQL Server 2016. */
export function knowsDistributedGroups(server: ServerFacts): boolean {
  return isManagedByAzure(server) || readMajorVersion(server) >= 13;
}
