import type { WorkloadShape } from './database';
import type { Random } from './random';

/** Nothing writes. */
export const QUIET: WorkloadShape = {
  activity: 'idle',
  logRecordsPerSecond: 0,
  bytesPerLogRecord: 100,
  logRecordsPerTransaction: 10,
  logRecordsPerCheckpoint: 25_000,
  workingSetPages: 100,
  logRecordsPerPage: 10,
  pagesPerWrite: 2,
};

/**
 * Workload shapes of the scenarios. Their figures are chosen so that published pictures come out: see
 * simulator/README.md.
 */
export function makeBusy(random: Random): WorkloadShape {
  const logRecordsPerSecond = Math.round(random.between(300, 2_500));
  return {
    activity: 'busy',
    logRecordsPerSecond,
    bytesPerLogRecord: random.whole(90, 260),
    logRecordsPerTransaction: random.whole(8, 60),
    logRecordsPerCheckpoint: Math.round(logRecordsPerSecond * random.between(70, 165)),
    workingSetPages: random.whole(2_000, 14_000),
    // Hot pages: the working set is dirty again within seconds.
    logRecordsPerPage: random.between(0.5, 2.5),
    pagesPerWrite: random.unit() < 0.6 ? random.between(1.4, 4) : random.between(8, 40),
  };
}

/** A batch job every twenty minutes over a wide working set: half a million scattered pages in one checkpoint. */
export function makeBatch(random: Random): WorkloadShape {
  return {
    activity: 'busy',
    logRecordsPerSecond: random.whole(120, 200),
    bytesPerLogRecord: random.whole(120, 220),
    logRecordsPerTransaction: random.whole(200, 900),
    logRecordsPerCheckpoint: random.whole(560_000, 640_000),
    workingSetPages: random.whole(650_000, 750_000),
    logRecordsPerPage: 1,
    pagesPerWrite: random.between(1.35, 1.5),
    batch: {
      everyMinutes: random.whole(22, 29),
      firstMinute: random.whole(0, 19),
      lengthMinutes: 2,
      factor: 60,
    },
  };
}

/**
 * Jobs all day: about every ten minutes half a million scattered pages, whose checkpoint takes more than a minute at
 * 5,000 writes a second.
 */
export function makeStormBatch(random: Random): WorkloadShape {
  return {
    ...makeBatch(random),
    logRecordsPerCheckpoint: random.whole(700_000, 800_000),
    workingSetPages: random.whole(850_000, 950_000),
    batch: {
      everyMinutes: random.whole(9, 13),
      firstMinute: random.whole(0, 8),
      lengthMinutes: 2,
      factor: 60,
    },
  };
}

export function makeLight(random: Random): WorkloadShape {
  const logRecordsPerSecond = Math.round(random.between(20, 120));
  return {
    activity: 'light',
    logRecordsPerSecond,
    bytesPerLogRecord: random.whole(90, 200),
    logRecordsPerTransaction: random.whole(5, 30),
    logRecordsPerCheckpoint: Math.round(random.between(22_000, 40_000)),
    workingSetPages: random.whole(200, 3_000),
    logRecordsPerPage: random.between(2, 12),
    pagesPerWrite: random.between(1.4, 6),
  };
}

/** No log, no dirty pages: an idle database has no automatic checkpoint. docs/facts.md, SQL Server 1. */
export function makeIdle(random: Random): WorkloadShape {
  return { ...QUIET, workingSetPages: random.whole(50, 500) };
}
