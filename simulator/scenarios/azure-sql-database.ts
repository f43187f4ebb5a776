import type { Random } from './random';
import { AZURE_VOLUME, describeAzureServer, inFullRecovery } from './azure-server';
import { describeDatabases, scaleMix, type DatabaseMix, type Placement } from './described-databases';
import { requireRelease } from './releases';
import type { Scenario, ScenarioOptions } from './scenario';
import { listSystemDatabases } from './system-databases';

/** All at the default of 60, except one that came from a server before 2016. */
const MIX: DatabaseMix = {
  automatic: { batch: 0, busy: 0, light: 1, idle: 0 },
  indirect: { batch: 0, busy: 2, light: 2, idle: 3 },
};
const PLACEMENT: Placement = { data: AZURE_VOLUME, log: AZURE_VOLUME, sharedShare: 1, years: [2018, 2025] };

/**
 * A logical server of Azure SQL Database: master and a few separate databases, always of the newest release. The model
 * has one engine for all of them; the service may have several. Checkpoints behave as in the product.
 */
export function makeAzureSqlDatabase(
  random: Random,
  { release: asked = 2025, databases }: ScenarioOptions,
): Scenario {
  const server = describeAzureServer({
    name: 'contoso-sql',
    platform: 'azure-sql-database',
    release: requireRelease('azure-sql-database', asked, 2025),
    engineEdition: 5,
    cpuCount: 8,
    memoryGb: 40,
    storageGb: 1_024,
    upDays: 6,
  });
  // There is no model and no msdb; tempdb is there, and sys.databases does not show it.
  const system = listSystemDatabases(server, {
    isClean: true,
    isQuiet: true,
    volume: AZURE_VOLUME,
    tempdbVolume: AZURE_VOLUME,
  });
  const user = describeDatabases(scaleMix(MIX, databases), PLACEMENT, server, random).map(inFullRecovery);
  return { name: 'azure-sql-database', server, databases: [...system.filter(({ id }) => id <= 2), ...user] };
}
