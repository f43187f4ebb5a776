import { windowsScenario } from './drawn-scenario';
import { SEPARATE_VOLUMES } from './windows-server';

/** A clean installation without a problem: short checkpoints, no FlushCache messages, quiet counters. */
export const makeHealthy = windowsScenario({
  name: 'healthy',
  release: 2022,
  // Every database at 60 seconds, as a clean installation of 2016 or later makes them. docs/facts.md, SQL Server 1.
  mix: {
    automatic: { batch: 0, busy: 0, light: 0, idle: 0 },
    indirect: { batch: 0, busy: 4, light: 10, idle: 26 },
  },
  // Data and log on separate volumes, logs with few virtual log files.
  placement: { data: 'D:\\', log: 'L:\\', sharedShare: 0, years: [2022, 2025], brokenUpShare: 0 },
  server: {
    name: 'APP-SQL01',
    bufferPoolGb: 64,
    cpuCount: 16,
    utcOffsetMinutes: 0,
    upDays: 31,
    backupDirectory: 'B:\\Backup',
    volumes: SEPARATE_VOLUMES,
  },
  system: { isClean: true },
});
