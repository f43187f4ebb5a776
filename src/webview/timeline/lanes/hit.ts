/**
 * What is under the pointer. It asks the grid that the lane was painted by, so the hover card never speaks of anything
 * else.
 */
import type { CheckpointColumns } from '../../../core/capture/checkpoint-columns';
import type { Lane } from '../../../core/timeline/lane-index';
import { findWorst } from '../../../core/timeline/pixel-columns';
import { columnMs, findTouchedColumns, type PixelGrid } from '../../../core/timeline/pixel-grid';

export interface Hit {
  /** Pixel column of the plot. */
  readonly column: number;
  /** Row of the longest checkpoint that touches the column. */
  readonly row: number;
  readonly count: number;
  /** Whether it is drawn wider than its duration: it is shorter than one device pixel. */
  readonly enlarged: boolean;
}

/**
 * The hit at a pixel column. If nothing is drawn there, the hit at the nearest drawn column within reach; of two
 * equally near, the left one.
 */
export function hitColumn(
  columns: CheckpointColumns,
  lane: Lane,
  grid: PixelGrid,
  column: number,
  reach: number,
): Hit | null {
  for (let away = 0; away <= reach; away++) {
    for (const at of away === 0 ? [column] : [column - away, column + away]) {
      const worst = at >= 0 && at < grid.view.columns ? findWorst(columns, lane, grid, at) : null;
      if (worst) return { column: at, ...worst, enlarged: isEnlarged(grid, columns.durationMs[worst.row]!) };
    }
  }
  return null;
}

/** Whether a checkpoint of this duration is shorter than one device pixel of the view. */
const isEnlarged = ({ view }: PixelGrid, durationMs: number): boolean => durationMs < columnMs(view);

/**
 * The hit of a checkpoint that the keyboard has reached, counted at the middle of its bar; null if it is out of view.
 */
export function hitRow(
  columns: CheckpointColumns,
  lane: Lane,
  grid: PixelGrid,
  row: number,
): (Hit & { readonly from: number; readonly end: number }) | null {
  const touched = findTouchedColumns(grid, columns.beginUtcMs[row]!, columns.durationMs[row]!);
  if (!touched) return null;
  const column = (touched.first + touched.last) >>> 1;
  const worst = findWorst(columns, lane, grid, column);
  return {
    column,
    row,
    // The card calls it the longest of them.
    count: worst?.row === row ? worst.count : 1,
    enlarged: isEnlarged(grid, columns.durationMs[row]!),
    from: touched.first,
    end: touched.last + 1,
  };
}
