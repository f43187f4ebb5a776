import type { Random } from './random';
import { AZURE_VOLUME, describeAzureServer, inFullRecovery } from './azure-server';
import { describeDatabases, scaleMix, type DatabaseMix, type Placement } from './described-databases';
import { requireRelease } from './releases';
import type { Scenario, ScenarioOptions } from './scenario';
import { listSystemDatabases } from './system-databases';

/** Migrated by restores: a third of the databases came with target 0. */
const MIX: DatabaseMix = {
  automatic: { batch: 0, busy: 6, light: 6, idle: 8 },
  indirect: { batch: 0, busy: 10, light: 10, idle: 20 },
};
const PLACEMENT: Placement = { data: AZURE_VOLUME, log: AZURE_VOLUME, sharedShare: 1, years: [2015, 2025] };

/**
 * Azure SQL Managed Instance under one of its update policies, SQL Server 2022 or 2025. Every database is in the FULL
 * recovery model. Microsoft Learn, "Update policy".
 */
export function makeManagedInstance(
  random: Random,
  { release: asked = 2022, databases }: ScenarioOptions,
): Scenario {
  const server = describeAzureServer({
    name: 'contoso-mi.6d710bcf372b.database.windows.net',
    platform: 'managed-instance',
    release: requireRelease('managed-instance', asked, 2022),
    engineEdition: 8,
    cpuCount: 16,
    memoryGb: 80,
    storageGb: 2_048,
    upDays: 20,
  });
  const system = listSystemDatabases(server, {
    isClean: true,
    volume: AZURE_VOLUME,
    tempdbVolume: AZURE_VOLUME,
  });
  const user = describeDatabases(scaleMix(MIX, databases), PLACEMENT, server, random).map(inFullRecovery);
  return { name: 'managed-instance', server, databases: [...system, ...user] };
}
