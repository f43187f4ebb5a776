/**
 * FlushCache messages: what their lines say together, and whether they belong to one message (docs/facts.md, SQL Server
 * 5).
 */
import type { Logged, PlacedRow } from './error-log-row';
import type { CheckpointPrint, FlushCacheLine, FlushCacheLines } from './flush-cache-line';

/**
 * `whole`: all lines came and the two equations hold. `incomplete`: a line is missing. `mixture`: lines of other
 * messages stand where its own should be, because an equation does not hold; then only its first line counts.
 */
export type GroupState = 'whole' | 'incomplete' | 'mixture';

type Cleaned = FlushCacheLines['cleaned'];
type OtherLines = FlushCacheLines['writes'] & FlushCacheLines['throughput'] & FlushCacheLines['outstanding'];
/** Figures of a missing line are null. */
type Figures = { readonly [K in keyof OtherLines]: OtherLines[K] | null };

/** One long checkpoint, as the log tells it at its end. */
export interface FlushCacheGroup extends Logged, Cleaned, Figures {
  readonly state: GroupState;
  /** Pages in one write on average; null if nothing was written. */
  readonly pagesPerWrite: number | null;
  /** How far the printed throughput is from the one of pages and duration, as a share; null: no further than rounding. */
  readonly throughputDiffersBy: number | null;
}

/** One line of a FlushCache message with the row that it stands in. */
export interface GroupLine {
  readonly line: FlushCacheLine;
  readonly row: PlacedRow;
}

/** Lines of one message, by kind: exactly one of them begins it. */
export interface OpenGroup extends Partial<FlushCacheLines> {
  readonly cleaned: Cleaned;
  readonly rows: readonly PlacedRow[];
  readonly cleanedRow: PlacedRow;
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
  const found: { -readonly [K in keyof OpenGroup]?: OpenGroup[K] } = {};
  const rows: PlacedRow[] = [];
  for (const { line, row } of lines) {
    if (line.kind in found) return null;
    found[line.kind] = line.values as never;
    if (line.kind === 'cleaned') found.cleanedRow = row;
    if (!rows.includes(row)) rows.push(row);
  }
  const { cleaned, cleanedRow } = found;
  return cleaned && cleanedRow ? { ...found, cleaned, cleanedRow, rows } : null;
}

/** writes/s = writes x 1000 / ms and MB/s = bufs x 8 / 1024 / s; without a duration neither says anything. */
export function isConsistent(group: OpenGroup): boolean {
  return isOneVersion(group) && fitsWrites(group) && differBy(group) === null;
}

/** A message that is alone in its moment is whole if its writes agree: nothing is there that could be mixed into it. */
export function isNearlyConsistent(group: OpenGroup): boolean {
  return (
    group.writes !== undefined && isOneVersion(group) && fitsWrites(group) && (differBy(group) ?? 0) <= NEARLY
  );
}

/** In 2008, no line has what came later: a line that lacks it elsewhere was cut. */
function isOneVersion({ cleaned, writes, throughput, outstanding }: OpenGroup): boolean {
  const late = [throughput?.contextSwitches, outstanding?.averageWriteLatencyMs].filter(
    (each) => each !== undefined,
  );
  return (
    !late.includes(null) ||
    (late.every((each) => each === null) && writes === undefined && cleaned.databaseId === null)
  );
}

const fits = (printed: number, computed: number, durationMs: number): boolean =>
  Math.abs(printed - computed) <= TOLERANCE + (durationMs < COARSE_MS ? computed / durationMs : 0);

function fitsWrites({ cleaned: { writes: count, durationMs }, writes }: OpenGroup): boolean {
  return (
    durationMs === 0 ||
    writes === undefined ||
    fits(writes.writesPerSecond, (count * 1000) / durationMs, durationMs)
  );
}

/** How far the printed throughput is from the computed one, as a share; null: they agree, or there is none. */
function differBy({ cleaned: { pages, durationMs }, throughput }: OpenGroup): number | null {
  if (durationMs === 0 || !throughput) return null;
  const computed = (pages * PAGE_KILOBYTES * 1000) / 1024 / durationMs;
  const printed = throughput.megabytesPerSecond;
  return fits(printed, computed, durationMs) ? null : Math.abs(printed / computed - 1);
}

/**
 * In 2008 a message names no database. It is the one whose begin and end the same process prints around it.
 * @param groups in which that is filled in
 */
export function nameDatabases(
  groups: readonly FlushCacheGroup[],
  prints: readonly CheckpointPrint[],
  isNewestFirst: boolean,
): void {
  const unnamed = groups.filter(({ databaseId }) => databaseId === null);
  if (unnamed.length === 0) return;
  const steps = [...unnamed, ...prints.filter(({ databaseId }) => databaseId !== null)];
  const open = new Map<
    string,
    { readonly before: CheckpointPrint | null; readonly inside: FlushCacheGroup[] }
  >();
  const placeOf = ({ lines: [line = 0] }: Logged): number => (isNewestFirst ? -line : line);
  for (const step of steps.sort((a, b) => placeOf(a) - placeOf(b))) {
    const { before, inside } = open.get(step.processInfo) ?? { before: null, inside: [] };
    const isGroup = 'state' in step;
    const { databaseId } = step;
    const isAround = !isGroup && before?.databaseId === databaseId;
    if (isGroup) inside.push(step);
    else if (isAround && before?.step !== 'complete' && step.step !== 'started')
      for (const group of inside) Object.assign(group, { databaseId });
    open.set(step.processInfo, isGroup ? { before, inside } : { before: step, inside: [] });
  }
}

/** What stays of a group. */
export type ClosedGroup = Omit<FlushCacheGroup, Exclude<keyof Logged, 'lines'>>;

export function closeGroup(group: OpenGroup, state: GroupState): ClosedGroup {
  const { rows, cleaned, writes, throughput, outstanding } = group;
  return {
    lines: rows.map(({ line }) => line),
    state,
    pagesPerWrite: cleaned.writes > 0 ? cleaned.pages / cleaned.writes : null,
    ...cleaned,
    writesPerSecond: null,
    megabytesPerSecond: null,
    ioSaturation: null,
    contextSwitches: null,
    lastTargetOutstanding: null,
    averageWriteLatencyMs: null,
    ...writes,
    ...throughput,
    ...outstanding,
    throughputDiffersBy: state === 'whole' ? differBy(group) : null,
  };
}
