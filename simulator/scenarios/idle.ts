import type { Random } from './random';
import { describeDatabases, scaleMix, type DatabaseMix, type Placement } from './described-databases';
import type { Scenario, ScenarioOptions } from './scenario';
import { listSystemDatabases } from './system-databases';
import { describeVolume, describeWindowsServer } from './windows-server';

/** Three were created after someone had set model to 60: only they have a checkpoint now and then. */
const MIX: DatabaseMix = {
  automatic: { batch: 0, busy: 0, light: 0, idle: 37 },
  indirect: { batch: 0, busy: 0, light: 0, idle: 3 },
};

const PLACEMENT: Placement = { data: 'D:\\', log: 'D:\\', sharedShare: 1, years: [2009, 2019] };

/**
 * An archive that nobody writes to, without jobs or backups: automatic databases have no checkpoint at all.
 * docs/facts.md, SQL Server 1.
 */
export function makeIdleServer(random: Random, { release = 2017, databases }: ScenarioOptions): Scenario {
  const server = describeWindowsServer({
    name: 'ARCHIVE-SQL02',
    release,
    bufferPoolGb: 32,
    cpuCount: 8,
    utcOffsetMinutes: -360,
    upDays: 140,
    hasBackups: false,
    backupDirectory: 'D:\\Backup',
    volumes: [describeVolume('C:\\', 'System', 127, 0.5), describeVolume('D:\\', 'Data', 4_096, 0.3)],
  });
  const described = describeDatabases(scaleMix(MIX, databases), PLACEMENT, server, random);
  const system = listSystemDatabases(server, { isQuiet: true });
  return { name: 'idle', server, databases: [...system, ...described] };
}
