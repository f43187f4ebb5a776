/**
 * What one look through the cache costs an automatic checkpoint, however little it writes. It is an estimate from the
 * size of the cache, not a measurement of this server (docs/facts.md, SQL Server 1). Others measured it up to 200 GB,
 * and extrapolated it up to 2 TB. Nothing is published above that, so nothing is said.
 *
 *     0 GB 40 ms    100 GB 400 ms    200 GB 700 ms   |   2 TB nearly 8 s, extrapolated by the author
 */
import { countOf } from '../format';
import type { CheckpointColumns } from '../capture/checkpoint-columns';
import { notObservable, type Observed, observed } from '../observed';
import { ROWS_A_STEP, type Steps } from '../steps';
import { sortNumbers, pickRank } from '../sorted';
import { t } from '../language';
export interface ScanCostEstimate {
  readonly cacheGb: number;
  /** Milliseconds of one scan; null if nothing is published for a cache of this size. */
  readonly estimateMs: number | null;
  /** What the figure is, and where it comes from. */
  readonly source: string;
  /** What it does not say. */
  readonly cautions: readonly string[];
}

/** Measured by others. */
const PUBLISHED_SCANS: readonly (readonly [cacheGb: number, ms: number])[] = [
  [0, 40],
  [100, 400],
  [200, 700],
];
const LAST_PUBLISHED_GB = 200;
/** Extrapolated by the same author. */
const EXTRAPOLATED_SCANS: readonly (readonly [cacheGb: number, ms: number])[] = [
  [200, 700],
  [2048, 8000],
];
const LAST_EXTRAPOLATED_GB = 2048;
/** SQL Server 2022. */
const FIRST_PARALLEL_MAJOR = 16;

const FAR_MORE = t(
  'It can be far more. In a published case on SQL Server 2022, one checkpoint took 228 s to write 56 MB, because it scanned 15.8 million buffers.',
);
const PARALLEL = t(
  'SQL Server 2022 and later scan a large buffer pool with several tasks. The published figures do not show that.',
);

/** @param majorVersion of SQL Server: 16 is 2022 */
export function estimateScanCost(cacheGb: number, majorVersion: number): ScanCostEstimate {
  const cautions = majorVersion >= FIRST_PARALLEL_MAJOR ? [PARALLEL, FAR_MORE] : [FAR_MORE];
  if (!(cacheGb >= 0) || cacheGb > LAST_EXTRAPOLATED_GB) {
    const source = t('Nothing is published for a buffer pool of this size. Measurements end at 200 GB.');
    return { cacheGb, estimateMs: null, source, cautions };
  }
  if (cacheGb <= LAST_PUBLISHED_GB) {
    const source = t(
      'An estimate, not measured here. Published values: 40 ms with an empty buffer pool, 400 ms at 100 GB, 700 ms at 200 GB, on Azure with an idle database.',
    );
    return { cacheGb, estimateMs: interpolate(PUBLISHED_SCANS, cacheGb), source, cautions };
  }
  const source = t(
    'An estimate, not measured anywhere. Published measurements end at 200 GB (700 ms). Their author extrapolated to nearly 8 s at 2 TB.',
  );
  return { cacheGb, estimateMs: interpolate(EXTRAPOLATED_SCANS, cacheGb), source, cautions };
}

/** Gigabytes in this many pages of 8 KB. */
export function toCacheGb(databasePages: number): number {
  return (databasePages * 8192) / 1024 ** 3;
}

function interpolate(points: readonly (readonly [number, number])[], at: number): number {
  const next = points.findIndex(([x]) => x >= at);
  const [toX, toY] = points[Math.max(next, 1)] ?? [0, 0];
  const [fromX, fromY] = points[Math.max(next, 1) - 1] ?? [0, 0];
  return Math.round(fromY + ((at - fromX) / (toX - fromX)) * (toY - fromY));
}

