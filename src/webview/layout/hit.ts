/** What is under the pointer: the picture that was painted answers, so the hover card never speaks of anything else. */
import type { CheckpointColumns } from '../../core/capture/checkpoint-columns';
import { findTouchedColumns, type LanePicture, type PixelView } from '../../core/picture/pixel-columns';

export interface Hit {
  /** Pixel column of the plot. */
  readonly column: number;
  /** Row of the longest checkpoint that touches the column. */
  readonly row: number;
  readonly count: number;
  /** Whether it is drawn wider than it is: shorter than one device pixel. */
  readonly enlarged: boolean;
}

/** The hit at a pixel column or, where nothing is drawn there, at the nearest drawn column within the reach; the left one of two. */
export function hitColumn(picture: LanePicture, columns: CheckpointColumns, view: PixelView, column: number, reach: number): Hit | null {
  for (let away = 0; away <= reach; away++) {
    for (const at of away === 0 ? [column] : [column - away, column + away]) {
      const row = picture.worst[at] ?? -1;
      if (row >= 0) return { column: at, row, count: picture.count[at]!, enlarged: isEnlarged(view, columns.durationMs[row]!) };
    }
  }
  return null;
}

/** Whether a checkpoint of this duration is shorter than one device pixel of the view. */
export function isEnlarged(view: PixelView, durationMs: number): boolean {
  return durationMs < (view.endUtcMs - view.beginUtcMs) / view.columns;
}

/** The hit of one checkpoint as reached by the keyboard, counted at the middle of what is drawn of it; null where it is out of view. */
export function hitRow(
  picture: LanePicture,
  columns: CheckpointColumns,
  view: PixelView,
  row: number,
): (Hit & { readonly from: number; readonly end: number }) | null {
  const touched = findTouchedColumns(view, columns.beginUtcMs[row]!, columns.durationMs[row]!);
  const from = Math.max(0, touched.first);
  const last = Math.min(picture.worst.length - 1, touched.last);
  if (from > last) return null;
  const column = (from + last) >>> 1;
  return { column, row, count: picture.count[column]!, enlarged: isEnlarged(view, columns.durationMs[row]!), from, end: last + 1 };
}
