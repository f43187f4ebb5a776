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
  /**
   * Draws the window, moved by a share of its width from its first place. Resolves once the browser has the whole new
   * picture.
   */
  pan(share: number): void | Promise<void>;
}

/** Draws the data into an empty frame of 1600 x 1000. Resolves once the browser has the whole picture. */
export type Draw = (frame: HTMLElement, data: TimelineData) => Drawn | Promise<Drawn>;

export const LANES = 500;
export const WIDTH_PX = 1600;
export const HEIGHT_PX = 1000;

/** Space around the bars for names and the axis, in CSS pixels. */
export const MARGIN_PX = { left: 120, right: 14, bottom: 24 } as const;
export const PLOT_WIDTH_PX = WIDTH_PX - MARGIN_PX.left - MARGIN_PX.right;
export const PLOT_HEIGHT_PX = HEIGHT_PX - MARGIN_PX.bottom;

/** Colours of durations from short to long. A library that colours a series, not a datum, gets one series for each. */
export const COLOURS = [
  '#3d6c9c',
  '#3386b0',
  '#3aa5a6',
  '#86b95f',
  '#e0b83e',
  '#ef8a3a',
  '#ff5a4e',
  '#ffffff',
] as const;

/** Index of the colour of a duration. Each colour covers half a decade, from 10 ms. */
export function bandOf(durationMs: number): number {
  return Math.min(COLOURS.length - 1, Math.max(0, Math.floor(2 * Math.log10(Math.max(1, durationMs / 10)))));
}

export const nameLane = (lane: number): string => `Database_${String(lane).padStart(3, '0')}`;

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

/** Rows by the band of their duration; the order in each band stays. */
export function sortIntoBands({ rows, durationMs }: CheckpointColumns): readonly Uint32Array[] {
  const counts = COLOURS.map(() => 0);
  for (let row = 0; row < rows; row++) counts[bandOf(durationMs[row]!)]!++;
  const bands = counts.map((count) => new Uint32Array(count));
  counts.fill(0);
  for (let row = 0; row < rows; row++) {
    const band = bandOf(durationMs[row]!);
    bands[band]![counts[band]!++] = row;
  }
  return bands;
}
