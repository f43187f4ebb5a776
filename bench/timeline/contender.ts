/** What every contender gets and gives: the same checkpoints, lanes and window, in a frame of the same size. */
import type { CheckpointColumns } from '../../src/core/capture/checkpoint-columns';
import type { TimeWindow } from '../../src/core/statistics/statistics';
import { BEGIN_UTC_MS, STEP_MS } from '../checkpoints';

export interface TimelineData {
  readonly columns: CheckpointColumns;
  /** All of them are in view at once. */
  readonly lanes: number;
  /** From the begin of the first checkpoint to that of the last. */
  readonly window: TimeWindow;
}

export interface Drawn {
  /** Draws the window, moved by a share of its width from its first place. */
  pan(share: number): void;
}

/** Draws the data into an empty frame of 1600 x 1000. */
export type Draw = (frame: HTMLElement, data: TimelineData) => Drawn;

export const LANES = 500;
export const WIDTH_PX = 1600;
export const HEIGHT_PX = 1000;

/** Space around the bars for names and the axis, in CSS pixels. */
export const MARGIN_PX = { left: 120, right: 14, bottom: 24 } as const;
export const PLOT_WIDTH_PX = WIDTH_PX - MARGIN_PX.left - MARGIN_PX.right;
export const PLOT_HEIGHT_PX = HEIGHT_PX - MARGIN_PX.bottom;

/** The window in which the checkpoints of `makeCheckpoints` begin. */
export const windowOf = (rows: number): TimeWindow => ({
  beginUtcMs: BEGIN_UTC_MS,
  endUtcMs: BEGIN_UTC_MS + rows * STEP_MS,
});

/** The window moved to the right by a share of its width. */
export function moveWindow({ beginUtcMs, endUtcMs }: TimeWindow, share: number): TimeWindow {
  const by = (endUtcMs - beginUtcMs) * share;
  return { beginUtcMs: beginUtcMs + by, endUtcMs: endUtcMs + by };
}
