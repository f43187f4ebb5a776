import type { Random } from './random';
import { describeDatabases, scaleMix, type DatabaseMix, type Placement } from './described-databases';
import type { Scenario, ScenarioOptions } from './scenario';
import { listSystemDatabases } from './system-databases';
import { SEPARATE_VOLUMES, describeWindowsServer } from './windows-server';

/** Every database at 60 seconds, as a clean installation of 2016 or later makes them. docs/facts.md, SQL Server 1. */
const MIX: DatabaseMix = {
  automatic: { batch: 0, busy: 0, light: 0, idle: 0 },
  indirect: { batch: 0, busy: 4, light: 10, idle: 26 },
};

/** Data and log on separate volumes, logs with few virtual log files. */
const PLACEMENT: Placement = {
  data: 'D:\\',
  log: 'L:\\',
  sharedShare: 0,
  years: [2022, 2025],
  brokenUpShare: 0,
};

/** A clean installation without a problem: short checkpoints, no FlushCache messages, quiet counters. */
export function makeHealthy(random: Random, { release = 2022, databases }: ScenarioOptions): Scenario {
  const server = describeWindowsServer({
    name: 'APP-SQL01',
    release,
    bufferPoolGb: 64,
    cpuCount: 16,
    utcOffsetMinutes: 0,
    upDays: 31,
    backupDirectory: 'B:\\Backup',
    volumes: SEPARATE_VOLUMES,
  });
  const described = describeDatabases(scaleMix(MIX, databases), PLACEMENT, server, random);
  return {
    name: 'healthy',
    server,
    databases: [...listSystemDatabases(server, { isClean: true }), ...described],
  };
}
