import { AZURE_VOLUME, describeAzureServer, inFullRecovery } from './azure-server';
import { drawnScenario } from './drawn-scenario';

/**
 * Azure SQL Managed Instance under one of its update policies, SQL Server 2022 or 2025. Every database is in the FULL
 * recovery model. Microsoft Learn, "Update policy".
 */
export const makeManagedInstance = drawnScenario({
  name: 'managed-instance',
  release: 2022,
  releases: [2022, 2025],
  // Migrated by restores: a third of the databases came with target 0.
  mix: {
    automatic: { batch: 0, busy: 6, light: 6, idle: 8 },
    indirect: { batch: 0, busy: 10, light: 10, idle: 20 },
  },
  placement: { data: AZURE_VOLUME, log: AZURE_VOLUME, sharedShare: 1, years: [2015, 2025] },
  describe: (release) =>
    describeAzureServer({
      name: 'contoso-mi.6d710bcf372b.database.windows.net',
      platform: 'managed-instance',
      release,
      engineEdition: 8,
      cpuCount: 16,
      memoryGb: 80,
      storageGb: 2_048,
      upDays: 20,
    }),
  system: { isClean: true, volume: AZURE_VOLUME, tempdbVolume: AZURE_VOLUME },
  arrange: (system, drawn) => [...system, ...drawn.map(inFullRecovery)],
});
