/**
 * Levels of detail of one lane. Time is cut into bins, each with the code of the longest checkpoint that touches it;
 * above are coarser bins, each of four. A frame reads one to four bins for each pixel column, however many checkpoints
 * they stand for.
 *
 *   level 1   |       7       |       3       |
 *   level 0   | 0 | 7 | 2 | 0 | 3 | 3 | 3 | 0 |     two to four bins a checkpoint, if they come at an even pace
 *   time          ▌█  ▌        ██████████▌
 *
 * About four bytes a checkpoint. New checkpoints are marked in place, in any order of time. Levels are rebuilt only if
 * the pace has changed so much that the bins no longer fit; each time that takes twice as many checkpoints.
 */
import type { CheckpointColumns } from '../capture/checkpoint-columns';
import { codeOfDuration } from './duration-levels';

/** The checkpoints of one database. */
export interface LaneRows {
  /** Rows of the columns, ascending by begin. Only the first `count` are valid. */
  rows: Uint32Array;
  count: number;
  /** The latest end of a checkpoint of the lane. */
  lastEndUtcMs: number;
}

/** Bins of one width. */
export interface BinLevel {
  bins: Uint8Array;
  /** How many bins from 1970-01-01T00:00:00Z to the first of these. */
  firstBin: number;
}

export interface LaneLevels {
  /** The codes tell whether a checkpoint reached it. */
  readonly recoveryIntervalMs: number;
  /** Width of a bin of the first level: a power of two. */
  finestMs: number;
  /** From fine to coarse; the bins of each are four times as wide as those before. Never empty. */
  readonly levels: BinLevel[];
  /** Bins read or written by marking since the levels were built: the cost of appends. */
  work: number;
}

/** A lane with fewer checkpoints is read checkpoint by checkpoint. */
export const LEAST_ROWS = 512;

/** There is no level above one with at most this many bins: a picture has about as many columns. */
const COARSEST_BINS = 512;
export const BINS_A_PARENT = 4;

/**
 * Bins of the first level for each checkpoint. Above the most, the level is given up. Below the fewest, a finer one is
 * built, with 2 to 4 of them.
 */
const MOST_BINS_A_ROW = 8;
const BUILT_BINS_A_ROW = 2;
const FEWEST_BINS_A_ROW = 1;

const spanOf = (lane: LaneRows, columns: CheckpointColumns): number =>
  Math.max(1, lane.lastEndUtcMs - columns.beginUtcMs[lane.rows[0]!]!);

/** Builds the levels of a lane that has checkpoints. */
export function buildLevels(
  lane: LaneRows,
  columns: CheckpointColumns,
  recoveryIntervalMs: number,
): LaneLevels {
  const levels = createLevels(lane, columns, recoveryIntervalMs);
  for (let at = 0; at < lane.count; at++) markFinest(levels, columns, lane.rows[at]!);
  return finishLevels(levels);
}

/** The first level of a lane, still empty. All of its checkpoints have to be marked, and then the levels finished. */
export function createLevels(
  lane: LaneRows,
  columns: CheckpointColumns,
  recoveryIntervalMs: number,
): LaneLevels {
  const finestMs =
    2 ** Math.max(0, Math.floor(Math.log2(spanOf(lane, columns) / lane.count / BUILT_BINS_A_ROW)));
  const firstBin = Math.floor(columns.beginUtcMs[lane.rows[0]!]! / finestMs);
  const bins = new Uint8Array(Math.max(1, Math.ceil(lane.lastEndUtcMs / finestMs) - firstBin) + 1);
  return { recoveryIntervalMs, finestMs, levels: [{ bins, firstBin }], work: 0 };
}

/** Marks a checkpoint on the first level. */
export function markFinest(
  { levels, finestMs, recoveryIntervalMs }: LaneLevels,
  columns: CheckpointColumns,
  row: number,
): void {
  const begin = columns.beginUtcMs[row]!;
  const durationMs = columns.durationMs[row]!;
  const first = Math.floor(begin / finestMs);
  raiseBins(
    levels[0]!,
    first,
    lastBinOf(begin + durationMs, finestMs, first),
    codeOfDuration(durationMs, recoveryIntervalMs),
  );
}

