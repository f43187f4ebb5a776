/** Which lanes are named, and where the names stand: all where they fit; beside lower lanes the hovered and the selected one, in a place as high as type. */
import { fixedBottom, laneCover, laneTop, listLanesInView, placeInView, type TimelineLayout } from './timeline-layout';

/** CSS pixels from the left top corner of the lanes in view. */
export interface NamePlace {
  readonly topPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Size of type; null is that of the page. */
  readonly typePx: number | null;
}

/** CSS pixels: lower lanes have no room for names, and lower than the next have smaller ones. */
const LOWEST_WITH_NAME_PX = 9.5;
const LOWEST_WITH_WHOLE_NAME_PX = 15;
const SMALL_TYPE_PX = 9;
const LONE_NAME_HEIGHT_PX = 16;
/** Of a lane: where more of it lies under pinned ones, its name would be cut. */
const MOST_COVERED_SHARE = 0.25;

const laneHeightPx = (layout: TimelineLayout): number => layout.laneHeight / layout.pixelRatio;

/** The lanes whose names are shown; a selected lane gives way to a hovered one that is too near for two names. */
export function listNamedLanes(layout: TimelineLayout, selectedLane: number | null, hoveredLane: number | null): readonly number[] {
  if (laneHeightPx(layout) >= LOWEST_WITH_NAME_PX)
    return listLanesInView(layout).filter((lane) => laneCover(layout, lane) <= MOST_COVERED_SHARE * layout.laneHeight);
  const isInView = (lane: number | null): lane is number => lane !== null && placeInView(layout, lane) >= 0;
  const hovered = isInView(hoveredLane) ? [hoveredLane] : [];
  const isFree = (lane: number): boolean =>
    hovered.every((other) => Math.abs(layoutName(layout, other).topPx - layoutName(layout, lane).topPx) >= LONE_NAME_HEIGHT_PX);
  return isInView(selectedLane) && isFree(selectedLane) ? [...hovered, selectedLane] : hovered;
}

/** The place of a name: its lane, or around the middle of a lower one, inside the lanes in view and on no pinned one that it lies under. */
export function layoutName(layout: TimelineLayout, lane: number): NamePlace {
  const { pixelRatio, plotLeft, height } = layout;
  const laneHeight = laneHeightPx(layout);
  const topPx = laneTop(layout, lane) / pixelRatio;
  const widthPx = plotLeft / pixelRatio;
  if (laneHeight >= LOWEST_WITH_NAME_PX)
    return { topPx, widthPx, heightPx: laneHeight, typePx: laneHeight < LOWEST_WITH_WHOLE_NAME_PX ? SMALL_TYPE_PX : null };
  const middle = topPx + laneHeight / 2 - LONE_NAME_HEIGHT_PX / 2;
  const least = lane < layout.fixedLanes ? 0 : fixedBottom(layout) / pixelRatio;
  const inside = Math.min(Math.max(least, middle), Math.max(0, height / pixelRatio - LONE_NAME_HEIGHT_PX));
  return { topPx: inside, widthPx, heightPx: LONE_NAME_HEIGHT_PX, typePx: null };
}
