/**
 * Where the parts of the timeline lie, in device pixels, so that every edge is crisp at any device-pixel ratio.
 *
 *   |  label  |  plot                                         |
 *   |     dbA |  ▌ ▌▌    ▐▌                                   |  lane 0
 *   |     dbB |      ▌         ▌                              |  lane 1   pinned lanes stay in view
 *   |---------+-----------------------------------------------|
 *   |     dbX |   ▌    ▌                                      |  lane 23  the others scroll under them; only lanes in view are painted
 */
import type { LaneHeight } from '../../model/view-state';

interface TimelineSize {
  /** CSS pixels of the part that shows lanes. */
  readonly widthPx: number;
  readonly heightPx: number;
  readonly pixelRatio: number;
  readonly laneCount: number;
  /** How many lanes are pinned: the first ones. */
  readonly pinnedLanes: number;
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
  /** How many pinned lanes stay in view at the top: only as many as fill half of the height. */
  readonly fixedLanes: number;
  /** Of the lanes that scroll: the first in view, and the one after the last in view. */
  readonly firstLane: number;
  readonly endLane: number;
}

const LANE_HEIGHT_PX = 20;
const COMPACT_LANE_HEIGHT_PX = 10;
const PLOT_RIGHT_PX = 14;
const LABEL_PADDING_PX = 22;
const NARROWEST_LABEL_PX = 72;
const WIDEST_LABEL_PX = 208;

/**
 * Room for names: as wide as the widest name, but at most a quarter of the width (in a pane of 400 pixels the plot
 * needs the rest).
 */
export function labelWidthPx(widthPx: number, widestNamePx: number): number {
  const most = Math.max(NARROWEST_LABEL_PX, Math.min(WIDEST_LABEL_PX, widthPx * 0.26));
  return Math.round(Math.min(most, Math.max(NARROWEST_LABEL_PX, widestNamePx + LABEL_PADDING_PX)));
}

/** Device pixels: lanes lower than this cannot be told from each other. */
const LOWEST_LANE = 2;

/** Height of a lane in whole device pixels. `all` lets all lanes fit and is never higher than `normal`. */
export function layoutLaneHeight({
  laneHeight,
  pixelRatio,
  heightPx,
  laneCount,
}: Omit<TimelineSize, 'widthPx' | 'scrollTopPx' | 'widestNamePx' | 'pinnedLanes'>): number {
  const normal = Math.round(LANE_HEIGHT_PX * pixelRatio);
  if (laneHeight === 'normal') return normal;
  if (laneHeight === 'compact') return Math.round(COMPACT_LANE_HEIGHT_PX * pixelRatio);
  return Math.min(
    normal,
    Math.max(LOWEST_LANE, Math.floor(Math.round(heightPx * pixelRatio) / Math.max(1, laneCount))),
  );
}

/** The most of the height that pinned lanes keep from the others. */
const MOST_FIXED_SHARE = 0.5;

/** Lays out the timeline. Widths are at least one pixel, so that nothing is divided by zero. */
export function layoutTimeline(size: TimelineSize): TimelineLayout {
  const ratio = size.pixelRatio;
  const width = Math.max(1, Math.round(size.widthPx * ratio));
  const height = Math.max(1, Math.round(size.heightPx * ratio));
  const plotLeft = Math.round(labelWidthPx(size.widthPx, size.widestNamePx) * ratio);
  const laneHeight = layoutLaneHeight(size);
  const scrollTop = Math.round(size.scrollTopPx * ratio);
  const fixedLanes = Math.min(size.pinnedLanes, Math.floor((height * MOST_FIXED_SHARE) / laneHeight));
  const inScrolled = (lane: number): number => Math.max(fixedLanes, Math.min(size.laneCount, lane));
  return {
    pixelRatio: ratio,
    width,
    height,
    plotLeft,
    plotWidth: Math.max(1, width - plotLeft - Math.round(PLOT_RIGHT_PX * ratio)),
    laneHeight,
    scrollTop,
    fixedLanes,
    firstLane: inScrolled(Math.floor(scrollTop / laneHeight) + fixedLanes),
    endLane: inScrolled(Math.ceil((scrollTop + height) / laneHeight)),
  };
}

/** Top of a lane in device pixels. A scrolling lane may lie under pinned ones: see `laneCover`. */
export const laneTop = ({ laneHeight, scrollTop, fixedLanes }: TimelineLayout, lane: number): number =>
  lane * laneHeight - (lane < fixedLanes ? 0 : scrollTop);

/** Bottom of the lanes that do not scroll, in device pixels. */
export const fixedBottom = ({ fixedLanes, laneHeight }: TimelineLayout): number => fixedLanes * laneHeight;

/** How much of the top of a lane lies under lanes that do not scroll, in device pixels. */
export function laneCover(layout: TimelineLayout, lane: number): number {
  if (layout.fixedLanes === 0 || lane < layout.fixedLanes) return 0;
  return Math.min(layout.laneHeight, Math.max(0, fixedBottom(layout) - laneTop(layout, lane)));
}

/** The lanes in view, from the top. */
export const listLanesInView = ({ fixedLanes, firstLane, endLane }: TimelineLayout): readonly number[] => [
  ...Array.from({ length: fixedLanes }, (_, lane) => lane),
  ...Array.from({ length: endLane - firstLane }, (_, i) => firstLane + i),
];

