/**
 * One lane reduced to the pixel columns of a screen. Whatever the zoom, a column shows the longest checkpoint that
 * touches it. Painting needs only its code. Which checkpoint it is, and of how many, is looked up for the one column
 * that is asked about.
 *
 *   checkpoints   ████        ██  ▌                    time
 *                   ▌▌▌▌▌▌▌▌▌
 *   columns       |A|A|B|B|B|C|D|
 *   count         |1|2|1|1|1|2|1|
 *
 * If there are fewer checkpoints than pixels, they are found in the sorted lane by binary search; else the levels of
 * detail are read. So a frame costs by the pixels in view.
 */
import type { CheckpointColumns } from '../capture/checkpoint-columns';
import type { TimeWindow } from '../statistics/statistics';
import { codeOfDuration } from './duration-levels';
import { findFirstFrom, type Lane } from './lane-index';
import { BINS_A_PARENT, buildLevels, chooseLevel, type BinLevel, type LaneLevels } from './lane-levels';
import {
  columnMs,
  findFirstBin,
  findLastBin,
  reachesInto,
  type PixelGrid,
  type ViewGrids,
} from './pixel-grid';

/** What the pixel columns of a lane show. The caller owns the codes, and they are filled again each frame. */
export interface LanePicture {
  /** For each column, the code of the longest checkpoint that touches it; 0 if there is none, and on a seam. */
  readonly codes: Uint8Array;
  /** Where its checkpoints lie on the columns; null if the lane has none. */
  grid: PixelGrid | null;
}

/** Neighbouring columns with the same code; the end is excluded. */
interface CodeRun {
  readonly from: number;
  readonly end: number;
  readonly code: number;
}

/**
 * How many levels of detail may still be rebuilt for another recovery interval during this frame, counted in
 * checkpoints. Lanes beyond the budget are read checkpoint by checkpoint once more.
 */
export interface BuildBudget {
  rows: number;
  /** Whether a lane has to wait for the next frame. */
  exceeded: boolean;
}

/** An empty picture for a view of this many device pixels. */
export function createLanePicture(columns: number): LanePicture {
  return { codes: new Uint8Array(columns), grid: null };
}

/** Fills a picture with one lane as a view shows it. Without a lane the picture is empty. */
export function reduceLane(
  columns: CheckpointColumns,
  lane: Lane | undefined,
  grids: ViewGrids,
  picture: LanePicture,
  recoveryIntervalMs: number,
  budget: BuildBudget,
): void {
  picture.codes.fill(0);
  picture.grid = null;
  if (!lane) return;
  prepareLevels(columns, lane, recoveryIntervalMs, budget);
  const { levels } = lane;
  const chosen =
    levels?.recoveryIntervalMs === recoveryIntervalMs ? chooseLevel(levels, columnMs(grids.view)) : null;
  picture.grid = chosen ? grids.of(chosen.binMs) : grids.fine;
  if (levels && chosen) reduceLevel(columns, lane, levels, chosen.at, picture.grid, picture.codes);
  else reduceRows(columns, lane, picture.grid, picture.codes, recoveryIntervalMs);
}

function prepareLevels(
  columns: CheckpointColumns,
  lane: Lane,
  recoveryIntervalMs: number,
  budget: BuildBudget,
): void {
  if (!lane.levels || lane.levels.recoveryIntervalMs === recoveryIntervalMs) return;
  if (budget.rows <= 0) {
    budget.exceeded = true;
    return;
  }
  budget.rows -= lane.count;
  lane.levels = buildLevels(lane, columns, recoveryIntervalMs);
}

