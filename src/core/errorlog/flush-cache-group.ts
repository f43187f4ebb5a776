/**
 * FlushCache messages: what their lines say together, and whether they belong to one message (docs/facts.md, SQL Server
 * 5).
 */
import type { Logged, PlacedRow } from './error-log-row';
import type {
  CleanedLine,
  FlushCacheLine,
  OutstandingLine,
  PrintLine,
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
  /** How far the printed throughput is from the one of pages and duration, as a share; null: no further than rounding. */
  readonly throughputDiffersBy: number | null;
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
/** A lone message may differ this much. Published logs do. */
const NEARLY = 0.005;
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
export function isConsistent(group: OpenGroup): boolean {
  return isOneVersion(group) && fitsWrites(group) && differBy(group) === null;
}

/** A message that is alone in its moment is whole if its writes agree: nothing is there that could be mixed into it. */
export function isNearlyConsistent(group: OpenGroup): boolean {
  return (
    group.writes !== null && isOneVersion(group) && fitsWrites(group) && (differBy(group) ?? 0) <= NEARLY
  );
}

/** In 2008, no line has what came later: a line that lacks it elsewhere was cut. */
function isOneVersion({ cleaned, writes, throughput, outstanding }: OpenGroup): boolean {
  const late = [throughput?.contextSwitches, outstanding?.averageWriteLatencyMs].filter(
    (each) => each !== undefined,
  );
  return (
    !late.includes(null) ||
    (late.every((each) => each === null) && writes === null && cleaned.databaseId === null)
  );
}

const fits = (printed: number, computed: number, durationMs: number): boolean =>
  Math.abs(printed - computed) <= TOLERANCE + (durationMs < COARSE_MS ? computed / durationMs : 0);

function fitsWrites({ cleaned: { writes: count, durationMs }, writes }: OpenGroup): boolean {
  return (
    durationMs === 0 ||
    writes === null ||
    fits(writes.writesPerSecond, (count * 1000) / durationMs, durationMs)
  );
}

/** How far the printed throughput is from the computed one, as a share; null: they agree, or there is none. */
function differBy({ cleaned: { pages, durationMs }, throughput }: OpenGroup): number | null {
  if (durationMs === 0 || throughput === null) return null;
  const computed = (pages * PAGE_KILOBYTES * 1000) / 1024 / durationMs;
  const printed = throughput.megabytesPerSecond;
  return fits(printed, computed, durationMs) ? null : Math.abs(printed / computed - 1);
}

/** One step of a checkpoint, as trace flag 3502 prints it. */
type Print = Logged & Omit<PrintLine, 'kind'>;

/** In 2008 a message names no database. It is the one whose begin and end the same process prints around it. */
export function findDatabases(
  groups: readonly FlushCacheGroup[],
  prints: readonly Print[],
  isNewestFirst: boolean,
): ReadonlyMap<FlushCacheGroup, number> {
  const found = new Map<FlushCacheGroup, number>();
  const unnamed = groups.filter(({ databaseId }) => databaseId === null);
  if (unnamed.length === 0) return found;
  const steps = [...unnamed, ...prints.filter(({ databaseId }) => databaseId !== null)];
  const open = new Map<string, { readonly before: Print | null; readonly inside: FlushCacheGroup[] }>();
  const placeOf = ({ lines: [line = 0] }: Logged): number => (isNewestFirst ? -line : line);
  for (const step of steps.sort((a, b) => placeOf(a) - placeOf(b))) {
    const { before, inside } = open.get(step.processInfo) ?? { before: null, inside: [] };
    const isGroup = 'state' in step;
    const isAround = !isGroup && before?.databaseId === step.databaseId;
    if (isGroup) inside.push(step);
    else if (isAround && before?.step !== 'complete' && step.step !== 'started')
      for (const group of inside) found.set(group, step.databaseId ?? 0);
    open.set(step.processInfo, isGroup ? { before, inside } : { before: step, inside: [] });
  }
  return found;
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
    throughputDiffersBy: state === 'whole' ? differBy(group) : null,
  };
}
