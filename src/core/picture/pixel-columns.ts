/**
 * One lane reduced to the pixel columns of a screen, keeping the maximum: whatever the zoom, the longest checkpoint that touches a column is the one
 * the column shows, with the number of checkpoints that touch it.
 *
 *   checkpoints   ████        ██  ▌                    time
 *                   ▌▌▌▌▌▌▌▌▌
 *   columns       |A|A|B|B|B|C|D|
 *   count         |1|2|1|1|1|2|1|
 *
 * It goes straight to the sorted lane by binary search, so a frame costs by the checkpoints in view of the lanes in view.
 */
import type { CheckpointColumns } from '../capture/checkpoint-columns';
import { findFirstFrom, type Lane } from './lane-index';

/** A half-open window of time spread evenly over whole device pixels. */
export interface PixelView {
  readonly beginUtcMs: number;
  readonly endUtcMs: number;
  readonly columns: number;
}

/** What each pixel column of a lane shows. Owned by the caller and filled again each frame. */
export interface LanePicture {
  /** Row of the longest checkpoint that touches the column; -1 where there is none. Of equals, the one that began first. */
  readonly worst: Int32Array;
  /** How many checkpoints touch the column. */
  readonly count: Uint32Array;
}

/** An empty picture for a view of so many device pixels. */
export function createLanePicture(columns: number): LanePicture {
  return { worst: new Int32Array(columns).fill(-1), count: new Uint32Array(columns) };
}

/** The pixel columns from `first` to `last`, both included, that a checkpoint touches; at least one, and not cut to the view. */
export function findTouchedColumns(view: PixelView, beginUtcMs: number, durationMs: number): { first: number; last: number } {
  const span = view.endUtcMs - view.beginUtcMs;
  const begin = beginUtcMs - view.beginUtcMs;
  // Multiplied first: an edge that lies exactly between two columns then divides exactly.
  const first = Math.floor((begin * view.columns) / span);
  const last = Math.max(first, Math.ceil(((begin + durationMs) * view.columns) / span) - 1);
  return { first, last };
}

/** Fills a picture with one lane as seen in a view. Without a lane the picture is empty. */
export function reduceLane(columns: CheckpointColumns, lane: Lane | undefined, view: PixelView, picture: LanePicture): void {
  picture.worst.fill(-1);
  picture.count.fill(0);
  if (!lane) return;
  const { beginUtcMs, durationMs } = columns;
  for (let at = findFirstFrom(lane, columns, view.beginUtcMs - lane.longestMs); at < lane.count; at++) {
    const row = lane.rows[at]!;
    if (beginUtcMs[row]! >= view.endUtcMs) break;
    markColumns(picture, durationMs, row, findTouchedColumns(view, beginUtcMs[row]!, durationMs[row]!));
  }
}

function markColumns(picture: LanePicture, durationMs: Uint32Array, row: number, touched: { first: number; last: number }): void {
  const last = Math.min(touched.last, picture.worst.length - 1);
  for (let column = Math.max(0, touched.first); column <= last; column++) {
    const shown = picture.worst[column]!;
    if (shown < 0 || durationMs[row]! > durationMs[shown]!) picture.worst[column] = row;
    picture.count[column]!++;
  }
}
