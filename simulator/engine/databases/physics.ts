import type { Random } from '../../scenarios/random';

/**
 * What checkpoints cost. Every constant names its source, or says that it has none.
 * Times are milliseconds, memory is GB, pages are 8 KB.
 */
/**
 * Time to scan the buffer pool for one database's dirty pages. Measured: 40 ms empty, 400 ms at 100 GB, 700 ms at 200
 * GB. Nearly 8 s at 2 TB is the same author's extrapolation. Straight lines between and beyond. docs/facts.md, SQL
 * Server 1.
 */
const SCAN_POINTS: readonly (readonly [gb: number, ms: number])[] = [
  [0, 40],
  [100, 400],
  [200, 700],
  [2_048, 7_900],
];

/**
 * Half a million pages took 21 s contiguous and 71 s scattered (docs/facts.md, SQL Server 1). Assume 32 pages a write
 * for contiguous, and for scattered the 1.4 of the published FlushCache line. Then the two equations writes * a + pages
 * * b = time are:
 *   15,625 a + 500,000 b = 21,000     357,143 a + 500,000 b = 71,000
 */
const WRITE_MS = 0.1464;
const PAGE_MS = 0.0374;

/**
 * A checkpoint that outlasts a recovery interval of one minute writes its FlushCache lines. docs/facts.md, SQL Server
 * 5.
 */
export const FLUSH_CACHE_MS = 60_000;

/** A buffer pool scan longer than this fires buffer_pool_scan_complete. docs/facts.md, SQL Server 3. */
export const SCAN_EVENT_MS = 1_000;

/** A scan of 10 seconds or more writes message 898. docs/facts.md, SQL Server 5. */
export const SCAN_MESSAGE_MS = 10_000;

/**
 * Since 2022 a scan has one task for each 8 million buffers, at least one. Microsoft Learn, "Operations that trigger a
 * buffer pool scan may run slowly".
 */
const BUFFERS_PER_SCAN_TASK = 8_000_000;
const PARALLEL_SCAN_SINCE = 2022;

/** Buffers of 8 KB in a GB. */
export const BUFFERS_PER_GB = 131_072;

/**
 * Above 1 TB scans vary: the published example of message 898, 14 s for 204,640,239 buffers, takes 2.3 times as long as
 * SCAN_POINTS say. That scans lie between the two, more often near the fast end, is the model's choice.
 */
const LARGE_MEMORY_GB = 1_024;
const SLOWEST_SCAN = 2.33;

/** `recovery interval` 0 means one minute. docs/facts.md, SQL Server 1. */
export const DEFAULT_RECOVERY_INTERVAL_MINUTES = 1;

/**
 * Automatic checkpoints wrote hot pages 9 times in 10 minutes, indirect ones 29 times (docs/facts.md, SQL Server 1).
 * The model takes this as the ratio of the indirect cycle to the time between two automatic checkpoints of the same
 * database.
 */
export const INDIRECT_CYCLE_SHARE = 9 / 29;

/** The shortest and longest indirect cycle of a database that writes log. The model's choice. */
export const INDIRECT_CYCLE_MS: readonly [number, number] = [8_000, 180_000];

/**
 * After the switch every database of the published site had a checkpoint within 10 minutes (docs/facts.md, SQL Server
 * 1); the spread is the model's choice.
 */
export const IDLE_INDIRECT_CYCLE_MS: readonly [number, number] = [300_000, 540_000];

/**
 * Share of a cycle's pages that the recovery writer leaves to the checkpoint. The model's choice: small, so that
 * checkpoints stay under 200 ms.
 */
export const INDIRECT_REMAINDER = 0.01;

/** An idle checkpoint takes 2 to 5 ms. docs/facts.md, SQL Server 3. */
export const IDLE_CHECKPOINT_MS: readonly [number, number] = [2, 5];

