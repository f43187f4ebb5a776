import type { Database } from './databases';
import {
  INDIRECT_REMAINDER,
  QUIET_LATENCY_MS,
  QUIET_READ_MS,
  READS_PER_LOG_RECORD,
  STORM_LATENCY_MS,
  countWrites,
  dirtyPages,
  writeMs,
} from './physics';
import type { LogMeter } from './workload';

/**
 * The most pages that the recovery writer leaves to an indirect checkpoint. The model's choice: keeps it under 200 ms.
 */
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
  /** Milliseconds that the checkpoints' writes took, summed over the writes. */
  readonly checkpointStallMs: number;
  readonly backgroundPages: number;
  readonly backgroundWrites: number;
  /** Reads of the data file, and how long they took, summed over the reads. */
  readonly reads: number;
  readonly readStallMs: number;
}

/** Writing spread evenly over a time: of a checkpoint after its scan, or of the recovery writer after a switch. */
export interface Writing {
  readonly fromUs: number;
  readonly untilUs: number;
  readonly pages: number;
  readonly writes: number;
}

/**
 * The work of one database: its log, its dirty pages, and what has been written of them. Ask everything with rising
 * times only.
 */
export class DatabaseWork {
  private readonly writings = new Set<Writing>();
  private readonly backlogs = new Set<Writing>();
  private cleanSinceRecords = 0;
  private checkpointPages = 0;
  private checkpointWrites = 0;
  private checkpointStallMs = 0;
  private backgroundPages = 0;
  /** Those of them that no checkpoint knows of yet. */
  private aheadOfNext = 0;
  private backgroundWrites = 0;

  private stalledLogMs = 0;
  private stalledDataMs = 0;
  private longest = 0;

  constructor(
    readonly database: Database,
    readonly meter: LogMeter,
  ) {}

  get writesLog(): boolean {
    return this.database.workload.logRecordsPerSecond > 0;
  }

  dirtyAt(atUs: number): number {
    const { workingSetPages, logRecordsPerPage } = this.database.workload;
    return dirtyPages(this.logRecordsSinceCheckpoint(atUs), workingSetPages, logRecordsPerPage);
  }

  /** Dirty pages that an indirect checkpoint finds; the recovery writer has written the rest before. */
  remainderAt(atUs: number): number {
    return remainderOf(this.dirtyAt(atUs));
  }

  logRecordsSinceCheckpoint(atUs: number): number {
    return this.meter.recordsAt(atUs) - this.cleanSinceRecords;
  }

  transactionsAt(atUs: number): number {
    return Math.floor(this.meter.recordsAt(atUs) / this.database.workload.logRecordsPerTransaction);
  }

  /**
   * Begins a checkpoint: its pages are no longer dirty.
   * @returns pages that the recovery writer has written since the checkpoint before
   */
  flush(atUs: number, writing: Writing): number {
    this.settle(atUs);
    const ahead = this.aheadOfNext;
    this.aheadOfNext = 0;
    this.cleanSinceRecords = this.meter.recordsAt(atUs);
    this.writings.add(writing);
    return ahead;
  }

  /** Books what the recovery writer has written so far. Call it before a checkpoint and before the target changes. */
  settle(atUs: number): void {
    const ahead = this.aheadAt(atUs);
    if (ahead === 0) return;
    this.backgroundPages += ahead;
    this.aheadOfNext += ahead;
    this.backgroundWrites += countWrites(ahead, this.database.workload.pagesPerWrite);
    this.cleanSinceRecords = this.meter.recordsAt(atUs);
  }

  /**
   * When checkpoints become indirect, the recovery writer takes over what is dirty. It begins then or later and writes
   * as fast as a checkpoint. The model's choice.
   * @returns undefined if nothing is dirty
   */
  takeBacklog(atUs: number, fromUs: number): Writing | undefined {
    const pages = this.dirtyAt(atUs);
    if (pages === 0) return undefined;
    const writes = countWrites(pages, this.database.workload.pagesPerWrite);
    const backlog = { fromUs, untilUs: fromUs + Math.round(writeMs(pages, writes) * 1000), pages, writes };
    this.cleanSinceRecords = this.meter.recordsAt(atUs);
    this.backlogs.add(backlog);
    return backlog;
  }

