/** What is measured, as boxes over the lanes. Pure; CSS pixels of the stage. */
import type { TimeWindow } from '../../../core/statistics/statistics';
import type { MeasuredPart } from '../../model/view-state';

export interface MeasuredBox {
  readonly leftPx: number;
  readonly widthPx: number;
  readonly topPx: number;
  readonly heightPx: number;
  /** From its top to where pinned lanes end that it lies under; more than its height where it is under them as a whole. */
  readonly coveredPx: number;
}

/** How the lanes lie on the stage. */
export interface LanePlaces {
  readonly plotLeftPx: number;
  readonly plotWidthPx: number;
  topOf(lane: number): number;
  readonly laneHeightPx: number;
  /** Pinned lanes that stay in sight while the others scroll under them, and where they end. */
  readonly fixedLanes: number;
  readonly fixedBottomPx: number;
}

/** A place of the picture: a moment and the position of a lane. */
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
 * The part between two corners, to the millisecond and inside the bounds; at least a millisecond long. Lanes outside of the list are cut off, and those left
 * out that are under pinned ones: they lie between two corners, but not in what is drawn between them.
 */
export function partBetween(
  from: MeasuredCorner,
  to: MeasuredCorner,
  lanes: readonly { readonly databaseId: number }[],
  bounds: TimeWindow,
  underPinned: LaneSpan = NO_LANES,
): MeasuredPart {
  const inside = (utcMs: number): number => Math.min(bounds.endUtcMs, Math.max(bounds.beginUtcMs, Math.round(utcMs)));
  const [first, last] = [Math.min(from.lane, to.lane), Math.max(from.lane, to.lane)];
  const [begin, end] = [inside(Math.min(from.utcMs, to.utcMs)), inside(Math.max(from.utcMs, to.utcMs))];
  return {
    beginUtcMs: Math.min(begin, bounds.endUtcMs - 1),
    endUtcMs: Math.max(end, Math.min(begin, bounds.endUtcMs - 1) + 1),
    databaseIds: lanes
      .filter((_, lane) => lane >= first && lane <= last && !(lane >= underPinned.from && lane < underPinned.end))
      .map(({ databaseId }) => databaseId),
  };
}

/** The part with one end at another moment, to the millisecond and inside the bounds. It stops a millisecond before the other end. */
export function moveEdge(part: MeasuredPart, edge: MeasuredEdge, utcMs: number, bounds: TimeWindow): MeasuredPart {
  const at = Math.round(utcMs);
  return edge === 'beginUtcMs'
    ? { ...part, beginUtcMs: Math.min(part.endUtcMs - 1, Math.max(bounds.beginUtcMs, at)) }
    : { ...part, endUtcMs: Math.max(part.beginUtcMs + 1, Math.min(bounds.endUtcMs, at)) };
}

/**
 * A box for each run of lanes that lie one below the other, cut to the window in view: another order of lanes, a filter or the scroll under pinned lanes
 * may have taken them apart. None where the time is out of view.
 */
export function layoutMeasured(
  part: MeasuredPart,
  lanes: readonly { readonly databaseId: number }[],
  window: TimeWindow,
  places: LanePlaces,
): readonly MeasuredBox[] {
  const share = (utcMs: number): number =>
    Math.min(1, Math.max(0, (utcMs - window.beginUtcMs) / (window.endUtcMs - window.beginUtcMs))) * places.plotWidthPx;
  if (part.endUtcMs <= window.beginUtcMs || part.beginUtcMs >= window.endUtcMs) return [];
  const chosen = new Set(part.databaseIds);
  const [left, right] = [share(part.beginUtcMs), share(part.endUtcMs)];
  const boxes: MeasuredBox[] = [];
  for (let lane = 0; lane < lanes.length; lane++) {
    if (!chosen.has(lanes[lane]!.databaseId)) continue;
    const first = lane;
    while (lane + 1 < lanes.length && chosen.has(lanes[lane + 1]!.databaseId) && isBelow(places, lane + 1)) lane++;
    const topPx = places.topOf(first);
    const heightPx = places.topOf(lane) + places.laneHeightPx - topPx;
    const coveredPx = first < places.fixedLanes || places.fixedLanes === 0 ? 0 : Math.max(0, places.fixedBottomPx - topPx);
    boxes.push({ leftPx: places.plotLeftPx + left, widthPx: Math.max(1, right - left), topPx, heightPx, coveredPx });
  }
  return boxes;
}

/** Whether a lane lies right below the one before: the first that scrolls does only as long as nothing is scrolled. */
const isBelow = ({ fixedLanes, fixedBottomPx, topOf }: LanePlaces, lane: number): boolean =>
  lane !== fixedLanes || topOf(lane) === fixedBottomPx;

/** From the top of what is seen of the boxes to the bottom. There must be one. */
export function spanBoxes(boxes: readonly MeasuredBox[]): { readonly topPx: number; readonly bottomPx: number } {
  const topPx = Math.min(...boxes.map((box) => box.topPx + box.coveredPx));
  return { topPx, bottomPx: Math.max(topPx, ...boxes.map((box) => box.topPx + box.heightPx)) };
}
