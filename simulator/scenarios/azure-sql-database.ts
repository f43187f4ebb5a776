import { AZURE_VOLUME, describeAzureServer, inFullRecovery } from './azure-server';
import { drawnScenario } from './drawn-scenario';

/**
 * A logical server of Azure SQL Database: master and a few separate databases, always of the newest release. The model
 * has one engine for all of them; the service may have several. Checkpoints behave as in the product.
 */
export const makeAzureSqlDatabase = drawnScenario({
  name: 'azure-sql-database',
  release: 2025,
  releases: [2025, 2025],
  // All at the default of 60, except one that came from a server before 2016.
  mix: {
    automatic: { batch: 0, busy: 0, light: 1, idle: 0 },
    indirect: { batch: 0, busy: 2, light: 2, idle: 3 },
  },
  placement: { data: AZURE_VOLUME, log: AZURE_VOLUME, sharedShare: 1, years: [2018, 2025] },
  describe: (release) =>
    describeAzureServer({
      name: 'contoso-sql',
      platform: 'azure-sql-database',
      release,
      engineEdition: 5,
      cpuCount: 8,
      memoryGb: 40,
      storageGb: 1_024,
      upDays: 6,
    }),
  system: { isClean: true, isQuiet: true, volume: AZURE_VOLUME, tempdbVolume: AZURE_VOLUME },
  // There is no model and no msdb; tempdb is there, and sys.databases does not show it.
  arrange: (system, drawn) => [...system.filter(({ id }) => id <= 2), ...drawn.map(inFullRecovery)],
});
