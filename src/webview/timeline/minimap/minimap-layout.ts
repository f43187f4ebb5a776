/**
 * The whole time at a glance: a bar for every few pixels, as high as the checkpoint task was busy, in the colour of the
 * longest checkpoint. Device pixels from the left of the plot.
 *
 *   ▄▅▇▆▅      ▅▆▄▂▁▁▁
 *      └──lens──┘
 */
import { levelOfDuration } from '../../../core/timeline/duration-levels';
import type { TimeWindow } from '../../../core/statistics/statistics';
import { keepInside, spanOf } from '../../model/time-window';

/** CSS pixels from one bar to the next, and between them. */
const PITCH_PX = 3;
const GAP_PX = 1;
/** A bar with a checkpoint in it is at least this high. */
const LEAST_SHARE = 0.1;

interface OverviewParts {
  /** Longest checkpoint, milliseconds; -1: none. */
  readonly longestMs: ArrayLike<number>;
  readonly busyMs: ArrayLike<number>;
  /** 0: not observed. */
  readonly observedMs: ArrayLike<number>;
}

export interface OverviewBar {
  readonly x: number;
  readonly width: number;
  readonly height: number;
  /** Step of colour. */
  readonly level: number;
}

/** How many bars fit on a plot of this many device pixels. */
export const countParts = (plotWidth: number, pixelRatio: number): number =>
  Math.max(1, Math.floor(plotWidth / pitchOf(pixelRatio)));

const pitchOf = (pixelRatio: number): number => Math.max(2, Math.round(PITCH_PX * pixelRatio));

/**
 * The bars of all parts with a checkpoint. Parts are spread over the whole width, so that each bar stands at its time.
 */
export function layoutOverview(
  parts: OverviewParts,
  plotWidth: number,
  height: number,
  pixelRatio: number,
): readonly OverviewBar[] {
  const count = parts.longestMs.length;
  const gap = Math.max(1, Math.round(GAP_PX * pixelRatio));
  const bars: OverviewBar[] = [];
  for (let part = 0; part < count; part++) {
    const longest = parts.longestMs[part]!;
    if (longest < 0) continue;
    const x = Math.round((part * plotWidth) / count);
    const width = Math.max(1, Math.round(((part + 1) * plotWidth) / count) - x - gap);
    const observed = parts.observedMs[part]!;
    const share = observed > 0 ? Math.min(1, parts.busyMs[part]! / observed) : 0;
    bars.push({
      x,
      width,
      height: Math.max(1, Math.round(Math.max(LEAST_SHARE, share) * height)),
      level: levelOfDuration(longest),
    });
  }
  return bars;
}

/** CSS pixels: a narrower lens could not be gripped. */
const LEAST_LENS_PX = 10;

/** Left and right edge in CSS pixels of the plot. */
type Edges = readonly [leftPx: number, rightPx: number];

/**
 * Where the lens lies. If it has to be wider than its window, it still touches an end of the plot if the window does,
 * as on a scroll bar.
 */
export function placeLens(window: TimeWindow, bounds: TimeWindow, widthPx: number): Edges {
  const wide = Math.min(widthPx, Math.max(LEAST_LENS_PX, (spanOf(window) / spanOf(bounds)) * widthPx));
  const left = shareBefore(window, bounds) * (widthPx - wide);
  return [left, left + wide];
}

/** Where a window lies in the bounds: 0 at the begin, 1 at the end. */
function shareBefore(window: TimeWindow, bounds: TimeWindow): number {
  const room = spanOf(bounds) - spanOf(window);
  return room > 0 ? (window.beginUtcMs - bounds.beginUtcMs) / room : 0;
}

/** The window and the lens at the moment the lens was gripped. */
export interface Grip {
  readonly window: TimeWindow;
  readonly edges: Edges;
}

/** The window of a lens that was moved as a whole; the span stays. */
export function moveLens(
  [leftPx, rightPx]: Edges,
  { window }: Grip,
  bounds: TimeWindow,
  widthPx: number,
): TimeWindow {
  const room = widthPx - (rightPx - leftPx);
  const begin = bounds.beginUtcMs + (room > 0 ? leftPx / room : 0) * (spanOf(bounds) - spanOf(window));
  return keepInside({ beginUtcMs: begin, endUtcMs: begin + spanOf(window) }, bounds);
}

/**
 * The window of a lens whose edges were moved, or that was drawn again. An unmoved edge keeps its moment, even if the
 * lens is wider than its window.
 */
export function resizeLens(
  [leftPx, rightPx]: Edges,
  { window, edges }: Grip,
  bounds: TimeWindow,
  widthPx: number,
): TimeWindow {
  const momentOf = (px: number): number => bounds.beginUtcMs + (px / widthPx) * spanOf(bounds);
  const beginUtcMs = leftPx === edges[0] ? window.beginUtcMs : momentOf(leftPx);
  const endUtcMs = rightPx === edges[1] ? window.endUtcMs : momentOf(rightPx);
  return keepInside(
    { beginUtcMs: Math.min(beginUtcMs, endUtcMs), endUtcMs: Math.max(beginUtcMs, endUtcMs) },
    bounds,
  );
}
