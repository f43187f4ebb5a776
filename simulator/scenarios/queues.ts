import type { WorkloadShape } from './database';
import type { Random } from './random';
import { describeDatabases, scaleMix, type DatabaseMix } from './described-databases';
import type { Scenario, ScenarioOptions } from './scenario';
import { listSystemDatabases } from './system-databases';
import { SEPARATE_VOLUMES, describeWindowsServer } from './windows-server';

/**
 * The published site before its change: 400 databases of about 2.5 s each, back to back on the one task. docs/facts.md,
 * SQL Server 1.
 */
const TAKING_TURNS: DatabaseMix = {
  automatic: { batch: 0, busy: 0, light: 400, idle: 0 },
  indirect: { batch: 0, busy: 0, light: 0, idle: 2 },
  workloads: {
    light: (random) => makeSteady(random, { recordsPerSecond: 100, checkpointSeconds: 300, pages: 11_300 }),
  },
};

/** One database needs a checkpoint every minute, but it takes longer than that; 300 small ones wait behind it. */
const ONE_HOG: DatabaseMix = {
  automatic: { batch: 1, busy: 0, light: 300, idle: 0 },
  indirect: { batch: 0, busy: 0, light: 0, idle: 2 },
  workloads: {
    batch: (random) =>
      makeSteady(random, { recordsPerSecond: 11_000, checkpointSeconds: 60, pages: 560_000 }),
    light: (random) => makeSteady(random, { recordsPerSecond: 20, checkpointSeconds: 600, pages: 300 }),
  },
};

interface Steady {
  readonly recordsPerSecond: number;
  /** How long it writes log until its next checkpoint is due. */
  readonly checkpointSeconds: number;
  /** Dirty pages at each checkpoint: the working set. */
  readonly pages: number;
}

function makeSteady(random: Random, { recordsPerSecond, checkpointSeconds, pages }: Steady): WorkloadShape {
  const rate = recordsPerSecond * random.between(0.9, 1.1);
  return {
    activity: 'busy',
    logRecordsPerSecond: rate,
    bytesPerLogRecord: 120,
    logRecordsPerTransaction: 10,
    logRecordsPerCheckpoint: Math.round(recordsPerSecond * checkpointSeconds),
    workingSetPages: pages,
    logRecordsPerPage: 1,
    pagesPerWrite: 1.4,
  };
}

export function makeTakingTurns(random: Random, options: ScenarioOptions): Scenario {
  return makeQueue(random, options, {
    scenario: 'taking-turns',
    name: 'HOTEL-SQL400',
    mix: TAKING_TURNS,
    bufferPoolGb: 256,
  });
}

export function makeOneHog(random: Random, options: ScenarioOptions): Scenario {
  return makeQueue(random, options, {
    scenario: 'one-hog',
    name: 'SHOP-SQL02',
    mix: ONE_HOG,
    bufferPoolGb: 32,
  });
}

interface Queue {
  readonly scenario: string;
  readonly name: string;
  readonly mix: DatabaseMix;
  readonly bufferPoolGb: number;
}

function makeQueue(
  random: Random,
  { release = 2019, databases }: ScenarioOptions,
  { scenario, name, mix, bufferPoolGb }: Queue,
): Scenario {
  const server = describeWindowsServer({
    name,
    release,
    bufferPoolGb,
    cpuCount: 16,
    utcOffsetMinutes: 60,
    upDays: 20,
    backupDirectory: 'B:\\Backup',
    volumes: SEPARATE_VOLUMES,
  });
  const placement = { data: 'D:\\', log: 'L:\\', sharedShare: 0, years: [2010, 2016] } as const;
  const described = describeDatabases(scaleMix(mix, databases), placement, server, random);
  return { name: scenario, server, databases: [...listSystemDatabases(server), ...described] };
}
