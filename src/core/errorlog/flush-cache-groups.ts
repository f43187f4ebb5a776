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

interface GroupSink {
  readonly found: (group: OpenGroup, state: GroupState) => void;
  /** A row with a line that belongs to no message. */
  readonly stray: (row: PlacedRow) => void;
}

export function assembleGroups(sink: GroupSink) {
  const runs = new Map<string, GroupLine[]>();
  const seen = { forward: 0, backward: 0 };
  const settlePlain = (run: GroupLine[], next: GroupLine): void => {
    const plain = findPlainMessage(run, next);
    if (!plain) return;
    if (plain.direction !== null) seen[plain.direction]++;
    sink.found(plain.group, plain.state);
    run.length = 0;
  };
  const settle = (lines: readonly GroupLine[]): void => {
    const usual: Direction = seen.backward > seen.forward ? 'backward' : 'forward';
    const { groups, strays } = solveRun(lines, usual);
    for (const { group, state, direction } of groups) {
      if (state === 'whole' && direction !== null) seen[direction]++;
      sink.found(group, state);
    }
    for (const { row } of strays) sink.stray(row);
  };
  return {
    take(row: PlacedRow, line: FlushCacheLine): void {
      const process = row.processInfo.trim().toLowerCase();
      const run = runs.get(process) ?? [];
      if (run.length >= 3) settlePlain(run, { row, line });
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

/** First letters of the kinds of lines, in messages of four lines and of three. */
const PLAIN: Readonly<Record<Direction, readonly string[]>> = {
  forward: ['cwto', 'cto'],
  backward: ['otwc', 'otc'],
};

type Direction = 'forward' | 'backward';

interface FoundGroup {
  readonly group: OpenGroup;
  readonly state: GroupState;
  /** null if the order of its lines does not say. */
  readonly direction: Direction | null;
  /** Index of its last line in the run. */
  readonly end: number;
}

interface SolvedRun {
  readonly groups: readonly FoundGroup[];
  /** Lines that belong to no message: its beginning is missing. */
  readonly strays: readonly GroupLine[];
}

interface Window extends FoundGroup {
  readonly begin: number;
  readonly score: number;
}

/**
 * Finds one message if the lines are just that, as in most runs: all with one date, in order or newest first. The next
 * line must begin another message.
 */
function findPlainMessage(lines: readonly GroupLine[], next: GroupLine): FoundGroup | null {
  const direction =
    next.line.kind === 'cleaned' ? 'forward' : next.line.kind === 'outstanding' ? 'backward' : null;
  const order = lines.map(({ line }) => line.kind.charAt(0)).join('');
  if (direction === null || !PLAIN[direction].includes(order)) return null;
  const group = lines.every(({ row }) => row.orderMs === lines[0]?.row.orderMs) ? openGroup(lines) : null;
  return group && isConsistent(group) ? { group, state: 'whole', direction, end: lines.length - 1 } : null;
}

/** Finds the cut with the most whole messages, then the most lines that fit, then the usual direction of the log. */
function solveRun(lines: readonly GroupLine[], usual: Direction): SolvedRun {
  const lone = lines.length === MOST_LINES ? openGroup(lines) : null;
  const direction = lone && isNearlyConsistent(lone) ? findDirection(lines) : null;
  if (lone && direction !== null && direction !== 'alone')
    return { groups: [{ group: lone, state: 'whole', direction, end: MOST_LINES - 1 }], strays: [] };
  const scores = [0];
  const chosen: (Window | null)[] = [null];
  for (let end = 1; end <= lines.length; end++) {
    let [best, window]: [number, Window | null] = [scores[end - 1] ?? 0, null];
    for (let length = 1; length <= Math.min(MOST_LINES, end); length++) {
      const next = readWindow(lines, end - length, end, usual);
      const score = next === null ? -1 : next.score + (scores[end - length] ?? 0);
      if (next !== null && score > best) [best, window] = [score, next];
    }
    scores.push(best);
    chosen.push(window);
  }
  return markMixtures(lines, collectWindows(chosen), usual);
}

function collectWindows(chosen: readonly (Window | null)[]): readonly Window[] {
  const windows: Window[] = [];
  for (let end = chosen.length - 1; end > 0;) {
    const window = chosen[end];
    if (window) windows.unshift(window);
    end = window ? window.begin : end - 1;
  }
  return windows;
}

function readWindow(
  lines: readonly GroupLine[],
  begin: number,
  end: number,
  usual: Direction,
): Window | null {
  const part = lines.slice(begin, end);
  const group = openGroup(part);
  const direction = group && findDirection(part);
  if (!group || direction === null || !isConsistent(group)) return null;
  if (group.outstanding && !isBesideItsThroughput(lines, part)) return null;
  const isWhole = group.throughput !== null && group.outstanding !== null;
  const score = (isWhole ? 1000 : 0) + part.length * 10 + (direction === usual ? 1 : 0) - 9;
  const state = isWhole ? 'whole' : 'incomplete';
  return { group, state, direction: direction === 'alone' ? null : direction, begin, end: end - 1, score };
}

/**
 * Whether the last line is beside its throughput line, or in the row beside it: some versions log two lines as one row.
 * Where a reversed part of a log begins, a last line may stand between two throughput lines and belong to either
 * message; then false.
 */
function isBesideItsThroughput(lines: readonly GroupLine[], part: readonly GroupLine[]): boolean {
  const at = lines.findIndex((each) => each.line.kind === 'outstanding' && part.includes(each));
  const beside = [findThroughput(lines, at, -1), findThroughput(lines, at, 1)].filter(
    (each) => each !== null,
  );
  const [last, throughput] = [lines[at], beside[0]];
  if (beside.length !== 1 || !last || !throughput || !part.includes(throughput)) return false;
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

function findThroughput(lines: readonly GroupLine[], from: number, step: 1 | -1): GroupLine | null {
  const row = lines[from + step]?.row;
  for (let at = from + step; row !== undefined && lines[at]?.row === row; at += step) {
    const each = lines[at];
    if (each?.line.kind === 'throughput') return each;
  }
  return null;
}

/** null if no message can come in this order. */
function findDirection(part: readonly GroupLine[]): Direction | 'alone' | null {
  if (part.length === 1) return 'alone';
  if (!isCloseInTime(part)) return null;
  const ranks = part.map(rankOf);
  const steps = ranks.slice(1).map((rank, at) => rank - (ranks[at] ?? 0));
  const [ups, downs] = [steps.filter((step) => step > 0).length, steps.filter((step) => step < 0).length];
  if (downs === 0) return goesThroughTime(part, 1) ? 'forward' : null;
  if (ups === 0 || goesBackRowByRow(part)) return goesThroughTime(part, -1) ? 'backward' : null;
  return findTurn(part, ranks, steps);
}

function rankOf({ line }: GroupLine): number {
  return RANK[line.kind];
}

/** Newest first, but lines of one row are in their own order: O, W T, C. */
function goesBackRowByRow(part: readonly GroupLine[]): boolean {
  return part.every((each, at) => {
    const before = part[at - 1];
    return (
      before === undefined ||
      (before.row === each.row
        ? rankOf(each) > rankOf(before)
        : part.every((other) => other.row !== each.row || rankOf(other) < rankOf(before)))
    );
  });
}

/** For exchanged halves: the first half must be later if the lines go forward, earlier if they go backward. */
function findTurn(
  part: readonly GroupLine[],
  ranks: readonly number[],
  steps: readonly number[],
): Direction | null {
  for (const [sign, direction] of [
    [1, 'forward'],
    [-1, 'backward'],
  ] as const) {
    const turns = steps.flatMap((step, at) => (step * sign < 0 ? [at + 1] : []));
    const turn = turns.length === 1 ? turns[0] : undefined;
    const [first, last] = [ranks[0] ?? 0, ranks[ranks.length - 1] ?? 0];
    if (turn === undefined || (last - first) * sign > 0) continue;
    const [before, after] = [part[turn - 1]?.row.orderMs ?? null, part[turn]?.row.orderMs ?? null];
    if (before !== null && after !== null && (before - after) * sign > 0) return direction;
  }
  return null;
}

function goesThroughTime(part: readonly GroupLine[], sign: 1 | -1): boolean {
  return listTimes(part).every((time, at, times) => at === 0 || (time - (times[at - 1] ?? time)) * sign >= 0);
}

function isCloseInTime(part: readonly GroupLine[]): boolean {
  const times = listTimes(part);
  return times.length === 0 || Math.max(...times) - Math.min(...times) <= MESSAGE_SPAN_MS;
}

function listTimes(part: readonly GroupLine[]): readonly number[] {
  return part.flatMap(({ row }) => (row.orderMs === null ? [] : [row.orderMs]));
}

/** If a message lacks its throughput line and lines beside it fit no message, they stand where its own should be. */
function markMixtures(lines: readonly GroupLine[], windows: readonly Window[], usual: Direction): SolvedRun {
  const free = new Set(lines.keys());
  for (const { begin, end } of windows) for (let at = begin; at <= end; at++) free.delete(at);
  const groups = windows.map((window) => {
    if (window.state === 'whole') return window;
    const following = listFree(lines, free, window.end + 1, 1, window.group);
    const preceding = listFree(lines, free, window.begin - 1, -1, window.group);
    const [one, other] = usual === 'forward' ? [following, preceding] : [preceding, following];
    const taken = one.length > 0 ? one : other;
    if (!taken.some((at) => ['writes', 'throughput'].includes(lines[at]?.line.kind ?? ''))) return window;
    for (const at of taken) free.delete(at);
    const rows = [...new Set([...window.group.rows, ...taken.flatMap((at) => lines[at]?.row ?? [])])].sort(
      (a, b) => a.line - b.line,
    );
    return {
      ...window,
      state: 'mixture' as const,
      group: { ...window.group, rows, writes: null, throughput: null, outstanding: null },
    };
  });
  return { groups, strays: [...free].flatMap((at) => lines[at] ?? []) };
}

/**
 * Indexes of lines that fit no message, from one place on, as long as the message lacks their kinds and is close in
 * time.
 */
function listFree(
  lines: readonly GroupLine[],
  free: ReadonlySet<number>,
  from: number,
  step: 1 | -1,
  group: OpenGroup,
): readonly number[] {
  const kinds = new Set([
    'cleaned',
    group.writes && 'writes',
    group.throughput && 'throughput',
    group.outstanding && 'outstanding',
  ]);
  const taken: number[] = [];
  for (let at = from; free.has(at); at += step) {
    const next = lines[at];
    if (
      next === undefined ||
      kinds.has(next.line.kind) ||
      !isCloseInTime([next, { line: group.cleaned, row: group.cleanedRow }])
    )
      break;
    kinds.add(next.line.kind);
    taken.push(at);
  }
  return taken;
}
