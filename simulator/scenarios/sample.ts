import { describeDatabases, type DatabaseMix } from './described-databases';
import type { DatabaseDescription, WorkloadShape } from './database';
import type { Random } from './random';
import type { Scenario, ScenarioOptions } from './scenario';
import { listSystemDatabases } from './system-databases';
import { describeWindowsServer, SEPARATE_VOLUMES } from './windows-server';
import { makeBatch } from './workloads';

/**
 * The published site in small (docs/facts.md, SQL Server 1): a few of many databases keep the one task busy, and others
 * wait behind them.
 */
const MIX: DatabaseMix = {
  automatic: { batch: 13, busy: 0, light: 2, idle: 44 },
  indirect: { batch: 0, busy: 0, light: 1, idle: 0 },
  ownTargets: { 0: 600 },
  workloads: { light: (random) => makeWaiting(random) },
};

/** Of those that keep the task busy, besides the one with a job: this many write the same pages again and again. */
const HOT = 4;

/** Writes new pages all the time, one after the other: as many for a byte of log whenever its checkpoint comes. */
function makeGrowing(random: Random): WorkloadShape {
  const rate = random.between(1_480, 1_560);
  return {
    activity: 'busy',
    logRecordsPerSecond: rate,
    bytesPerLogRecord: random.whole(90, 120),
    logRecordsPerTransaction: 500,
    logRecordsPerCheckpoint: Math.round(rate * random.between(115, 125)),
    workingSetPages: random.whole(8_500_000, 9_500_000),
    logRecordsPerPage: 1,
    pagesPerWrite: random.between(6, 8),
  };
}

/** Has all of its scattered pages dirty again at each turn, so it takes whatever time others leave on the task. */
function makeHot(random: Random): WorkloadShape {
  const rate = random.between(3_300, 3_700);
  return {
    ...makeGrowing(random),
    logRecordsPerSecond: rate,
    logRecordsPerCheckpoint: Math.round(rate * random.between(165, 180)),
    workingSetPages: random.whole(285_000, 300_000),
    pagesPerWrite: random.between(1.4, 1.5),
  };
}

/**
 * A job before noon, so that its checkpoint takes longer than the recovery interval and leaves a FlushCache message.
 */
function makeHog(random: Random): WorkloadShape {
  return {
    ...makeBatch(random),
    logRecordsPerSecond: 20,
    batch: { everyMinutes: 1440, firstMinute: 650, lengthMinutes: 2, factor: 500 },
  };
}

function makeWaiting(random: Random): WorkloadShape {
  const rate = random.between(10, 40);
  return {
    activity: 'light',
    logRecordsPerSecond: rate,
    bytesPerLogRecord: 120,
    logRecordsPerTransaction: 10,
    logRecordsPerCheckpoint: Math.round(rate * random.between(900, 1_300)),
    workingSetPages: random.whole(100, 900),
    logRecordsPerPage: 4,
    pagesPerWrite: random.between(1.4, 6),
  };
}

/**
 * What the extension's own sample was recorded from. Its name is no real server's, so a script for it stops everywhere.
 */
export function makeSample(random: Random, { release = 2019 }: ScenarioOptions): Scenario {
  const server = describeWindowsServer({
    name: 'SAMPLE-SQL07',
    release,
    bufferPoolGb: 128,
    cpuCount: 16,
    utcOffsetMinutes: 60,
    upDays: 41,
    // The record of nightly ones would fill the sample.
    fullBackupDays: 7,
    backupDirectory: 'B:\\Backup',
    volumes: SEPARATE_VOLUMES,
  });
  const placement = { data: 'D:\\', log: 'L:\\', sharedShare: 0.1, years: [2009, 2016] } as const;
  const described = describeDatabases(MIX, placement, server, random);
  const busy = described.filter(({ workload }) => workload.activity === 'busy');
  const databases = described.map((each) => ({
    ...each,
    // The record of log backups would fill the sample.
    recoveryModel: 'SIMPLE' as const,
    logReuseWait: { id: 0, name: 'NOTHING' },
    workload: makeBusy(each, busy.indexOf(each), random),
  }));
  return { name: 'sample', server, databases: [...listSystemDatabases(server), ...databases] };
}

/** @param place among those that keep the task busy; below 0: it is none of them */
function makeBusy({ workload }: DatabaseDescription, place: number, random: Random): WorkloadShape {
  if (place < 0) return workload;
  return place === 0 ? makeHog(random) : place <= HOT ? makeHot(random) : makeGrowing(random);
}
