/** What is measured, as boxes over the lanes. Pure; CSS pixels of the stage. */
import type { TimeWindow } from '../../core/evidence/statistics';
import type { MeasuredPart } from '../view-state';

export interface MeasuredBox {
  readonly leftPx: number;
  readonly widthPx: number;
  readonly topPx: number;
  readonly heightPx: number;
}

/** How the lanes lie on the stage. */
export interface LanePlaces {
  readonly plotLeftPx: number;
  readonly plotWidthPx: number;
  topOf(lane: number): number;
  readonly laneHeightPx: number;
}

/** A place of the picture: a moment and the position of a lane. */
export interface MeasuredCorner {
  readonly utcMs: number;
  readonly lane: number;
}

export type MeasuredEdge = 'beginUtcMs' | 'endUtcMs';

/** The part between two corners, to the millisecond and inside the bounds; at least a millisecond long. Lanes outside of the list are cut off. */
export function partBetween(
  from: MeasuredCorner,
  to: MeasuredCorner,
  lanes: readonly { readonly databaseId: number }[],
  bounds: TimeWindow,
): MeasuredPart {
  const inside = (utcMs: number): number => Math.min(bounds.endUtcMs, Math.max(bounds.beginUtcMs, Math.round(utcMs)));
  const [first, last] = [Math.min(from.lane, to.lane), Math.max(from.lane, to.lane)];
  const [begin, end] = [inside(Math.min(from.utcMs, to.utcMs)), inside(Math.max(from.utcMs, to.utcMs))];
  return {
    beginUtcMs: Math.min(begin, bounds.endUtcMs - 1),
    endUtcMs: Math.max(end, Math.min(begin, bounds.endUtcMs - 1) + 1),
    databaseIds: lanes.slice(Math.max(0, first), last + 1).map(({ databaseId }) => databaseId),
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
 * A box for each run of neighbouring lanes, cut to the window in view: another order of lanes, or a filter, may have taken them apart. None where the time
 * is out of view.
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
    while (lane + 1 < lanes.length && chosen.has(lanes[lane + 1]!.databaseId)) lane++;
    boxes.push({
      leftPx: places.plotLeftPx + left,
      widthPx: Math.max(1, right - left),
      topPx: places.topOf(first),
      heightPx: places.topOf(lane) + places.laneHeightPx - places.topOf(first),
    });
  }
  return boxes;
}