/** The position of a lane among those in view; -1: it is not in view. */
export function placeInView({ fixedLanes, firstLane, endLane }: TimelineLayout, lane: number): number {
  if (lane < fixedLanes) return lane;
  return lane >= firstLane && lane < endLane ? fixedLanes + lane - firstLane : -1;
}

/** The lane at a height in CSS pixels; null below the last. */
export function laneAt(layout: TimelineLayout, yPx: number, laneCount: number): number | null {
  const lane = laneBelow(layout, yPx);
  return lane >= 0 && lane < laneCount ? lane : null;
}

/** The lane at or nearest to a height in CSS pixels. There must be a lane. */
export const nearestLane = (layout: TimelineLayout, yPx: number, laneCount: number): number =>
  Math.min(laneCount - 1, Math.max(0, laneBelow(layout, yPx)));

function laneBelow(layout: TimelineLayout, yPx: number): number {
  const y = yPx * layout.pixelRatio;
  const isFixed = layout.fixedLanes > 0 && y < fixedBottom(layout);
  return Math.floor((isFixed ? y : y + layout.scrollTop) / layout.laneHeight);
}

/**
 * Lines below the last pinned lane and below the last lane that does not scroll: device pixels, each line above that
 * height.
 */
export function layoutPinnedEdges(
  layout: TimelineLayout,
  pinnedLanes: number,
  laneCount: number,
): readonly number[] {
  if (pinnedLanes === 0) return [];
  const edges = new Set<number>();
  if (layout.scrollTop > 0) edges.add(fixedBottom(layout));
  if (pinnedLanes < laneCount)
    edges.add(Math.max(fixedBottom(layout), laneTop(layout, pinnedLanes - 1) + layout.laneHeight));
  return [...edges];
}

interface LaneScroll {
  readonly scrollTopPx: number;
  readonly heightPx: number;
  readonly laneHeightPx: number;
  readonly fixedLanes: number;
}

/** Where to scroll to, in CSS pixels, so that a lane is whole in view; the present position if it already is. */
export function scrollToLane(
  lane: number,
  { scrollTopPx, heightPx, laneHeightPx, fixedLanes }: LaneScroll,
): number {
  if (lane < fixedLanes) return scrollTopPx;
  const top = lane * laneHeightPx;
  const fixedPx = fixedLanes * laneHeightPx;
  if (top < scrollTopPx + fixedPx) return top - fixedPx;
  return top + laneHeightPx > scrollTopPx + heightPx ? top + laneHeightPx - heightPx : scrollTopPx;
}

/** CSS pixels from the left top corner of the lanes in view. */
export interface NamePlace {
  readonly topPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Font size; null is that of the page. */
  readonly typePx: number | null;
}

/** CSS pixels: lanes lower than the first have no room for names, lanes lower than the second have small names. */
const LOWEST_WITH_NAME_PX = 9.5;
const LOWEST_WITH_WHOLE_NAME_PX = 15;
const SMALL_TYPE_PX = 9;
const LONE_NAME_HEIGHT_PX = 16;
/** Share of a lane: if pinned lanes cover more of it, its name is left out. */
const MOST_COVERED_SHARE = 0.25;

const laneHeightPx = (layout: TimelineLayout): number => layout.laneHeight / layout.pixelRatio;

/** The lanes whose names are shown. In low lanes: the hovered one, and the selected one if it is not too near. */
export function listNamedLanes(
  layout: TimelineLayout,
  selectedLane: number | null,
  hoveredLane: number | null,
): readonly number[] {
  if (laneHeightPx(layout) >= LOWEST_WITH_NAME_PX)
    return listLanesInView(layout).filter(
      (lane) => laneCover(layout, lane) <= MOST_COVERED_SHARE * layout.laneHeight,
    );
  const isInView = (lane: number | null): lane is number => lane !== null && placeInView(layout, lane) >= 0;
  const hovered = isInView(hoveredLane) ? [hoveredLane] : [];
  const isFree = (lane: number): boolean =>
    hovered.every(
      (other) =>
        Math.abs(layoutName(layout, other).topPx - layoutName(layout, lane).topPx) >= LONE_NAME_HEIGHT_PX,
    );
  return isInView(selectedLane) && isFree(selectedLane) ? [...hovered, selectedLane] : hovered;
}

/**
 * The place of a name: its lane, or around the middle of a low lane; always inside the lanes in view and below pinned
 * lanes that cover it.
 */
export function layoutName(layout: TimelineLayout, lane: number): NamePlace {
  const { pixelRatio, plotLeft, height } = layout;
  const laneHeight = laneHeightPx(layout);
  const topPx = laneTop(layout, lane) / pixelRatio;
  const widthPx = plotLeft / pixelRatio;
  if (laneHeight >= LOWEST_WITH_NAME_PX)
    return {
      topPx,
      widthPx,
      heightPx: laneHeight,
      typePx: laneHeight < LOWEST_WITH_WHOLE_NAME_PX ? SMALL_TYPE_PX : null,
    };
  const middle = topPx + laneHeight / 2 - LONE_NAME_HEIGHT_PX / 2;
  const least = lane < layout.fixedLanes ? 0 : fixedBottom(layout) / pixelRatio;
  const inside = Math.min(Math.max(least, middle), Math.max(0, height / pixelRatio - LONE_NAME_HEIGHT_PX));
  return { topPx: inside, widthPx, heightPx: LONE_NAME_HEIGHT_PX, typePx: null };
}
