/**
 * Duration on an absolute, logarithmic scale from 10 ms to 100 s: the same colour and height mean the same duration on every server, at every zoom.
 *
 *   10 ms ├────────┼────────┼────────┼──────┆─┤ 100 s      ┆ recovery interval, 60 s
 *         0                                   1
 */
const SHORTEST_MS = 10;
const LONGEST_MS = 100_000;
const DECADES = Math.log10(LONGEST_MS / SHORTEST_MS);

/** Steps of colour and height; more are not told apart. */
export const LEVELS = 64;

/** Position of a duration on the scale, 0 to 1; durations beyond the ends lie at the ends. */
export function positionOnScale(durationMs: number): number {
  return Math.min(1, Math.max(0, Math.log10(Math.max(durationMs, 1) / SHORTEST_MS) / DECADES));
}

/** The step of colour and height of a duration, 0 to LEVELS - 1. */
export function levelOfDuration(durationMs: number): number {
  return Math.min(LEVELS - 1, Math.floor(positionOnScale(durationMs) * LEVELS));
}

/** Height in device pixels of a bar in a lane: a quarter of the room for the shortest, all of it for the longest, so that colour is never alone. */
export function heightOfLevel(level: number, roomPx: number): number {
  return Math.max(2, Math.round(roomPx * (0.25 + (0.75 * level) / (LEVELS - 1))));
}
