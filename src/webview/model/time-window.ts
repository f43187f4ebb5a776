/** The window of time in view: zooming, panning, fitting, and following the newest. Pure; times in UTC milliseconds. */
import type { TimeWindow } from '../../core/statistics/statistics';
import type { ChangeView } from '../../protocol';
import type { Gesture } from '../kit/gesture';

/** A smaller window would show nothing but the steps of the server's clock (1 to 3 ms). */
export const SMALLEST_SPAN_MS = 50;

export const spanOf = (window: TimeWindow): number => window.endUtcMs - window.beginUtcMs;

/** Moves and shrinks a window so that it lies inside the bounds. */
export function keepInside(window: TimeWindow, bounds: TimeWindow): TimeWindow {
  const span = Math.min(Math.max(spanOf(window), Math.min(SMALLEST_SPAN_MS, spanOf(bounds))), spanOf(bounds));
  const begin = Math.min(Math.max(window.beginUtcMs, bounds.beginUtcMs), bounds.endUtcMs - span);
  return { beginUtcMs: begin, endUtcMs: begin + span };
}

/** Zooms by a factor (above 1 shows more detail). The moment at this share of the width stays in place. */
export function zoomWindow(
  window: TimeWindow,
  bounds: TimeWindow,
  factor: number,
  anchor: number,
): TimeWindow {
  const span = Math.min(Math.max(spanOf(window) / factor, SMALLEST_SPAN_MS), spanOf(bounds));
  const moment = window.beginUtcMs + spanOf(window) * anchor;
  const begin = moment - span * anchor;
  return keepInside({ beginUtcMs: begin, endUtcMs: begin + span }, bounds);
}

/** Moves by a share of the window's width; positive is later. */
export function panWindow(window: TimeWindow, bounds: TimeWindow, share: number): TimeWindow {
  const by = spanOf(window) * share;
  return keepInside({ beginUtcMs: window.beginUtcMs + by, endUtcMs: window.endUtcMs + by }, bounds);
}

/** A window around one checkpoint: its duration fills a third, but never less than two seconds are shown. */
export function fitCheckpoint(beginUtcMs: number, durationMs: number, bounds: TimeWindow): TimeWindow {
  const span = Math.max(durationMs * 3, 2000);
  const middle = beginUtcMs + durationMs / 2;
  return keepInside({ beginUtcMs: middle - span / 2, endUtcMs: middle + span / 2 }, bounds);
}

/** The same window, moved as little as needed to show a whole checkpoint, or its begin if it is longer. */
export function revealMoment(
  window: TimeWindow,
  bounds: TimeWindow,
  beginUtcMs: number,
  durationMs: number,
): TimeWindow {
  const span = spanOf(window);
  const margin = span * 0.05;
  let begin = window.beginUtcMs;
  if (beginUtcMs + durationMs + margin > begin + span) begin = beginUtcMs + durationMs + margin - span;
  if (beginUtcMs - margin < begin) begin = beginUtcMs - margin;
  return keepInside({ beginUtcMs: begin, endUtcMs: begin + span }, bounds);
}

/** A window of the same span with a moment in its middle, as far as the bounds allow. */
export function centreMoment(window: TimeWindow, bounds: TimeWindow, utcMs: number): TimeWindow {
  const half = spanOf(window) / 2;
  return keepInside({ beginUtcMs: utcMs - half, endUtcMs: utcMs + half }, bounds);
}

/** Whether the window ends where the bounds end (to a thousandth of its width, about a pixel). */
export function isAtEnd(window: TimeWindow, bounds: TimeWindow): boolean {
  return window.endUtcMs >= bounds.endUtcMs - spanOf(window) / 1000;
}

export function showsAll(window: TimeWindow, bounds: TimeWindow): boolean {
  return spanOf(window) >= spanOf(bounds) * 0.9995;
}

/** The newest window of this span, as shown while following. */
export function followEnd(window: TimeWindow, bounds: TimeWindow): TimeWindow {
  return keepInside({ beginUtcMs: bounds.endUtcMs - spanOf(window), endUtcMs: bounds.endUtcMs }, bounds);
}

const TIME_GESTURES = ['zoom', 'pan', 'fit', 'begin', 'end'] as const;

/** A gesture that moves or zooms the window. */
export type TimeGesture = Extract<Gesture, { readonly type: (typeof TIME_GESTURES)[number] }>;

export const isTimeGesture = (gesture: Gesture): gesture is TimeGesture =>
  TIME_GESTURES.some((type) => type === gesture.type);

/** The window after a gesture. @param anchor the share of the width that stays in place in a zoom */
export function windowAfter(
  gesture: TimeGesture,
  window: TimeWindow,
  bounds: TimeWindow,
  anchor: number,
): TimeWindow {
  switch (gesture.type) {
    case 'zoom':
      return zoomWindow(window, bounds, gesture.factor, anchor);
    case 'pan':
      return panWindow(window, bounds, gesture.share);
    case 'fit':
      return bounds;
    case 'begin':
      return { beginUtcMs: bounds.beginUtcMs, endUtcMs: bounds.beginUtcMs + spanOf(window) };
    case 'end':
      return followEnd(window, bounds);
    default:
      return gesture satisfies never;
  }
}

/** Changes nearer to each other than this are one wave. */
const WAVE_MS = 300_000;
const BESIDE_MS = 900_000;

/**
 * The wave in that time that changed the most databases, their ids, when it began, and a window with a quarter of an hour either
 * side; null: nothing was changed.
 */
export function findLargestWave(
  changes: readonly Pick<ChangeView, 'atUtcMs' | 'databaseId'>[],
  { beginUtcMs, endUtcMs }: TimeWindow,
) {
  const within = changes.filter(({ atUtcMs }) => atUtcMs > beginUtcMs && atUtcMs < endUtcMs);
  const waves: (typeof within)[] = [];
  for (const change of within.sort((a, b) => a.atUtcMs - b.atUtcMs)) {
    const last = waves[waves.length - 1];
    if (last && change.atUtcMs - last[last.length - 1]!.atUtcMs < WAVE_MS) last.push(change);
    else waves.push([change]);
  }
  const [largest] = waves.sort((a, b) => b.length - a.length);
  if (!largest) return null;
  const [first, last] = [largest[0]!.atUtcMs, largest[largest.length - 1]!.atUtcMs];
  const window = {
    beginUtcMs: Math.max(beginUtcMs, first - BESIDE_MS),
    endUtcMs: Math.min(endUtcMs, last + BESIDE_MS),
  };
  return { atUtcMs: first, databaseIds: [...new Set(largest.map(({ databaseId }) => databaseId))], window };
}
