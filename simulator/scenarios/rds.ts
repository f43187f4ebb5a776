import type { DatabaseDescription } from './database';
import { drawnScenario } from './drawn-scenario';
import { BUILDS } from './releases';
import { describeVolume } from './windows-server';

const VOLUME = 'D:\\rdsdbdata\\';

/**
 * Amazon RDS for SQL Server, Standard Edition, 2016 to 2022. The customer's login is admin, which is not sysadmin.
 * Amazon's procedures are in rdsadmin. All files are on one volume below D:\\rdsdbdata. Amazon RDS User Guide,
 * "Microsoft SQL Server on Amazon RDS".
 */
export const makeRds = drawnScenario({
  name: 'rds',
  release: 2019,
  releases: [2016, 2022],
  mix: {
    automatic: { batch: 0, busy: 3, light: 3, idle: 4 },
    indirect: { batch: 0, busy: 5, light: 5, idle: 10 },
  },
  placement: { data: VOLUME, log: VOLUME, sharedShare: 1, years: [2014, 2025] },
  describe: (release) => ({
    name: 'EC2AMAZ-7QK3F1L',
    platform: 'rds',
    release,
    build: BUILDS[release],
    edition: 'Standard Edition (64-bit)',
    engineEdition: 2,
    collation: 'SQL_Latin1_General_CP1_CI_AS',
    maxServerMemoryMb: 49_152,
    bufferPoolGb: 48,
    physicalMemoryMb: 65_536,
    cpuCount: 8,
    utcOffsetMinutes: 0,
    recoveryIntervalMinutes: 0,
    logDirectory: `${VOLUME}log`,
    backupDirectory: `${VOLUME}Backup`,
    volumes: [describeVolume(VOLUME, 'Data', 2_000, 0.45)],
    upMs: 13 * 86_400_000 + 987_000,
  }),
  system: { isClean: true, volume: VOLUME, tempdbVolume: VOLUME },
  arrange: (system, drawn) => [
    ...system,
    ...system.slice(0, 1).map(makeAdministration),
    ...drawn.map((each) => ({ ...each, id: each.id + 1 })),
  ],
});

/** rdsadmin, which Amazon creates with the instance. */
function makeAdministration(master: DatabaseDescription): DatabaseDescription {
  return {
    ...master,
    id: 5,
    name: 'rdsadmin',
    targetRecoverySeconds: 60,
    createdLocal: '2024-05-14T06:21:09.117',
    dataMb: 13,
    logMb: 1,
  };
}
