/**
 * What one look through the cache costs an automatic checkpoint, however little it writes: an estimate from the size of the cache, never a
 * measurement of this server (docs/facts.md, SQL Server 1). Measured by others up to 200 GB; beyond, their own extrapolation up to 2 TB; beyond
 * that, nothing is published and nothing is said.
 *
 *     0 GB 40 ms    100 GB 400 ms    200 GB 700 ms   |   2 TB nearly 8 s, extrapolated by the author
 */
export interface ScanCostEstimate {
  readonly cacheGb: number;
  /** Milliseconds of one scan; null where nothing is published for a cache of this size. */
  readonly estimateMs: number | null;
  readonly basis: 'published measurements' | 'extrapolated by their author' | 'nothing published';
  /** What the figure is, and where it is from. */
  readonly source: string;
  /** What it does not say. */
  readonly cautions: readonly string[];
}

/** Measured by others. */
export const PUBLISHED_SCANS: readonly (readonly [cacheGb: number, ms: number])[] = [
  [0, 40],
  [100, 400],
  [200, 700],
];
export const LAST_PUBLISHED_GB = 200;
/** As their author went on. */
export const EXTRAPOLATED_SCANS: readonly (readonly [cacheGb: number, ms: number])[] = [
  [200, 700],
  [2048, 8000],
];
const LAST_EXTRAPOLATED_GB = 2048;
/** SQL Server 2022. */
const FIRST_PARALLEL_MAJOR = 16;

const FAR_MORE =
  'It can be far more: in a published case on SQL Server 2022 one checkpoint took 228 s to write 56 MB, because it looked through 15.8 million buffers.';
const PARALLEL = 'SQL Server 2022 and later scan a large cache with several tasks, which the published figures do not show.';

/** @param majorVersion of SQL Server: 16 is 2022 */
export function estimateScanCost(cacheGb: number, majorVersion: number): ScanCostEstimate {
  const cautions = majorVersion >= FIRST_PARALLEL_MAJOR ? [PARALLEL, FAR_MORE] : [FAR_MORE];
  if (!(cacheGb >= 0) || cacheGb > LAST_EXTRAPOLATED_GB) {
    const source = 'No figure is published for a cache of this size; measurements end at 200 GB.';
    return { cacheGb, estimateMs: null, basis: 'nothing published', source, cautions };
  }
  if (cacheGb <= LAST_PUBLISHED_GB) {
    const source =
      'An estimate, not measured here: between the published 40 ms of an empty cache, 400 ms of 100 GB and 700 ms of 200 GB, measured on Azure with an idle database.';
    return { cacheGb, estimateMs: interpolate(PUBLISHED_SCANS, cacheGb), basis: 'published measurements', source, cautions };
  }
  const source =
    'An estimate, not measured anywhere: measurements end with 700 ms at 200 GB, and their author extrapolated them to nearly 8 s at 2 TB.';
  return { cacheGb, estimateMs: interpolate(EXTRAPOLATED_SCANS, cacheGb), basis: 'extrapolated by their author', source, cautions };
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