/** Log write latency outside and during a checkpoint's writes: under 1 ms and 20 ms. docs/facts.md, SQL Server 1. */
export const QUIET_LATENCY_MS = 0.7;
export const STORM_LATENCY_MS = 20;

/**
 * Reads of 64 KB for each log record, and how long one takes outside of a storm; in a storm it waits like a log write.
 * The model's choice.
 */
export const READS_PER_LOG_RECORD = 0.01;
export const PAGES_PER_READ = 8;
export const QUIET_READ_MS = 2;

/**
 * Between one checkpoint's end and the next one's begin on the same task; published log lines lie within 120 ms.
 * docs/facts.md, SQL Server 1.
 */
export const TASK_GAP_US: readonly [number, number] = [400, 12_000];

/** Spreads of durations around their means, as standard deviations of the logarithm. The model's choice. */
const SCAN_SPREAD = 0.08;
export const WRITE_SPREAD = 0.12;

/**
 * Milliseconds to scan the buffer pool once for one database. Tasks of a parallel scan do not hinder each other: the
 * model's choice.
 */
export function scanMs(memoryGb: number, release: number): number {
  const [[, emptyMs] = [0, 0]] = SCAN_POINTS;
  return emptyMs + (serialScanMs(memoryGb) - emptyMs) / countScanTasks(memoryGb, release);
}

/** Tasks that scan the buffer pool together. */
export function countScanTasks(memoryGb: number, release: number): number {
  return release < PARALLEL_SCAN_SINCE
    ? 1
    : Math.max(1, Math.ceil((memoryGb * BUFFERS_PER_GB) / BUFFERS_PER_SCAN_TASK));
}

/** The time of one scan, as a multiple of the mean. */
export function drawScanFactor(memoryGb: number, random: Random): number {
  return memoryGb <= LARGE_MEMORY_GB
    ? random.factor(SCAN_SPREAD)
    : 1 + (SLOWEST_SCAN - 1) * random.unit() ** 2;
}

function serialScanMs(memoryGb: number): number {
  for (let i = 1; i < SCAN_POINTS.length; i++) {
    const [fromGb, fromMs] = SCAN_POINTS[i - 1] as readonly [number, number];
    const [toGb, toMs] = SCAN_POINTS[i] as readonly [number, number];
    if (memoryGb <= toGb || i === SCAN_POINTS.length - 1)
      return fromMs + ((memoryGb - fromGb) / (toGb - fromGb)) * (toMs - fromMs);
  }
  throw new RangeError('a scan slope needs two points');
}

/**
 * During checkpoints of this many writes the storage may stand still, if the scenario says so; and for how long. The
 * model's choice.
 */
export const STALL_WRITES = 50_000;
export const STALL_MS: readonly [number, number] = [16_000, 27_000];

/**
 * The least milliseconds for writing this many pages under start-up option -k, in MB a second. docs/facts.md, SQL
 * Server 1.
 */
export function cappedMs(pages: number, megabytesPerSecond: number | undefined): number {
  return megabytesPerSecond === undefined ? 0 : ((pages * 8) / 1024 / megabytesPerSecond) * 1000;
}

/** Number of writes for this many dirty pages. */
export function countWrites(pages: number, pagesPerWrite: number): number {
  return Math.ceil(pages / pagesPerWrite);
}

/** Milliseconds that writing takes. */
export function writeMs(pages: number, writes: number): number {
  return writes * WRITE_MS + pages * PAGE_MS;
}

/**
 * Dirty pages after this many log records. New records touch dirty pages ever more often, so the working set fills up:
 *   pages = W (1 - exp(-records / (W k)))
 * So checkpoints that come three times as often write hot pages nearly three times as often, and cold pages no more.
 */
export function dirtyPages(logRecords: number, workingSetPages: number, logRecordsPerPage: number): number {
  if (workingSetPages === 0 || logRecords <= 0) return 0;
  return Math.round(workingSetPages * (1 - Math.exp(-logRecords / (workingSetPages * logRecordsPerPage))));
}