/** Builds the coarser levels over the first. */
export function finishLevels(levels: LaneLevels): LaneLevels {
  coverWithParents(levels.levels);
  return levels;
}

const lastBinOf = (endUtcMs: number, binMs: number, first: number): number =>
  Math.max(first, Math.ceil(endUtcMs / binMs) - 1);

/** Raises bins to a code. @returns whether any was below it */
function raiseBins({ bins, firstBin }: BinLevel, first: number, last: number, code: number): boolean {
  let raised = false;
  for (let i = first - firstBin; i <= last - firstBin; i++) {
    if (bins[i]! >= code) continue;
    bins[i] = code;
    raised = true;
  }
  return raised;
}

function coverWithParents(levels: BinLevel[]): void {
  for (let top = levels[levels.length - 1]!; top.bins.length > COARSEST_BINS * BINS_A_PARENT;) {
    top = createParent(top);
    levels.push(top);
  }
}

function createParent({ bins, firstBin }: BinLevel): BinLevel {
  const first = Math.floor(firstBin / BINS_A_PARENT);
  const end = Math.floor((firstBin + bins.length - 1) / BINS_A_PARENT) + 1;
  const parent = new Uint8Array(end - first);
  for (let i = 0; i < bins.length; i++) {
    const above = Math.floor((firstBin + i) / BINS_A_PARENT) - first;
    if (bins[i]! > parent[above]!) parent[above] = bins[i]!;
  }
  return { bins: parent, firstBin: first };
}

/** Marks a checkpoint that is new in its lane. False: the levels no longer fit the lane and have to be rebuilt. */
export function markLevels(
  levels: LaneLevels,
  lane: LaneRows,
  columns: CheckpointColumns,
  row: number,
): boolean {
  if (!fitLevels(levels, lane, columns)) return false;
  const begin = columns.beginUtcMs[row]!;
  const durationMs = columns.durationMs[row]!;
  const code = codeOfDuration(durationMs, levels.recoveryIntervalMs);
  let first = Math.floor(begin / levels.finestMs);
  let last = lastBinOf(begin + durationMs, levels.finestMs, first);
  let raised = true;
  for (const level of levels.levels) {
    if (!raised) break;
    coverBins(level, first, last);
    raised = raiseBins(level, first, last, code);
    levels.work += last - first + 1;
    first = Math.floor(first / BINS_A_PARENT);
    last = Math.floor(last / BINS_A_PARENT);
  }
  coverWithParents(levels.levels);
  return true;
}

/** Removes levels that have become too fine for the pace. */
function fitLevels(levels: LaneLevels, lane: LaneRows, columns: CheckpointColumns): boolean {
  const spanMs = spanOf(lane, columns);
  if (spanMs / levels.finestMs < lane.count * FEWEST_BINS_A_ROW && levels.finestMs > 1) return false;
  while (spanMs / levels.finestMs > lane.count * MOST_BINS_A_ROW) {
    if (levels.levels.length === 1) return false;
    levels.levels.shift();
    levels.finestMs *= BINS_A_PARENT;
  }
  return true;
}

/** Makes room for bins, and for half as many again on the side that needs them. */
function coverBins(level: BinLevel, first: number, last: number): void {
  const { bins, firstBin } = level;
  const endBin = firstBin + bins.length;
  if (first >= firstBin && last < endBin) return;
  const from = first < firstBin ? first - (bins.length >> 1) : firstBin;
  const end = last >= endBin ? last + 1 + (bins.length >> 1) : endBin;
  level.bins = new Uint8Array(end - from);
  level.bins.set(bins, firstBin - from);
  level.firstBin = from;
}

/** Which is the coarsest level whose bins are no wider than a pixel column; null if all are wider. */
export function chooseLevel(
  { finestMs, levels }: LaneLevels,
  columnMs: number,
): { readonly at: number; readonly binMs: number } | null {
  if (finestMs > columnMs) return null;
  let at = 0;
  let binMs = finestMs;
  for (; at < levels.length - 1 && binMs * BINS_A_PARENT <= columnMs; at++) binMs *= BINS_A_PARENT;
  return { at, binMs };
}
