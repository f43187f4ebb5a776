import type { DatabaseDescription } from './database';
import type { Random } from './random';
import { describeDatabases, scaleMix, type DatabaseMix, type Placement } from './described-databases';
import { BUILDS, requireRelease } from './releases';
import type { Scenario, ScenarioOptions, ServerDescription } from './scenario';
import { listSystemDatabases } from './system-databases';
import { describeVolume } from './windows-server';

const VOLUME = 'D:\\rdsdbdata\\';

const MIX: DatabaseMix = {
  automatic: { batch: 0, busy: 3, light: 3, idle: 4 },
  indirect: { batch: 0, busy: 5, light: 5, idle: 10 },
};
const PLACEMENT: Placement = { data: VOLUME, log: VOLUME, sharedShare: 1, years: [2014, 2025] };

/**
 * Amazon RDS for SQL Server, Standard Edition, 2016 to 2022. The customer's login is admin, which is not sysadmin.
 * Amazon's procedures are in rdsadmin. All files are on one volume below D:\\rdsdbdata. Amazon RDS User Guide,
 * "Microsoft SQL Server on Amazon RDS".
 */
export function makeRds(random: Random, { release: asked = 2019, databases }: ScenarioOptions): Scenario {
  const release = requireRelease('rds', asked, 2016, 2022);
  const server: ServerDescription = {
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
  };
  const system = listSystemDatabases(server, { isClean: true, volume: VOLUME, tempdbVolume: VOLUME });
  const user = describeDatabases(scaleMix(MIX, databases), PLACEMENT, server, random).map((each) => ({
    ...each,
    id: each.id + 1,
  }));
  return {
    name: 'rds',
    server,
    databases: [...system, ...system.slice(0, 1).map(makeAdministration), ...user],
  };
}

/** rdsadmin, which Amazon creates with the instance. */
const makeAdministration = (master: DatabaseDescription): DatabaseDescription => ({
  ...master,
  id: 5,
  name: 'rdsadmin',
  targetRecoverySeconds: 60,
  createdLocal: '2024-05-14T06:21:09.117',
  dataMb: 13,
  logMb: 1,
});
