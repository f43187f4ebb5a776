/**
 * Puts FlushCache messages together from their lines while a log is read. Lines of one process that are close in time
 * are a run, and a run is cut into messages (docs/facts.md, SQL Server 5). A log may come newest first, as a whole or
 * in part, and an export may exchange the two halves of a message:
 *
 *     C W T O   as written      O T W C   newest first      T O | C W   sorted by a date that changed within the message, latest first
 *                               O WT C    the same, where W and T were logged as one row
 *
 * (C cleaned up, W writes, T throughput, O outstanding; W is missing in 2012.) Lines belong together only if they stand
 * side by side in such an order and the two equations hold. The last line is in neither, so it must stand beside
 * exactly one throughput line. A wrong group needs figures that agree by chance.
 */
import type { PlacedRow } from './error-log-row';
import {
  type GroupLine,
  isConsistent,
  isNearlyConsistent,
  openGroup,
  type GroupState,
  type OpenGroup,
} from './flush-cache-group';
import type { FlushCacheLine } from './flush-cache-line';

/**
 * A longer run is cut after a whole message: a run may not end if many short checkpoints are printed or dates cannot be
 * read.
 */
const LONGEST_RUN = 128;

/** @param stray takes a row with a line that belongs to no message */
export function assembleGroups(
  found: (group: OpenGroup, state: GroupState) => void,
  stray: (row: PlacedRow) => void,
) {
  const runs = new Map<string, GroupLine[]>();
  const seen = { forward: 0, backward: 0 };
  const settle = (lines: readonly GroupLine[]): void => {
    const usual: Direction = seen.backward > seen.forward ? 'backward' : 'forward';
    const { groups, strays } = solveRun(lines, usual);
    for (const { group, state, direction } of groups) {
      if (state === 'whole' && direction !== null) seen[direction]++;
      found(group, state);
    }
    for (const { row } of strays) stray(row);
  };
  return {
    take(row: PlacedRow, line: FlushCacheLine): void {
      const process = row.processInfo.trim().toLowerCase();
      const run = runs.get(process) ?? [];
      if (!isSameRun(run[run.length - 1]?.row, row)) settle(run.splice(0));
      if (run.length >= LONGEST_RUN) settle(run.splice(0, findCut(run)));
      run.push({ row, line });
      runs.set(process, run);
    },
    /** Cuts the runs that are left. */
    end(): void {
      for (const run of runs.values()) settle(run);
      runs.clear();
    },
  };
}

function isSameRun(last: PlacedRow | undefined, next: PlacedRow): boolean {
  if (last === undefined || last.orderMs === null || next.orderMs === null) return true;
  return Math.abs(next.orderMs - last.orderMs) <= MESSAGE_SPAN_MS;
}

/** How many lines of a long run can be cut into messages now: up to the last but one whole message, or all. */
function findCut(run: readonly GroupLine[]): number {
  const whole = solveRun(run, 'forward').groups.filter(({ state }) => state === 'whole');
  return whole.length > 1 ? (whole[whole.length - 2]?.end ?? 0) + 1 : run.length;
}

/**
 * Lines of one message have dates a few hundredths of a second apart at most; in an export that shows only seconds that
 * may be a second.
 */
export const MESSAGE_SPAN_MS = 1_000;
/** The last line is in no equation, so it must be nearer. */
const LAST_LINE_MS = 200;
const MOST_LINES = 4;
const RANK = { cleaned: 0, writes: 1, throughput: 2, outstanding: 3 } as const;

type Direction = 'forward' | 'backward';

interface FoundGroup {
  readonly group: OpenGroup;
  readonly state: GroupState;
  /** null if the order of its lines does not say. */
  readonly direction: Direction | null;
  /** Indexes of its first and its last line in the run. */
  readonly begin: number;
  readonly end: number;
  readonly score: number;
}

/** Of lines up to one of them. */
interface Cut {
  readonly score: number;
  readonly windows: readonly FoundGroup[];
}
const NO_CUT: Cut = { score: 0, windows: [] };

/** Finds the cut with the most whole messages, then the most lines that fit, then the usual direction of the log. */
function solveRun(lines: readonly GroupLine[], usual: Direction) {
  const lone = lines.length === MOST_LINES ? openGroup(lines) : null;
  const direction = lone && isNearlyConsistent(lone) ? findDirection(lines) : null;
  if (lone && direction) {
    const one = { group: lone, state: 'whole', direction, begin: 0, end: MOST_LINES - 1, score: 0 } as const;
    return { groups: [one], strays: [] };
  }
  const cuts = [NO_CUT];
  for (let end = 1; end <= lines.length; end++) {
    let best = cuts[end - 1] ?? NO_CUT;
    for (let length = 1; length <= Math.min(MOST_LINES, end); length++) {
      const { score, windows } = cuts[end - length] ?? NO_CUT;
      const next = readWindow(lines, end - length, end, usual);
      if (next && score + next.score > best.score)
        best = { score: score + next.score, windows: [...windows, next] };
    }
    cuts.push(best);
  }
  return markMixtures(lines, cuts[lines.length]?.windows ?? [], usual);
}

function readWindow(
  lines: readonly GroupLine[],
  begin: number,
  end: number,
  usual: Direction,
): FoundGroup | null {
  const part = lines.slice(begin, end);
  const group = openGroup(part);
  const direction = group && part.length > 1 ? findDirection(part) : null;
  if (!group || (direction === null && part.length > 1) || !isConsistent(group)) return null;
  if (group.outstanding && !isBesideItsThroughput(lines, part)) return null;
  const isWhole = group.throughput !== undefined && group.outstanding !== undefined;
  const score = (isWhole ? 1000 : 0) + part.length * 10 + (direction === usual ? 1 : 0) - 9;
  const state = isWhole ? 'whole' : 'incomplete';
  return { group, state, direction, begin, end: end - 1, score };
}

