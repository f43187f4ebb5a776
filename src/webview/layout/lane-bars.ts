/**
 * Pixel columns of a lane to bars: neighbouring columns of one checkpoint make one bar. Where two wide bars touch, the later one gives up its first
 * pixel, so that they are told apart. Bars stand in the middle of the lane and grow with the duration.
 *
 *      ▁▁▁  cap: beyond the recovery interval
 *   ▐  ███ ▐
 *   ▐  ███ ▐▐
 */
import type { CheckpointColumns } from '../../core/capture/checkpoint-columns';
import type { LanePicture } from '../../core/picture/pixel-columns';
import { heightOfLevel, levelOfDuration } from './duration-scale';
import { laneTop, type TimelineLayout } from './timeline-layout';

/** Device pixels. */
export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Step of colour. */
  readonly level: number;
  /** Whether the longest checkpoint lasted at least the recovery interval. */
  readonly capped: boolean;
}

const NARROWEST_WITH_SEAM = 3;

/** Room in device pixels that bars have in a lane, above and below of which its edges stay free. */
export const roomInLane = (layout: TimelineLayout): number => layout.laneHeight - Math.round(4 * layout.pixelRatio);

/** The bars of one lane. A run of narrow columns with the same look is one bar, which draws the same pixels. */
export function layoutBars(
  picture: LanePicture,
  columns: Pick<CheckpointColumns, 'durationMs'>,
  layout: TimelineLayout,
  lane: number,
  recoveryIntervalMs: number,
): readonly Bar[] {
  const bars: Bar[] = [];
  const middle = laneTop(layout, lane) + Math.floor(layout.laneHeight / 2);
  const room = roomInLane(layout);
  for (let from = 0; from < picture.worst.length;) {
    const row = picture.worst[from]!;
    let end = from + 1;
    if (row < 0) {
      from = end;
      continue;
    }
    while (end < picture.worst.length && picture.worst[end] === row) end++;
    const durationMs = columns.durationMs[row]!;
    const level = levelOfDuration(durationMs);
    const seam = end - from >= NARROWEST_WITH_SEAM && from > 0 && picture.worst[from - 1]! >= 0 ? 1 : 0;
    const height = heightOfLevel(level, room);
    const bar = {
      x: layout.plotLeft + from + seam,
      y: middle - Math.floor(height / 2),
      width: end - from - seam,
      height,
      level,
      capped: durationMs >= recoveryIntervalMs,
    };
    pushBar(bars, bar);
    from = end;
  }
  return bars;
}

function pushBar(bars: Bar[], bar: Bar): void {
  const before = bars[bars.length - 1];
  const joins =
    before &&
    before.x + before.width === bar.x &&
    before.level === bar.level &&
    before.capped === bar.capped &&
    bar.width < NARROWEST_WITH_SEAM;
  if (joins) bars[bars.length - 1] = { ...before, width: before.width + bar.width };
  else bars.push(bar);
}
