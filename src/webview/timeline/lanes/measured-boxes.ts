/** What is measured, as boxes over the lanes. Pure; CSS pixels of the stage. */
import type { TimeWindow } from '../../../core/statistics/statistics';
import type { MeasuredPart } from '../../model/view-state';

export interface MeasuredBox {
  readonly leftPx: number;
  readonly widthPx: number;
  readonly topPx: number;
  readonly heightPx: number;
  /** How much of its top lies under pinned lanes; more than its height if all of it does. */
  readonly coveredPx: number;
}

/** How the lanes lie on the stage. */
export interface LanePlaces {
  readonly plotLeftPx: number;
  readonly plotWidthPx: number;
  topOf(lane: number): number;
  readonly laneHeightPx: number;
  /** How many pinned lanes stay in view while the others scroll under them, and where they end. */
  readonly fixedLanes: number;
  readonly fixedBottomPx: number;
}

/** A place in the timeline: a moment and the position of a lane. */
export interface MeasuredCorner {
  readonly utcMs: number;
  readonly lane: number;
}

/** Neighbouring lanes; end excluded. */
export interface LaneSpan {
  readonly from: number;
  readonly end: number;
}

const NO_LANES: LaneSpan = { from: 0, end: 0 };

export type MeasuredEdge = 'beginUtcMs' | 'endUtcMs';

/**
 * The part between two corners, in whole milliseconds, inside the bounds, and at least a millisecond long. Leaves out
 * lanes that lay under pinned ones: they are between the corners, but the reader did not see them there.
 */
export function partBetween(
  from: MeasuredCorner,
  to: MeasuredCorner,
  lanes: readonly { readonly databaseId: number }[],
  bounds: TimeWindow,
  underPinned: LaneSpan = NO_LANES,
): MeasuredPart {
  const inside = (utcMs: number): number =>
    Math.min(bounds.endUtcMs, Math.max(bounds.beginUtcMs, Math.round(utcMs)));
  const [first, last] = [Math.min(from.lane, to.lane), Math.max(from.lane, to.lane)];
  const [begin, end] = [inside(Math.min(from.utcMs, to.utcMs)), inside(Math.max(from.utcMs, to.utcMs))];
  return {
    beginUtcMs: Math.min(begin, bounds.endUtcMs - 1),
    endUtcMs: Math.max(end, Math.min(begin, bounds.endUtcMs - 1) + 1),
    databaseIds: lanes
      .filter(
        (_, lane) => lane >= first && lane <= last && !(lane >= underPinned.from && lane < underPinned.end),
      )
      .map(({ databaseId }) => databaseId),
  };
}

/** The part with one end moved, in whole milliseconds and inside the bounds. It stays at least a millisecond long. */
export function moveEdge(
  part: MeasuredPart,
  edge: MeasuredEdge,
  utcMs: number,
  bounds: TimeWindow,
): MeasuredPart {
  const at = Math.round(utcMs);
  return edge === 'beginUtcMs'
    ? { ...part, beginUtcMs: Math.min(part.endUtcMs - 1, Math.max(bounds.beginUtcMs, at)) }
    : { ...part, endUtcMs: Math.max(part.beginUtcMs + 1, Math.min(bounds.endUtcMs, at)) };
}

/**
 * One box for each run of lanes that lie directly below each other, cut to the window in view. Sorting, filtering or
 * scrolling under pinned lanes may have taken measured lanes apart. No boxes if the measured time is out of view.
 */
export function layoutMeasured(
  part: MeasuredPart,
  lanes: readonly { readonly databaseId: number }[],
  window: TimeWindow,
  places: LanePlaces,
): readonly MeasuredBox[] {
  const share = (utcMs: number): number =>
    Math.min(1, Math.max(0, (utcMs - window.beginUtcMs) / (window.endUtcMs - window.beginUtcMs))) *
    places.plotWidthPx;
  if (part.endUtcMs <= window.beginUtcMs || part.beginUtcMs >= window.endUtcMs) return [];
  const chosen = new Set(part.databaseIds);
  const [left, right] = [share(part.beginUtcMs), share(part.endUtcMs)];
  const boxes: MeasuredBox[] = [];
  for (let lane = 0; lane < lanes.length; lane++) {
    if (!chosen.has(lanes[lane]!.databaseId)) continue;
    const first = lane;
    while (lane + 1 < lanes.length && chosen.has(lanes[lane + 1]!.databaseId) && isBelow(places, lane + 1))
      lane++;
    const topPx = places.topOf(first);
    const heightPx = places.topOf(lane) + places.laneHeightPx - topPx;
    const coveredPx =
      first < places.fixedLanes || places.fixedLanes === 0 ? 0 : Math.max(0, places.fixedBottomPx - topPx);
    boxes.push({
      leftPx: places.plotLeftPx + left,
      widthPx: Math.max(1, right - left),
      topPx,
      heightPx,
      coveredPx,
    });
  }
  return boxes;
}

/** Whether a lane lies right below the one before. For the first lane that scrolls, only while it is not scrolled. */
const isBelow = ({ fixedLanes, fixedBottomPx, topOf }: LanePlaces, lane: number): boolean =>
  lane !== fixedLanes || topOf(lane) === fixedBottomPx;

/** From the top of the visible boxes to their bottom. There must be a box. */
export function spanBoxes(boxes: readonly MeasuredBox[]): {
  readonly topPx: number;
  readonly bottomPx: number;
} {
  const topPx = Math.min(...boxes.map((box) => box.topPx + box.coveredPx));
  return { topPx, bottomPx: Math.max(topPx, ...boxes.map((box) => box.topPx + box.heightPx)) };
}
