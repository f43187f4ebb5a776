import type { DatabaseDescription } from './database';
import type { Random } from './random';
import { describeDatabases, scaleMix, type DatabaseMix, type Placement } from './described-databases';
import { listSystemDatabases } from './system-databases';
import { LEFT_BEHIND } from './foreign-sessions';
import { describeWindowsServer } from './windows-server';
import type { Scenario, ScenarioOptions } from './scenario';

/**
 * Only checkpoints of the three batch jobs last more than a minute. Two targets were set on purpose: 30 among the busy,
 * 600 among the light.
 */
const MIX: DatabaseMix = {
  automatic: { batch: 3, busy: 35, light: 46, idle: 228 },
  indirect: { batch: 0, busy: 7, light: 14, idle: 67 },
  ownTargets: { 1: 30, 9: 600 },
};

/** A fifth of them were restored with data and log on one volume. */
const PLACEMENT: Placement = { data: 'D:\\', log: 'L:\\', sharedShare: 0.2, years: [2009, 2025] };

/**
 * An instance upgraded in place again and again: model is still at 0, and so is every database created on it.
 * docs/facts.md, SQL Server 1.
 */
const SERVER = {
  name: 'LEGACY-SQL07',
  bufferPoolGb: 256,
  cpuCount: 32,
  utcOffsetMinutes: 60,
  upDays: 9,
  // The folder of the release that it was installed as.
  logDirectory: 'C:\\Program Files\\Microsoft SQL Server\\MSSQL15.MSSQLSERVER\\MSSQL\\Log',
  backupDirectory: 'B:\\Backup',
  volumes: [
    { mount: 'C:\\', label: 'System', totalBytes: 136_365_211_648n, freeBytes: 41_875_931_136n },
    { mount: 'D:\\', label: 'Data', totalBytes: 8_796_093_022_208n, freeBytes: 1_530_519_986_176n },
    { mount: 'L:\\', label: 'Log', totalBytes: 2_199_023_255_552n, freeBytes: 687_194_767_360n },
    { mount: 'B:\\', label: 'Backup', totalBytes: 17_592_186_044_416n, freeBytes: 3_298_534_883_328n },
  ],
};

export function makeLegacyUpgrade(random: Random, { release = 2019, databases }: ScenarioOptions): Scenario {
  const server = {
    ...describeWindowsServer({ ...SERVER, release }),
    upMs: 9 * 86_400_000 + 5 * 3_600_000 + 1_234_000,
  };
  const described = describeDatabases(scaleMix(MIX, databases), PLACEMENT, server, random);
  const all = [...listSystemDatabases(server), ...withUnchangeable(described)];
  return { name: 'legacy-upgrade', server, databases: all, eventSessions: LEFT_BEHIND };
}

/**
 * Five idle ones that cannot be switched now: two read-only, one standby and one offline at 0, one restoring at 60. And
 * one with accelerated recovery.
 */
function withUnchangeable(databases: readonly DatabaseDescription[]): readonly DatabaseDescription[] {
  const idle = (target: number): readonly number[] =>
    databases
      .filter((each) => each.workload.activity === 'idle' && each.targetRecoverySeconds === target)
      .map((each) => each.id);
  const [firstReadOnly, secondReadOnly, standby, offline] = idle(0);
  const [restoring, accelerated] = idle(60);
  return databases.map((each) => {
    if (each.id === firstReadOnly || each.id === secondReadOnly) return { ...each, isReadOnly: true };
    if (each.id === standby) return { ...each, isReadOnly: true, isInStandby: true, recoveryModel: 'FULL' };
    if (each.id === offline) return { ...each, state: 'OFFLINE' };
    if (each.id === accelerated) return { ...each, hasAcceleratedRecovery: true };
    return each.id === restoring ? { ...each, state: 'RESTORING', recoveryModel: 'FULL' } : each;
  });
}