/** Fewer checkpoints do not measure a scan. */
const LEAST_CHECKPOINTS = 20;
/**
 * A checkpoint with nothing to write lasts as long as its scan. Few have nothing to write, so one of the shortest is
 * taken. It bounds only their scans.
 */
const LOW_PERCENT = 10;
/** This share of the databases, those that wrote least, counts as quiet. */
const QUIET_SHARE = 0.25;

/** What a scan of this server's buffer pool costs, as its own quiet databases show it. */
export interface OwnScanCost {
  /**
   * The 10th percentile of the durations, in milliseconds: the scans of the shortest tenth cost no more, those of the
   * others may.
   */
  readonly costMs: number;
  readonly checkpoints: number;
  readonly databases: number;
  /** Whether the quiet databases were found by the log that they wrote, or all databases had to be taken. */
  readonly chosenBy: 'log bytes' | 'duration alone';
}

/**
 * Measures the scan cost of an automatic checkpoint: each scans the whole buffer pool, however little it writes
 * (docs/facts.md, SQL Server 1). It is shown beside the estimate from memory.
 * @param rows checkpoints of the one automatic task
 * @param logBytes log written by each database in the window, by index; if one is missing, it is not known
 */
export function* measureOwnScanCost(
  columns: CheckpointColumns,
  rows: Uint32Array,
  logBytes: ReadonlyMap<number, number>,
): Steps<Observed<OwnScanCost>> {
  const counts = yield* countRows(columns, rows);
  const quiet = findQuiet(counts, logBytes);
  const chosen = quiet ?? new Set(counts.keys());
  const durations = new Float64Array(
    [...chosen].reduce((sum, database) => sum + (counts.get(database) ?? 0), 0),
  );
  for (let i = 0, place = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0;
    if (chosen.has(columns.database[row] ?? 0)) durations[place++] = columns.durationMs[row] ?? 0;
    if (i % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
  }
  if (durations.length < LEAST_CHECKPOINTS) {
    const one = t('{0} automatic checkpoint of a quiet database');
    const more = t('{0} automatic checkpoints of quiet databases');
    const seen = countOf(durations.length, one, more);
    return notObservable(
      t('{0} seen. Measuring a scan needs at least {1} checkpoints.', seen, LEAST_CHECKPOINTS),
    );
  }
  const costMs = pickRank(yield* sortNumbers(durations), LOW_PERCENT) ?? 0;
  const chosenBy = quiet === null ? 'duration alone' : 'log bytes';
  return observed({ costMs, checkpoints: durations.length, databases: chosen.size, chosenBy });
}

function* countRows(columns: CheckpointColumns, rows: Uint32Array): Steps<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  for (let i = 0; i < rows.length; i++) {
    const database = columns.database[rows[i] ?? 0] ?? 0;
    counts.set(database, (counts.get(database) ?? 0) + 1);
    if (i % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
  }
  return new Map([...counts].sort(([a], [b]) => a - b));
}

/**
 * The quarter of the databases that wrote least log for each checkpoint, or more until there are enough checkpoints;
 * null if the log is not known.
 */
function findQuiet(
  counts: ReadonlyMap<number, number>,
  logBytes: ReadonlyMap<number, number>,
): ReadonlySet<number> | null {
  const ranked = [...counts]
    .flatMap(([database, count]) => {
      const bytes = logBytes.get(database);
      return bytes === undefined ? [] : [{ database, count, perCheckpoint: bytes / count }];
    })
    .sort((a, b) => a.perCheckpoint - b.perCheckpoint || a.database - b.database);
  if (ranked.length === 0) return null;
  const quiet = new Set<number>();
  let checkpoints = 0;
  for (const { database, count } of ranked) {
    if (quiet.size >= Math.ceil(QUIET_SHARE * counts.size) && checkpoints >= LEAST_CHECKPOINTS) break;
    quiet.add(database);
    checkpoints += count;
  }
  return quiet;
}