function reduceLevel(
  columns: CheckpointColumns,
  lane: Lane,
  levels: LaneLevels,
  at: number,
  grid: PixelGrid,
  codes: Uint8Array,
): void {
  reduceBins(levels.levels[at]!, grid, codes);
  const { base, binMs, edges, view } = grid;
  const raise = (column: number, part: TimeWindow): void => {
    codes[column] = raiseByPart(columns, lane, levels, at, part, codes[column]!);
  };
  raise(0, { beginUtcMs: view.beginUtcMs, endUtcMs: (base + 1) * binMs });
  raise(view.columns - 1, {
    beginUtcMs: (base + edges[view.columns]! - 1) * binMs,
    endUtcMs: view.endUtcMs,
  });
}

/**
 * Raises a code to that of the longest checkpoint that reaches into a part of a bin, as the view has it at its edges.
 * Bins of finer levels tell it, and within a bin of the finest the checkpoints themselves.
 */
function raiseByPart(
  columns: CheckpointColumns,
  lane: Lane,
  levels: LaneLevels,
  at: number,
  part: TimeWindow,
  code: number,
): number {
  const { beginUtcMs, endUtcMs } = part;
  const { bins, firstBin } = levels.levels[at]!;
  const binMs = levels.finestMs * BINS_A_PARENT ** at;
  const most = bins[Math.floor(beginUtcMs / binMs) - firstBin] ?? 0;
  if (most <= code || endUtcMs - beginUtcMs === binMs) return Math.max(most, code);
  let raised = code;
  if (at > 0) {
    const finerMs = binMs / BINS_A_PARENT;
    for (let from = beginUtcMs, to = from; from < endUtcMs; from = to) {
      to = Math.min(endUtcMs, (Math.floor(from / finerMs) + 1) * finerMs);
      raised = raiseByPart(columns, lane, levels, at - 1, { beginUtcMs: from, endUtcMs: to }, raised);
    }
    return raised;
  }
  const codeOf = (durationMs: number): number => codeOfDuration(durationMs, levels.recoveryIntervalMs);
  for (let place = findFirstFrom(lane, columns, endUtcMs) - 1; place >= 0 && raised < most; place--) {
    const begin = columns.beginUtcMs[lane.rows[place]!]!;
    const durationMs = columns.durationMs[lane.rows[place]!]!;
    // Whichever begins so long before would have to be longer than all that touch the bin.
    const agoMs = Math.floor(beginUtcMs - begin);
    if (agoMs > lane.longestMs || (agoMs > 0 && codeOf(agoMs) > most)) break;
    if (reachesInto(part, begin, durationMs)) raised = Math.max(raised, codeOf(durationMs));
  }
  return raised;
}

/**
 * All bins but the first and the last. There are no seams here: a bin does not tell where one checkpoint ends and the
 * next begins.
 */
function reduceBins(
  { bins, firstBin }: BinLevel,
  { base, edges, columnOfBin, fourBins, view }: PixelGrid,
  codes: Uint8Array,
): void {
  const offset = base - firstBin;
  const from = Math.max(1, -offset);
  const end = Math.min(edges[view.columns]! - 1, bins.length - offset);
  if (from >= end) return;
  const firstWhole = columnOfBin[from]! + 1;
  const endOfWhole = columnOfBin[end - 1]!;
  const byFour = fourBins !== null && firstWhole < endOfWhole;
  if (byFour) reduceByFour(bins, offset, fourBins, codes, firstWhole, endOfWhole);
  for (let bin = from; bin < end; bin++) {
    if (byFour && bin === edges[firstWhole]) bin = edges[endOfWhole]!;
    const column = columnOfBin[bin]!;
    if (bins[bin + offset]! > codes[column]!) codes[column] = bins[bin + offset]!;
  }
}

/**
 * Has no branch: it cannot be foreseen which of two codes is larger, and a wrong guess of the processor costs more than
 * all the rest.
 */
function reduceByFour(
  bins: Uint8Array,
  offset: number,
  fourBins: Int32Array,
  codes: Uint8Array,
  first: number,
  end: number,
): void {
  for (let column = first, i = 4 * first; column < end; column++, i += 4) {
    const a = Math.max(bins[fourBins[i]! + offset]!, bins[fourBins[i + 1]! + offset]!);
    const b = Math.max(bins[fourBins[i + 2]! + offset]!, bins[fourBins[i + 3]! + offset]!);
    codes[column] = Math.max(a, b);
  }
}

