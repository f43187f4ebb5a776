import type { Database } from './databases';
import type { LogMeter } from './workload';
import { INDIRECT_REMAINDER, QUIET_LATENCY_MS, STORM_LATENCY_MS, countWrites, dirtyPages } from './physics';

/** The most pages that the recovery writer leaves to an indirect checkpoint. The model's choice: keeps it under 200 ms. */
const REMAINDER_PAGES = 1000;
/** Writes a second that count as a full storm. docs/facts.md, SQL Server 1: about 5,000 IOPS and 20 ms. */
const STORM_WRITES_PER_SECOND = 5000;

/** Cumulative since the model began; every figure only rises. */
export interface WriteWork {
  readonly logRecords: number;
  readonly logBytes: number;
  readonly transactions: number;
  readonly logStallMs: number;
  readonly checkpointPages: number;
  readonly checkpointWrites: number;
  /** Milliseconds that the checkpoints' writes took, one by one. */
  readonly checkpointStallMs: number;
  readonly backgroundPages: number;
  readonly backgroundWrites: number;
}

/** One checkpoint's own writing, spread evenly over the time after its scan. */
export interface Writing {
  readonly fromUs: number;
  readonly untilUs: number;
  readonly pages: number;
  readonly writes: number;
}

/** A full storm makes each write wait as long as the log's; a gentle one hardly at all. */
function stallOf(writing: Writing): number {
  const writesPerSecond = (writing.writes * 1e6) / Math.max(1, writing.untilUs - writing.fromUs);
  return (
    writing.writes * (QUIET_LATENCY_MS + (STORM_LATENCY_MS - QUIET_LATENCY_MS) * Math.min(1, writesPerSecond / STORM_WRITES_PER_SECOND))
  );
}

/** One database at work: its log, its dirty pages, and what has been written of them. */
export interface DatabaseWork {
  readonly database: Database;
  readonly meter: LogMeter;
  /** Dirty pages at that moment. */
  dirtyAt(atUs: number): number;
  /** Dirty pages that an indirect checkpoint finds, the rest having been written ahead of it. */
  remainderAt(atUs: number): number;
  logRecordsSinceCheckpoint(atUs: number): number;
  /** A checkpoint begins: its pages are no longer dirty from here on. @returns pages that the recovery writer had written ahead. */
  flush(atUs: number, writing: Writing): number;
  finish(writing: Writing): void;
  /** Before the target changes: what the recovery writer has written ahead stays written. */
  settle(atUs: number): void;
  addLogStall(transactions: number, writesPerSecond: number): void;
  at(atUs: number): WriteWork;
}

export function createDatabaseWork(database: Database, meter: LogMeter): DatabaseWork {
  const shape = database.workload;
  const writings = new Set<Writing>();
  const done = { checkpointPages: 0, checkpointWrites: 0, checkpointStallMs: 0, backgroundPages: 0, backgroundWrites: 0, stormStallMs: 0 };
  let cleanSinceRecords = 0;

  const dirtyAt = (atUs: number): number =>
    dirtyPages(meter.recordsAt(atUs) - cleanSinceRecords, shape.workingSetPages, shape.logRecordsPerPage);
  const remainderOf = (dirty: number): number => Math.min(REMAINDER_PAGES, Math.ceil(dirty * INDIRECT_REMAINDER));
  const aheadAt = (atUs: number): number => {
    if (database.targetRecoverySeconds === 0) return 0;
    const dirty = dirtyAt(atUs);
    return dirty - remainderOf(dirty);
  };
  return {
    database,
    meter,
    dirtyAt,
    remainderAt: (atUs) => remainderOf(dirtyAt(atUs)),
    logRecordsSinceCheckpoint: (atUs) => meter.recordsAt(atUs) - cleanSinceRecords,
    flush(atUs, writing) {
      const ahead = aheadAt(atUs);
      done.backgroundPages += ahead;
      done.backgroundWrites += countWrites(ahead, shape.pagesPerWrite);
      cleanSinceRecords = meter.recordsAt(atUs);
      writings.add(writing);
      return ahead;
    },
    settle(atUs) {
      const ahead = aheadAt(atUs);
      if (ahead === 0) return;
      done.backgroundPages += ahead;
      done.backgroundWrites += countWrites(ahead, shape.pagesPerWrite);
      cleanSinceRecords = meter.recordsAt(atUs);
    },
    finish(writing) {
      writings.delete(writing);
      done.checkpointPages += writing.pages;
      done.checkpointWrites += writing.writes;
      done.checkpointStallMs += stallOf(writing);
    },
    addLogStall(transactions, writesPerSecond) {
      done.stormStallMs += transactions * (STORM_LATENCY_MS - QUIET_LATENCY_MS) * Math.min(1, writesPerSecond / STORM_WRITES_PER_SECOND);
    },
    at(atUs) {
      const logRecords = meter.recordsAt(atUs);
      const transactions = Math.floor(logRecords / shape.logRecordsPerTransaction);
      const ahead = aheadAt(atUs);
      const share = (writing: Writing): number =>
        Math.min(1, Math.max(0, (atUs - writing.fromUs) / Math.max(1, writing.untilUs - writing.fromUs)));
      const sum = (of: (writing: Writing) => number): number =>
        [...writings].reduce((total, writing) => total + Math.floor(of(writing) * share(writing)), 0);
      return {
        logRecords: Math.floor(logRecords),
        logBytes: Math.floor(logRecords * shape.bytesPerLogRecord),
        transactions,
        logStallMs: Math.floor(transactions * QUIET_LATENCY_MS + done.stormStallMs),
        checkpointPages: done.checkpointPages + sum((writing) => writing.pages),
        checkpointWrites: done.checkpointWrites + sum((writing) => writing.writes),
        checkpointStallMs: Math.floor(done.checkpointStallMs) + sum(stallOf),
        backgroundPages: done.backgroundPages + ahead,
        backgroundWrites: done.backgroundWrites + countWrites(ahead, shape.pagesPerWrite),
      };
    },
  };
}
