import type { WorkloadShape } from './database';
import type { Random } from './random';
import type { DatabaseMix } from './described-databases';
import type { MakeScenario } from './scenario';
import { windowsScenario } from './drawn-scenario';
import { SEPARATE_VOLUMES } from './windows-server';

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

const makeQueue = (name: string, serverName: string, mix: DatabaseMix, bufferPoolGb: number): MakeScenario =>
  windowsScenario({
    name,
    release: 2019,
    mix,
    placement: { data: 'D:\\', log: 'L:\\', sharedShare: 0, years: [2010, 2016] },
    server: {
      name: serverName,
      bufferPoolGb,
      cpuCount: 16,
      utcOffsetMinutes: 60,
      upDays: 20,
      backupDirectory: 'B:\\Backup',
      volumes: SEPARATE_VOLUMES,
    },
  });

export const makeTakingTurns = makeQueue('taking-turns', 'HOTEL-SQL400', TAKING_TURNS, 256);
export const makeOneHog = makeQueue('one-hog', 'SHOP-SQL02', ONE_HOG, 32);