/**
 * Whether the last line is beside its throughput line, or in the row beside it: some versions log two lines as one row.
 * Where a reversed part of a log begins, a last line may stand between two throughput lines and belong to either
 * message; then false.
 */
function isBesideItsThroughput(lines: readonly GroupLine[], part: readonly GroupLine[]): boolean {
  const at = lines.findIndex((each) => each.line.kind === 'outstanding' && part.includes(each));
  const rows = [lines[at - 1]?.row, lines[at + 1]?.row];
  const beside = lines.filter(({ line, row }) => line.kind === 'throughput' && rows.includes(row));
  const last = lines[at];
  // A line whose date cannot be read may be of any message.
  const dated = beside.filter(({ row }) => row.orderMs !== null && last?.row.orderMs !== null);
  const [throughput, other] = dated.length > 0 ? dated : beside;
  if (!last || !throughput || other || !part.includes(throughput)) return false;
  return isNearest(last, throughput, lines) && isNearest(throughput, last, lines);
}

/**
 * False if they are far apart, or if another line of the second's kind is nearer in time to the first: then they are
 * side by side by chance.
 */
function isNearest(one: GroupLine, other: GroupLine, lines: readonly GroupLine[]): boolean {
  const { orderMs } = one.row;
  if (orderMs === null || other.row.orderMs === null || other.row.orderMs === orderMs) return true;
  if (Math.abs(other.row.orderMs - orderMs) > LAST_LINE_MS) return false;
  const apart = (line: GroupLine): number => Math.abs((line.row.orderMs ?? Infinity) - orderMs);
  return lines.every((line) => line.line.kind !== other.line.kind || apart(line) >= apart(other));
}

/** null if no message can come in this order. */
function findDirection(part: readonly GroupLine[]): Direction | null {
  if (!isCloseInTime(part.map(({ row }) => row))) return null;
  const [isForward, isBackward] = [isInOrder(part, 1), isInOrder(part, -1)];
  if (!isForward && !isBackward) return null;
  // If the times alone decide, the places tell which way the log runs.
  const isRising = rankOf(part[0]) < rankOf(part[part.length - 1]);
  return isForward && (isRising || !isBackward) ? 'forward' : 'backward';
}

/** Whether the rows give a message in order of time, and those of one moment as they come (1) or from the last (-1). */
function isInOrder(part: readonly GroupLine[], sign: 1 | -1): boolean {
  const rows = [...new Set(part.map(({ row }) => row))];
  const isDated = rows.every(({ orderMs }) => orderMs !== null);
  const timeOf = ({ row }: GroupLine): number => (isDated ? (row.orderMs ?? 0) : 0);
  const sorted = [...part].sort(
    (a, b) => timeOf(a) - timeOf(b) || sign * (rows.indexOf(a.row) - rows.indexOf(b.row)),
  );
  return sorted.every((line, at) => at === 0 || rankOf(sorted[at - 1]) < rankOf(line));
}

function rankOf(line: GroupLine | undefined): number {
  return line ? RANK[line.line.kind] : -1;
}

function isCloseInTime(rows: readonly PlacedRow[]): boolean {
  const times = listTimes(rows);
  return times.length === 0 || Math.max(...times) - Math.min(...times) <= MESSAGE_SPAN_MS;
}

function listTimes(rows: readonly PlacedRow[]): readonly number[] {
  return rows.flatMap(({ orderMs }) => orderMs ?? []);
}

/**
 * If a message lacks its throughput line and lines beside it fit no message, they stand where its own should be. Strays
 * belong to no message: its beginning is missing.
 */
function markMixtures(lines: readonly GroupLine[], windows: readonly FoundGroup[], usual: Direction) {
  const free = new Set(lines.keys());
  for (const { begin, end } of windows) for (let at = begin; at <= end; at++) free.delete(at);
  /** Lines beside a message, as long as it lacks their kinds and is close in time. */
  const listFree = ({ group, begin, end }: FoundGroup, step: 1 | -1): readonly number[] => {
    const kinds = new Set(Object.keys(group));
    const taken: number[] = [];
    for (let at = step > 0 ? end + 1 : begin - 1; free.has(at); at += step) {
      const next = lines[at];
      if (!next || kinds.has(next.line.kind) || !isCloseInTime([next.row, group.cleanedRow])) break;
      kinds.add(next.line.kind);
      taken.push(at);
    }
    return taken;
  };
  const groups = windows.map((window): FoundGroup => {
    if (window.state === 'whole') return window;
    const [following, preceding] = [listFree(window, 1), listFree(window, -1)];
    const [one, other] = usual === 'forward' ? [following, preceding] : [preceding, following];
    const taken = one.length > 0 ? one : other;
    const found = taken.flatMap((at) => lines[at] ?? []);
    if (!found.some(({ line }) => line.kind === 'writes' || line.kind === 'throughput')) return window;
    for (const at of taken) free.delete(at);
    const { cleaned, cleanedRow, rows: own } = window.group;
    const rows = [...new Set([...own, ...found.map(({ row }) => row)])].sort((a, b) => a.line - b.line);
    return { ...window, state: 'mixture', group: { rows, cleaned, cleanedRow } };
  });
  return { groups, strays: [...free].flatMap((at) => lines[at] ?? []) };
}
