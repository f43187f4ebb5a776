import { describeDatabases, type DatabaseMix } from './described-databases';
import type { WorkloadShape } from './database';
import type { Random } from './random';
import type { Scenario, ScenarioOptions } from './scenario';
import { listSystemDatabases } from './system-databases';
import { describeWindowsServer, SEPARATE_VOLUMES } from './windows-server';
import { makeBatch } from './workloads';

/** The published site in small (docs/facts.md, SQL Server 1): a few dozen databases keep the one task busy, and others wait behind them. */
const MIX: DatabaseMix = {
  automatic: { batch: 42, busy: 0, light: 8, idle: 4 },
  indirect: { batch: 0, busy: 0, light: 4, idle: 2 },
  ownTargets: { 1: 600 },
  workloads: {
    batch: (random) => makeFeeder(random),
    light: (random) => makeWaiting(random),
  },
};

function makeFeeder(random: Random): WorkloadShape {
  const rate = random.between(300, 900);
  return {
    activity: 'busy',
    logRecordsPerSecond: rate,
    bytesPerLogRecord: random.whole(90, 200),
    logRecordsPerTransaction: 20,
    logRecordsPerCheckpoint: Math.round(rate * random.between(70, 110)),
    workingSetPages: random.whole(22_000, 56_000),
    logRecordsPerPage: 1,
    pagesPerWrite: random.between(1.4, 4),
  };
}

/** A job every four hours, so that its checkpoint takes longer than the recovery interval and leaves a FlushCache message. */
function makeHog(random: Random): WorkloadShape {
  return { ...makeBatch(random), batch: { everyMinutes: 240, firstMinute: 61, lengthMinutes: 2, factor: 60 } };
}

function makeWaiting(random: Random): WorkloadShape {
  const rate = random.between(10, 40);
  return {
    activity: 'light',
    logRecordsPerSecond: rate,
    bytesPerLogRecord: 120,
    logRecordsPerTransaction: 10,
    logRecordsPerCheckpoint: Math.round(rate * random.between(500, 900)),
    workingSetPages: random.whole(100, 900),
    logRecordsPerPage: 4,
    pagesPerWrite: random.between(1.4, 6),
  };
}

/** What the extension's own sample was recorded from. Its name is no real server's, so a script for it stops everywhere. */
export function makeSample(random: Random, { release = 2019 }: ScenarioOptions): Scenario {
  const server = describeWindowsServer({
    name: 'SAMPLE-SQL07',
    release,
    bufferPoolGb: 128,
    cpuCount: 16,
    utcOffsetMinutes: 60,
    upDays: 41,
    backupDirectory: 'B:\\Backup',
    volumes: SEPARATE_VOLUMES,
  });
  const placement = { data: 'D:\\', log: 'L:\\', sharedShare: 0.1, years: [2009, 2016] } as const;
  const described = describeDatabases(MIX, placement, server, random);
  const [hog] = described.filter(({ workload }) => workload.activity === 'busy');
  const databases = described.map((each) => ({
    ...each,
    // Log backups of every quarter of an hour would fill the sample.
    ...(each.id % 40 === 0 ? {} : { recoveryModel: 'SIMPLE' as const, logReuseWait: { id: 0, name: 'NOTHING' } }),
    workload: each === hog ? makeHog(random) : each.workload,
  }));
  return { name: 'sample', server, databases: [...listSystemDatabases(server), ...databases] };
}
