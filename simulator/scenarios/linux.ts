import { drawnScenario } from './drawn-scenario';
import { BUILDS } from './releases';
import { describeVolume } from './windows-server';

const DATA = '/var/opt/mssql/data';
const LOG = '/mnt/mssql-log';

/**
 * SQL Server on Ubuntu, with the paths of its package; since 2017. Microsoft Learn, "Installation guidance for SQL
 * Server on Linux".
 */
export const makeLinux = drawnScenario({
  name: 'linux',
  release: 2022,
  releases: [2017, 2025],
  // Moved from Windows by restores: those databases are still automatic, those created here are at 60.
  mix: {
    automatic: { batch: 0, busy: 4, light: 4, idle: 6 },
    indirect: { batch: 0, busy: 6, light: 8, idle: 12 },
  },
  placement: { data: DATA, log: LOG, sharedShare: 0.3, years: [2013, 2025] },
  describe: (release) => ({
    name: 'sqlprod-lnx01',
    platform: 'linux',
    release,
    build: BUILDS[release],
    edition: 'Enterprise Edition: Core-based Licensing (64-bit)',
    engineEdition: 3,
    collation: 'SQL_Latin1_General_CP1_CI_AS',
    maxServerMemoryMb: 98_304,
    bufferPoolGb: 96,
    physicalMemoryMb: 131_072,
    cpuCount: 16,
    utcOffsetMinutes: 0,
    recoveryIntervalMinutes: 0,
    logDirectory: '/var/opt/mssql/log',
    backupDirectory: '/var/opt/mssql/backup',
    volumes: [
      describeVolume('/var/opt/mssql/log', '', 50, 0.7),
      describeVolume(DATA, '', 4_096, 0.35),
      describeVolume(LOG, '', 512, 0.6),
      describeVolume('/var/opt/mssql/backup', '', 8_192, 0.4),
    ],
    upMs: 34 * 86_400_000 + 4_321_000,
  }),
  system: { isClean: true, volume: DATA, tempdbVolume: DATA },
});
