/**
 * FlushCache messages: what their lines say together, and whether they belong to one message (docs/facts.md, SQL Server
 * 5).
 */
import type { Logged, PlacedRow } from './error-log-row';
import type {
  CleanedLine,
  FlushCacheLine,
  OutstandingLine,
  ThroughputLine,
  WritesLine,
} from './flush-cache-line';

/**
 * `whole`: all lines came and the two equations hold. `incomplete`: a line is missing. `mixture`: lines of other
 * messages stand where its own should be, because an equation does not hold; then only its first line counts.
 */
export type GroupState = 'whole' | 'incomplete' | 'mixture';

/** One long checkpoint, as the log tells it at its end. Figures of a missing line are null. */
export interface FlushCacheGroup extends Logged, Omit<CleanedLine, 'kind'> {
  readonly state: GroupState;
  /** Pages in one write on average; null if nothing was written. */
  readonly pagesPerWrite: number | null;
  /** null also in SQL Server 2012, whose messages have three lines. */
  readonly writesPerSecond: number | null;
  readonly megabytesPerSecond: number | null;
  readonly ioSaturation: number | null;
  readonly contextSwitches: number | null;
  readonly lastTargetOutstanding: number | null;
  readonly averageWriteLatencyMs: number | null;
}

/** One line of a FlushCache message with the row that it stands in. */
export interface GroupLine {
  readonly line: FlushCacheLine;
  readonly row: PlacedRow;
}

/** Lines of one message: exactly one of them begins it. */
export interface OpenGroup {
  readonly rows: readonly PlacedRow[];
  readonly cleaned: CleanedLine;
  readonly cleanedRow: PlacedRow;
  readonly writes: WritesLine | null;
  readonly throughput: ThroughputLine | null;
  readonly outstanding: OutstandingLine | null;
}

/** The log prints two decimals, cut or rounded, so figures may differ by 0.01. */
const TOLERANCE = 0.01 + 1e-9;
const PAGE_KILOBYTES = 8;
/** Below a second, rounding the duration to milliseconds matters more than the decimals. */
const COARSE_MS = 1000;

/** Makes a group of lines; null unless exactly one begins a message and no kind comes twice. */
export function openGroup(lines: readonly GroupLine[]): OpenGroup | null {
  const find = <K extends FlushCacheLine['kind']>(kind: K): Extract<FlushCacheLine, { kind: K }> | null =>
    (lines.find(({ line }) => line.kind === kind)?.line as
      | Extract<FlushCacheLine, { kind: K }>
      | undefined) ?? null;
  const first = lines.find(({ line }) => line.kind === 'cleaned');
  const cleaned = find('cleaned');
  if (
    first === undefined ||
    cleaned === null ||
    new Set(lines.map(({ line }) => line.kind)).size !== lines.length
  )
    return null;
  const rows = [...new Set(lines.map(({ row }) => row))];
  const writes = find('writes');
  const throughput = find('throughput');
  const outstanding = find('outstanding');
  return { rows, cleaned, cleanedRow: first.row, writes, throughput, outstanding };
}

/** writes/s = writes x 1000 / ms and MB/s = bufs x 8 / 1024 / s; without a duration neither says anything. */
export function isConsistent({ cleaned, writes, throughput }: OpenGroup): boolean {
  const { durationMs } = cleaned;
  const seconds = durationMs / 1000;
  const fits = (printed: number | undefined, computed: number): boolean =>
    seconds === 0 ||
    printed === undefined ||
    Math.abs(printed - computed) <= TOLERANCE + (durationMs < COARSE_MS ? computed / durationMs : 0);
  const megabytes = (cleaned.pages * PAGE_KILOBYTES) / 1024;
  return (
    fits(writes?.writesPerSecond, cleaned.writes / seconds) &&
    fits(throughput?.megabytesPerSecond, megabytes / seconds)
  );
}

/** Its time in UTC is not known yet. */
export function closeGroup(group: OpenGroup, state: GroupState): FlushCacheGroup {
  const { cleaned, cleanedRow, writes, throughput, outstanding } = group;
  return {
    logDateLocal: cleanedRow.logDateLocal,
    processInfo: cleanedRow.processInfo,
    atUtcMs: null,
    sureness: 'unknown',
    lines: group.rows.map(({ line }) => line),
    state,
    databaseId: cleaned.databaseId,
    pages: cleaned.pages,
    writes: cleaned.writes,
    durationMs: cleaned.durationMs,
    pagesPerWrite: cleaned.writes > 0 ? cleaned.pages / cleaned.writes : null,
    avoidedPages: cleaned.avoidedPages,
    writesPerSecond: writes?.writesPerSecond ?? null,
    megabytesPerSecond: throughput?.megabytesPerSecond ?? null,
    ioSaturation: throughput?.ioSaturation ?? null,
    contextSwitches: throughput?.contextSwitches ?? null,
    lastTargetOutstanding: outstanding?.lastTargetOutstanding ?? null,
    averageWriteLatencyMs: outstanding?.averageWriteLatencyMs ?? null,
  };
}