function reduceRows(
  columns: CheckpointColumns,
  lane: Lane,
  grid: PixelGrid,
  codes: Uint8Array,
  recoveryIntervalMs: number,
): void {
  const { beginUtcMs, durationMs } = columns;
  const { edges, columnOfBin, view } = grid;
  const lastInView = edges[view.columns]! - 1;
  const wide: number[] = [];
  for (let at = findFirstFrom(lane, columns, view.beginUtcMs - lane.longestMs); at < lane.count; at++) {
    const row = lane.rows[at]!;
    if (beginUtcMs[row]! >= view.endUtcMs) break;
    if (!reachesInto(view, beginUtcMs[row]!, durationMs[row]!)) continue;
    const firstBin = findFirstBin(grid, beginUtcMs[row]!);
    const lastBin = findLastBin(grid, beginUtcMs[row]! + durationMs[row]!, firstBin);
    const first = columnOfBin[Math.max(0, firstBin)]!;
    const last = columnOfBin[Math.min(lastBin, lastInView)]!;
    const code = codeOfDuration(durationMs[row]!, recoveryIntervalMs);
    for (let column = first; column <= last; column++) if (codes[column]! < code) codes[column] = code;
    if (last - first >= NARROWEST_WITH_SEAM - 1) wide.push(first, last, code);
  }
  cutSeams(codes, wide);
}

const NARROWEST_WITH_SEAM = 3;

/**
 * If a wide bar touches the one before it, the later bar gives up its first pixel, so that the two can be told apart.
 * @param wide first column, last column and code of each wide bar, in order of begin
 */
function cutSeams(codes: Uint8Array, wide: readonly number[]): void {
  for (let i = 0; i < wide.length; i += 3) {
    const first = wide[i]!;
    const code = wide[i + 2]!;
    const isShown = codes[first] === code && codes[first + 1] === code;
    const touches = first > 0 && codes[first - 1]! > 0;
    const isCovered = i > 0 && wide[i - 2]! >= first && wide[i - 1]! >= code;
    if (isShown && touches && !isCovered) codes[first] = 0;
  }
}

/**
 * The longest checkpoint that touches a column (of equals the one that began first), and how many touch it; null if
 * none does.
 */
export function findWorst(
  columns: CheckpointColumns,
  lane: Lane,
  grid: PixelGrid,
  column: number,
): { readonly row: number; readonly count: number } | null {
  const { beginUtcMs, durationMs } = columns;
  const firstBin = grid.edges[column]!;
  const endBin = grid.edges[column + 1]!;
  let worst = -1;
  let count = 0;
  for (
    let at = findFirstFrom(lane, columns, (grid.base + firstBin) * grid.binMs - lane.longestMs);
    at < lane.count;
    at++
  ) {
    const row = lane.rows[at]!;
    const first = findFirstBin(grid, beginUtcMs[row]!);
    if (first >= endBin) break;
    if (!reachesInto(grid.view, beginUtcMs[row]!, durationMs[row]!)) continue;
    if (findLastBin(grid, beginUtcMs[row]! + durationMs[row]!, first) < firstBin) continue;
    count++;
    if (worst < 0 || durationMs[row]! > durationMs[worst]!) worst = row;
  }
  return worst < 0 ? null : { row: worst, count };
}

/** The picture as runs of columns with one code, for drawings made of shapes instead of pixels. */
export function listRuns(codes: Uint8Array): readonly CodeRun[] {
  const runs: CodeRun[] = [];
  for (let from = 0; from < codes.length;) {
    let end = from + 1;
    while (end < codes.length && codes[end] === codes[from]) end++;
    if (codes[from]! > 0) runs.push({ from, end, code: codes[from]! });
    from = end;
  }
  return runs;
}
