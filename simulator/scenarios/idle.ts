import { windowsScenario } from './drawn-scenario';
import { describeVolume } from './windows-server';

/**
 * An archive that nobody writes to, without jobs or backups: automatic databases have no checkpoint at all.
 * docs/facts.md, SQL Server 1.
 */
export const makeIdleServer = windowsScenario({
  name: 'idle',
  release: 2017,
  // Three were created after someone had set model to 60: only they have a checkpoint now and then.
  mix: {
    automatic: { batch: 0, busy: 0, light: 0, idle: 37 },
    indirect: { batch: 0, busy: 0, light: 0, idle: 3 },
  },
  placement: { data: 'D:\\', log: 'D:\\', sharedShare: 1, years: [2009, 2019] },
  server: {
    name: 'ARCHIVE-SQL02',
    bufferPoolGb: 32,
    cpuCount: 8,
    utcOffsetMinutes: -360,
    upDays: 140,
    hasBackups: false,
    backupDirectory: 'D:\\Backup',
    volumes: [describeVolume('C:\\', 'System', 127, 0.5), describeVolume('D:\\', 'Data', 4_096, 0.3)],
  },
  system: { isQuiet: true },
});
