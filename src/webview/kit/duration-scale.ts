/** Heights of durations: the same height means the same duration on every server, at every zoom. */
import { LEVELS } from '../../core/timeline/duration-levels';

export { LEVELS, levelOfDuration, positionOnScale } from '../../core/timeline/duration-levels';

/** Height in device pixels of a bar in a lane: a quarter of the room for the shortest, all of it for the longest, so that colour is never alone. */
export function heightOfLevel(level: number, roomPx: number): number {
  return Math.max(2, Math.round(roomPx * (0.25 + (0.75 * level) / (LEVELS - 1))));
}
