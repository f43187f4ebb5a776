/**
 * Where things of the timeline lie, in device pixels, so that every edge is crisp at any device-pixel ratio.
 *
 *   |  label  |  plot                                         |
 *   |     dbA |  ▌ ▌▌    ▐▌                                   |  lane 0
 *   |     dbB |      ▌         ▌                              |  lane 1   only lanes in view are painted
 */
import type { LaneHeight } from '../view-state';

export interface TimelineSize {
  /** CSS pixels of the part that shows lanes. */
  readonly widthPx: number;
  readonly heightPx: number;
  readonly pixelRatio: number;
  readonly laneCount: number;
  /** CSS pixels scrolled down. */
  readonly scrollTopPx: number;
  /** CSS pixels of the widest database name. */
  readonly widestNamePx: number;
  readonly laneHeight: LaneHeight;
}

export interface TimelineLayout {
  readonly pixelRatio: number;
  /** Device pixels. */
  readonly width: number;
  readonly height: number;
  readonly plotLeft: number;
  readonly plotWidth: number;
  readonly laneHeight: number;
  readonly scrollTop: number;
  /** First lane in view, and the one after the last. */
  readonly firstLane: number;
  readonly endLane: number;
}

/** CSS pixels. */
const LANE_HEIGHT_PX = 20;
const COMPACT_LANE_HEIGHT_PX = 10;
const PLOT_RIGHT_PX = 14;
const LABEL_PADDING_PX = 22;
const NARROWEST_LABEL_PX = 72;
const WIDEST_LABEL_PX = 208;

/** Room for names: as wide as the widest name needs, within a quarter of the width (which a 400 pixel wide pane needs for the plot). */
export function labelWidthPx(widthPx: number, widestNamePx: number): number {
  const most = Math.max(NARROWEST_LABEL_PX, Math.min(WIDEST_LABEL_PX, widthPx * 0.26));
  return Math.round(Math.min(most, Math.max(NARROWEST_LABEL_PX, widestNamePx + LABEL_PADDING_PX)));
}

/** Device pixels: lanes lower than this cannot be told from each other. */
const LOWEST_LANE = 2;

/** Height of a lane in whole device pixels; `all` is as high as needed for all lanes to fit, and never higher than `normal`. */
export function layoutLaneHeight({
  laneHeight,
  pixelRatio,
  heightPx,
  laneCount,
}: Omit<TimelineSize, 'widthPx' | 'scrollTopPx' | 'widestNamePx'>): number {
  const normal = Math.round(LANE_HEIGHT_PX * pixelRatio);
  if (laneHeight === 'normal') return normal;
  if (laneHeight === 'compact') return Math.round(COMPACT_LANE_HEIGHT_PX * pixelRatio);
  return Math.min(normal, Math.max(LOWEST_LANE, Math.floor(Math.round(heightPx * pixelRatio) / Math.max(1, laneCount))));
}

/** Lays out the timeline. Widths are never below one pixel, so that a window of no size divides by nothing. */
export function layoutTimeline(size: TimelineSize): TimelineLayout {
  const ratio = size.pixelRatio;
  const width = Math.max(1, Math.round(size.widthPx * ratio));
  const height = Math.max(1, Math.round(size.heightPx * ratio));
  const plotLeft = Math.round(labelWidthPx(size.widthPx, size.widestNamePx) * ratio);
  const laneHeight = layoutLaneHeight(size);
  const scrollTop = Math.round(size.scrollTopPx * ratio);
  return {
    pixelRatio: ratio,
    width,
    height,
    plotLeft,
    plotWidth: Math.max(1, width - plotLeft - Math.round(PLOT_RIGHT_PX * ratio)),
    laneHeight,
    scrollTop,
    firstLane: Math.max(0, Math.min(size.laneCount, Math.floor(scrollTop / laneHeight))),
    endLane: Math.max(0, Math.min(size.laneCount, Math.ceil((scrollTop + height) / laneHeight))),
  };
}

/** Top of a lane in device pixels. */
export const laneTop = (layout: TimelineLayout, lane: number): number => lane * layout.laneHeight - layout.scrollTop;

/** The lane at a height in CSS pixels, or null below the last. */
export function laneAt(layout: TimelineLayout, yPx: number, laneCount: number): number | null {
  const lane = Math.floor((yPx * layout.pixelRatio + layout.scrollTop) / layout.laneHeight);
  return lane >= 0 && lane < laneCount ? lane : null;
}

/** How far to scroll, in CSS pixels, so that a lane is whole in view; the present position where it is. */
export function scrollToLane(lane: number, scrollTopPx: number, heightPx: number, laneHeightPx: number): number {
  const top = lane * laneHeightPx;
  if (top < scrollTopPx) return top;
  return top + laneHeightPx > scrollTopPx + heightPx ? top + laneHeightPx - heightPx : scrollTopPx;
}