  /** Ends a backlog. The next checkpoint counts its pages as written ahead. */
  finishBacklog(backlog: Writing): void {
    this.backlogs.delete(backlog);
    this.backgroundPages += backlog.pages;
    this.aheadOfNext += backlog.pages;
    this.backgroundWrites += backlog.writes;
  }

  finish(writing: Writing): void {
    this.writings.delete(writing);
    this.checkpointPages += writing.pages;
    this.checkpointWrites += writing.writes;
    this.checkpointStallMs += stallOf(writing);
  }

  /** Counts one log write that waited the whole time while the storage stood still. */
  addLogStall(stallMs: number): void {
    this.stalledLogMs += stallMs;
    this.longest = Math.max(this.longest, stallMs);
  }

  /** The longest that a log write has waited while the storage stood still, in milliseconds. */
  get longestLogStallMs(): number {
    return this.longest;
  }

  /** The same for this many writes of the data file. */
  addDataStall(stallMs: number, writes: number): void {
    this.stalledDataMs += writes * stallMs;
  }

  at(atUs: number): WriteWork {
    const logRecords = this.meter.recordsAt(atUs);
    const transactions = this.transactionsAt(atUs);
    const ahead = this.aheadAt(atUs);
    const reads = Math.floor(logRecords * READS_PER_LOG_RECORD);
    return {
      logRecords: Math.floor(logRecords),
      logBytes: Math.floor(logRecords * this.database.workload.bytesPerLogRecord),
      transactions,
      logStallMs: Math.floor(
        this.stalledLogMs +
          transactions * QUIET_LATENCY_MS +
          this.meter.stallMsAt(atUs) / this.database.workload.logRecordsPerTransaction,
      ),
      checkpointPages: this.checkpointPages + sumUnderWay(this.writings, atUs, (writing) => writing.pages),
      checkpointWrites: this.checkpointWrites + sumUnderWay(this.writings, atUs, (writing) => writing.writes),
      checkpointStallMs:
        Math.floor(this.checkpointStallMs + this.stalledDataMs) + sumUnderWay(this.writings, atUs, stallOf),
      backgroundPages:
        this.backgroundPages + ahead + sumUnderWay(this.backlogs, atUs, (backlog) => backlog.pages),
      backgroundWrites:
        this.backgroundWrites +
        countWrites(ahead, this.database.workload.pagesPerWrite) +
        sumUnderWay(this.backlogs, atUs, (backlog) => backlog.writes),
      reads,
      readStallMs: Math.floor(reads * QUIET_READ_MS + this.meter.stallMsAt(atUs) * READS_PER_LOG_RECORD),
    };
  }

  private aheadAt(atUs: number): number {
    if (this.database.targetRecoverySeconds === 0) return 0;
    const dirty = this.dirtyAt(atUs);
    return dirty - remainderOf(dirty);
  }
}

/** The sum of the parts that have been written by then. */
function sumUnderWay(writings: ReadonlySet<Writing>, atUs: number, of: (writing: Writing) => number): number {
  const share = ({ fromUs, untilUs }: Writing): number =>
    Math.min(1, Math.max(0, (atUs - fromUs) / Math.max(1, untilUs - fromUs)));
  return [...writings].reduce((total, writing) => total + Math.floor(of(writing) * share(writing)), 0);
}

function remainderOf(dirty: number): number {
  return Math.min(REMAINDER_PAGES, Math.ceil(dirty * INDIRECT_REMAINDER));
}

/** In a full storm each write waits as long as published; in a gentle one hardly at all. */
export function extraLatencyMs(writesPerSecond: number): number {
  return (STORM_LATENCY_MS - QUIET_LATENCY_MS) * Math.min(1, writesPerSecond / STORM_WRITES_PER_SECOND);
}

/** How long one write takes, on average, while this many are written a second. */
export function writeLatencyMs(writesPerSecond: number): number {
  return QUIET_LATENCY_MS + extraLatencyMs(writesPerSecond);
}

function stallOf(writing: Writing): number {
  const writesPerSecond = (writing.writes * 1e6) / Math.max(1, writing.untilUs - writing.fromUs);
  return writing.writes * writeLatencyMs(writesPerSecond);
}
