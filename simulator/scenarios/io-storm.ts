import { windowsScenario } from './drawn-scenario';
import { describeVolume } from './windows-server';
import { makeStormBatch } from './workloads';

/**
 * Big automatic checkpoints on slow shared storage: latency rises with each flush, WRITELOG with it. docs/facts.md, SQL
 * Server 1, IO storm.
 */
export const makeIoStorm = windowsScenario({
  name: 'io-storm',
  release: 2019,
  // A few databases whose jobs dirty hundreds of thousands of scattered pages between two automatic checkpoints.
  mix: {
    automatic: { batch: 4, busy: 6, light: 6, idle: 8 },
    indirect: { batch: 0, busy: 1, light: 1, idle: 2 },
    workloads: { batch: makeStormBatch },
  },
  // Everything on one volume of one array, so that every log write waits behind the checkpoints.
  placement: { data: 'E:\\', log: 'E:\\', sharedShare: 1, years: [2012, 2018] },
  server: {
    name: 'ERP-SQL03',
    bufferPoolGb: 96,
    cpuCount: 24,
    utcOffsetMinutes: 120,
    upDays: 12,
    stallShare: 0.2,
    hasFailedLogins: true,
    differentialAtMinute: 40,
    backupDirectory: 'E:\\Backup',
    volumes: [describeVolume('C:\\', 'System', 127, 0.3), describeVolume('E:\\', 'Shared', 6_144, 0.2)],
  },
  system: { tempdbVolume: 'E:\\' },
});
