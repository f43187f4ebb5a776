/**
 * Where moments lie on the pixel columns of a view. All that draws, counts or points at checkpoints uses this. Time is
 * cut into bins of a power of two of milliseconds, no wider than a pixel column. A bin belongs to the column in which
 * it begins, and one that begins before the view to the first. A checkpoint that reaches into the view belongs to each
 * bin it touches.
 *
 *   checkpoint       ███████████▌
 *   bins         |   |   |   |   |   |   |   |   |    on absolute time, so that panning by a column moves the picture by a column
 *   columns      :A        :B        :C        :D     the checkpoint is drawn in A and B
 *
 * So nothing in view is lost, nothing else is drawn, and no edge is further from its place than the width of a bin.
 */
import type { TimeWindow } from '../statistics/statistics';

/** A half-open window of time spread evenly over whole device pixels. */
export interface PixelView {
  readonly beginUtcMs: number;
  readonly endUtcMs: number;
  readonly columns: number;
}

/** Bins of one width over a view. Bin 0 is the one in which the view begins. */
export interface PixelGrid {
  readonly view: PixelView;
  /** Width of a bin: a power of two. */
  readonly binMs: number;
  /** How many bins from 1970-01-01T00:00:00Z to bin 0. */
  readonly base: number;
  /** First bin of each column; after the last column, the first bin that is out of view. */
  readonly edges: Int32Array;
  /** Column of each bin. */
  readonly columnOfBin: Int32Array;
  /** Four bins of each column but the first: together all of its bins, some of them twice; null if one has more. */
  readonly fourBins: Int32Array | null;
}

export const columnMs = (view: PixelView): number => (view.endUtcMs - view.beginUtcMs) / view.columns;

/** For checkpoints that are read one by one: edges are at most a quarter of a pixel off. */
export const fineBinMs = (view: PixelView): number => 2 ** Math.floor(Math.log2(columnMs(view) / 4));

/** Lays bins over a view. @param binMs a power of two, at most the width of a pixel column */
export function createPixelGrid(view: PixelView, binMs: number): PixelGrid {
  const { columns, beginUtcMs, endUtcMs } = view;
  const base = Math.floor(beginUtcMs / binMs);
  const phaseMs = beginUtcMs - base * binMs;
  const spanMs = endUtcMs - beginUtcMs;
  const edges = new Int32Array(columns + 1);
  for (let column = 1; column < columns; column++)
    edges[column] = Math.ceil((phaseMs + (column * spanMs) / columns) / binMs);
  edges[columns] = Math.ceil(endUtcMs / binMs) - base;
  const columnOfBin = new Int32Array(edges[columns]);
  for (let column = 0; column < columns; column++) columnOfBin.fill(column, edges[column], edges[column + 1]);
  return { view, binMs, base, edges, columnOfBin, fourBins: listFourBins(edges) };
}

function listFourBins(edges: Int32Array): Int32Array | null {
  const bins = new Int32Array(4 * (edges.length - 1));
  for (let column = 1; column < edges.length - 1; column++) {
    const last = edges[column + 1]! - 1;
    if (last < edges[column]! || last > edges[column]! + 3) return null;
    for (let i = 0; i < 4; i++) bins[4 * column + i] = Math.min(edges[column]! + i, last);
  }
  return bins;
}

/** The first bin that a checkpoint touches. */
export const findFirstBin = ({ binMs, base }: PixelGrid, beginUtcMs: number): number =>
  Math.floor(beginUtcMs / binMs) - base;

/**
 * The last bin that a checkpoint touches; one without duration touches one bin.
 * @param first the first bin that it touches
 */
export const findLastBin = ({ binMs, base }: PixelGrid, endUtcMs: number, first: number): number =>
  Math.max(first, Math.ceil(endUtcMs / binMs) - 1 - base);

/** Whether a checkpoint reaches into a window; one without duration is in it at its moment. */
export const reachesInto = (window: TimeWindow, beginUtcMs: number, durationMs: number): boolean =>
  beginUtcMs < window.endUtcMs &&
  (beginUtcMs >= window.beginUtcMs || beginUtcMs + durationMs > window.beginUtcMs);

/** The pixel columns from `first` to `last`, both included, of a drawn checkpoint; null if it is out of view. */
export function findTouchedColumns(
  grid: PixelGrid,
  beginUtcMs: number,
  durationMs: number,
): { readonly first: number; readonly last: number } | null {
  const { edges, columnOfBin, view } = grid;
  if (!reachesInto(view, beginUtcMs, durationMs)) return null;
  const firstBin = findFirstBin(grid, beginUtcMs);
  const lastBin = findLastBin(grid, beginUtcMs + durationMs, firstBin);
  return {
    first: columnOfBin[Math.max(0, firstBin)]!,
    last: columnOfBin[Math.min(lastBin, edges[view.columns]! - 1)]!,
  };
}

/** The grids that the lanes of one frame share. */
export class ViewGrids {
  private readonly grids = new Map<number, PixelGrid>();

  constructor(readonly view: PixelView) {}

  /** For lanes that are read checkpoint by checkpoint. */
  get fine(): PixelGrid {
    return this.of(fineBinMs(this.view));
  }

  of(binMs: number): PixelGrid {
    const known = this.grids.get(binMs);
    if (known) return known;
    const grid = createPixelGrid(this.view, binMs);
    this.grids.set(binMs, grid);
    return grid;
  }
}
