/**
 * Write work in blocks of a quarter of an hour, aligned in UTC. A before / after comparison is made of them, because
 * single checkpoints are correlated and single samples too many to keep. Every figure is a difference of cumulative
 * counters over the observed part of the block.
 */

/** Length of a block in milliseconds. Longer blocks are made of several. */
export const BLOCK_MS = 15 * 60_000;

/** Which block it is, and how much of it was covered by samples, without restarts, gaps and first samples. */
interface ObservedBlock {
  /** A multiple of BLOCK_MS. */
  readonly beginUtcMs: number;
  /** 0 to BLOCK_MS. */
  readonly observedMs: number;
}

/**
 * One database in one block, from sys.dm_io_virtual_file_stats and the counters of the object Databases (docs/facts.md,
 * SQL Server 6).
 */
export interface DatabaseBlock extends ObservedBlock {
  readonly dataWrittenBytes: number;
  readonly dataWrites: number;
  readonly dataWriteStallMs: number;
  readonly logWrittenBytes: number;
  readonly logWrites: number;
  readonly logWriteStallMs: number;
  /** Write Transactions/sec; null if the counter could not be observed. */
  readonly writeTransactions: number | null;
  /**
   * Why the log could not be reused: each value of log_reuse_wait_desc that a sample of the block saw; absent if it was
   * not sampled.
   */
  readonly logReuseWaits?: readonly string[];
}

/**
 * The whole instance in one block. These counters exist only for the whole instance. null: the counter could not be
 * observed.
 */
export interface InstanceBlock extends ObservedBlock {
  readonly checkpointPages: number | null;
  /** 2012 and later. */
  readonly backgroundWriterPages: number | null;
  readonly lazyWrites: number | null;
  readonly pageWrites: number | null;
  readonly writelogWaits: number | null;
  readonly writelogWaitMs: number | null;
}

/** The figures of a database's block, in the order of the columns of the tables that keep them. */
export const DATABASE_BLOCK_FIGURES = [
  'dataWrittenBytes',
  'dataWrites',
  'dataWriteStallMs',
  'logWrittenBytes',
  'logWrites',
  'logWriteStallMs',
  'writeTransactions',
] as const;
