/** FlushCache messages put together from their lines (docs/facts.md, SQL Server 5). */
import { readUtcTime } from '../time';
import type { ErrorLogRow } from './error-log-row';
import type { CleanedLine, FlushCacheLine, OutstandingLine, ThroughputLine, WritesLine } from './flush-cache-line';

/**
 * `whole`: all lines came and the two equations hold. `incomplete`: a line is missing. `mixture`: lines of different messages stand
 * together, because an equation does not hold; its figures are not to be used.
 */
export type GroupState = 'whole' | 'incomplete' | 'mixture';

/** One long checkpoint, as the log tells it at its end. Figures of a missing line are null. */
export interface FlushCacheGroup {
  readonly logDateLocal: string;
  readonly processInfo: string;
  readonly state: GroupState;
  readonly databaseId: number | null;
  readonly pages: number;
  readonly writes: number;
  readonly durationMs: number;
  readonly avoidedPages: number | null;
  /** null also where the version writes three lines (2012). */
  readonly writesPerSecond: number | null;
  readonly megabytesPerSecond: number | null;
  readonly ioSaturation: number | null;
  readonly contextSwitches: number | null;
  readonly lastTargetOutstanding: number | null;
  readonly averageWriteLatencyMs: number | null;
}

/** A row all of whose text is lines of FlushCache messages. */
export interface FlushCacheRow {
  readonly row: ErrorLogRow;
  readonly lines: readonly FlushCacheLine[];
}

export interface FlushCacheReading {
  readonly groups: readonly FlushCacheGroup[];
  /** Rows with a line that belongs to no message: its beginning is missing. */
  readonly strays: ReadonlySet<ErrorLogRow>;
}

/** "Within 0.01" of what the log prints with two decimals, cut or rounded. */
const TOLERANCE = 0.01 + 1e-9;
const PAGE_KILOBYTES = 8;

/**
 * Groups lines by process, each message from its first line on. A log may come newest first, and lines of one message may bear two
 * dates: of the orders in which the rows can be read, that one counts which gives the most whole messages, the given one on a tie.
 */
export function groupFlushCacheRows(rows: readonly FlushCacheRow[]): FlushCacheReading {
  const sorted = sortByDate(rows);
  const candidates = [rows, [...rows].reverse(), sorted, [...sorted].reverse()].map(assembleGroups);
  return candidates.reduce((best, next) => (isBetter(next, best) ? next : best));
}

function isBetter(next: FlushCacheReading, best: FlushCacheReading): boolean {
  const [nextWhole, bestWhole] = [countWhole(next), countWhole(best)];
  return nextWhole > bestWhole || (nextWhole === bestWhole && next.strays.size < best.strays.size);
}

function countWhole({ groups }: FlushCacheReading): number {
  return groups.filter((group) => group.state === 'whole').length;
}

/** Stable; rows whose date cannot be read stay first. */
function sortByDate(rows: readonly FlushCacheRow[]): readonly FlushCacheRow[] {
  const dated = rows.map((row) => ({ row, localMs: readUtcTime(row.row.logDateLocal.trim().replace(' ', 'T')) ?? -Infinity }));
  return dated.sort((a, b) => (a.localMs === b.localMs ? 0 : a.localMs - b.localMs)).map(({ row }) => row);
}

interface OpenGroup {
  readonly row: ErrorLogRow;
  readonly cleaned: CleanedLine;
  writes?: WritesLine;
  throughput?: ThroughputLine;
  outstanding?: OutstandingLine;
}

function assembleGroups(rows: readonly FlushCacheRow[]): FlushCacheReading {
  const open = new Map<string, OpenGroup>();
  const groups: OpenGroup[] = [];
  const strays = new Set<ErrorLogRow>();
  for (const { row, lines } of rows) {
    const process = row.processInfo.trim().toLowerCase();
    for (const line of lines) {
      const group = open.get(process);
      if (line.kind === 'cleaned') groups.push(openGroup(open, process, row, line));
      else if (!group || !addLine(group, line)) strays.add(row);
    }
  }
  return { groups: groups.map(closeGroup), strays };
}

function openGroup(open: Map<string, OpenGroup>, process: string, row: ErrorLogRow, cleaned: CleanedLine): OpenGroup {
  const group = { row, cleaned };
  open.set(process, group);
  return group;
}

/** False where the message has that line already. */
function addLine(group: OpenGroup, line: Exclude<FlushCacheLine, CleanedLine>): boolean {
  if (group[line.kind]) return false;
  if (line.kind === 'writes') group.writes = line;
  else if (line.kind === 'throughput') group.throughput = line;
  else group.outstanding = line;
  return true;
}

function closeGroup(group: OpenGroup): FlushCacheGroup {
  const { row, cleaned, writes, throughput, outstanding } = group;
  return {
    logDateLocal: row.logDateLocal,
    processInfo: row.processInfo,
    state: judgeGroup(group),
    databaseId: cleaned.databaseId,
    pages: cleaned.pages,
    writes: cleaned.writes,
    durationMs: cleaned.durationMs,
    avoidedPages: cleaned.avoidedPages,
    writesPerSecond: writes?.writesPerSecond ?? null,
    megabytesPerSecond: throughput?.megabytesPerSecond ?? null,
    ioSaturation: throughput?.ioSaturation ?? null,
    contextSwitches: throughput?.contextSwitches ?? null,
    lastTargetOutstanding: outstanding?.lastTargetOutstanding ?? null,
    averageWriteLatencyMs: outstanding?.averageWriteLatencyMs ?? null,
  };
}

/** writes/s = writes x 1000 / ms and MB/s = bufs x 8 / 1024 / s; without a duration neither says anything. */
function judgeGroup({ cleaned, writes, throughput, outstanding }: OpenGroup): GroupState {
  const seconds = cleaned.durationMs / 1000;
  const differs = (printed: number | undefined, computed: number): boolean =>
    seconds > 0 && printed !== undefined && Math.abs(printed - computed) > TOLERANCE;
  const megabytes = (cleaned.pages * PAGE_KILOBYTES) / 1024;
  if (differs(writes?.writesPerSecond, cleaned.writes / seconds)) return 'mixture';
  if (differs(throughput?.megabytesPerSecond, megabytes / seconds)) return 'mixture';
  return throughput && outstanding ? 'whole' : 'incomplete';
}
