import { windowsScenario } from './drawn-scenario';
import { describeVolume } from './windows-server';

/**
 * 2 TB of buffers: every automatic checkpoint scans all of them, however little it has to write. docs/facts.md, SQL
 * Server 1.
 */
export const makeLargeMemory = windowsScenario({
  name: 'large-memory',
  release: 2019,
  // So few that one task with ten seconds for each can keep up.
  mix: {
    automatic: { batch: 1, busy: 3, light: 5, idle: 31 },
    indirect: { batch: 0, busy: 2, light: 4, idle: 14 },
  },
  placement: { data: 'D:\\', log: 'L:\\', sharedShare: 0, years: [2012, 2020] },
  server: {
    name: 'DWH-SQL05',
    bufferPoolGb: 2_048,
    cpuCount: 96,
    utcOffsetMinutes: 330,
    upDays: 55,
    differentialAtMinute: 40,
    backupDirectory: 'B:\\Backup',
    volumes: [
      describeVolume('C:\\', 'System', 255, 0.4),
      describeVolume('D:\\', 'Data', 32_768, 0.3),
      describeVolume('L:\\', 'Log', 4_096, 0.5),
      describeVolume('B:\\', 'Backup', 65_536, 0.4),
    ],
  },
});
