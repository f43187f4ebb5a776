/**
 * For each code of a duration: what one pixel column of a lane shows from top to bottom, as a strip of inks as high as
 * the lane. Painting a lane is looking up its columns' codes in these strips.
 *
 *      ▁▁▁        cap: beyond the recovery interval
 *   ▐  ███ ▐      bars stand in the middle of the lane and grow with the duration
 *   ▐  ███ ▐▐
 *      ▔▔▔        foot: as wide as the checkpoint lasted. A checkpoint shorter than a pixel is drawn wider and has none
 *   ───────────   hairline between lanes
 */
import {
  CODES,
  isBeyondInterval,
  levelOfCode,
  COLOUR_STEPS,
  levelOfDuration,
} from '../../../core/timeline/duration-levels';

/** Inks of a pixel; from `level` on they are the colours of the levels. */
export const INK = { ground: 0, hairline: 1, cap: 2, foot: 3, hatching: 4, level: 5 } as const;
export const INKS = INK.level + COLOUR_STEPS;

/**
 * Pixels of a row of a strip: a power of two above the number of codes, so that shifting makes the index from height
 * and code.
 */
export const STRIP_STRIDE = 256;

const LOWEST_WITH_FOOT_PX = 16;
const LOWEST_WITH_HAIRLINE_PX = 6;

interface StripSize {
  /** Device pixels. */
  readonly laneHeight: number;
  readonly pixelRatio: number;
  /** Milliseconds under one pixel column. */
  readonly columnMs: number;
}

/** The inks of a lane by height and code, at `y * STRIP_STRIDE + code`. */
export function layoutStrip({ laneHeight, pixelRatio, columnMs }: StripSize): Uint8Array {
  const inks = new Uint8Array(laneHeight * STRIP_STRIDE);
  const fill = (code: number, ink: number, from: number, end: number): void => {
    for (let y = Math.max(0, from); y < Math.min(laneHeight, end); y++) inks[y * STRIP_STRIDE + code] = ink;
  };
  const isLow = laneHeight < LOWEST_WITH_HAIRLINE_PX * pixelRatio;
  const hasFoot = laneHeight >= LOWEST_WITH_FOOT_PX * pixelRatio;
  const hairline = Math.max(1, Math.floor(pixelRatio));
  const line = Math.max(1, Math.round(pixelRatio));
  const thickness = hasFoot ? Math.max(1, Math.round(1.5 * pixelRatio)) : line;
  const room = roomInLane(laneHeight, pixelRatio);
  for (let code = 0; code < CODES; code++) {
    if (!isLow) fill(code, INK.hairline, laneHeight - hairline, laneHeight);
    if (code === 0) continue;
    const level = levelOfCode(code);
    const height = isLow ? room : heightOfLevel(level, room);
    const top = isLow ? 0 : Math.floor(laneHeight / 2) - Math.floor(height / 2);
    fill(code, INK.level + level, top, top + height);
    if (!isLow && isBeyondInterval(code)) fill(code, INK.cap, top - thickness, top);
    if (hasFoot && level > levelOfDuration(columnMs)) fill(code, INK.foot, top + height, top + height + line);
  }
  return inks;
}

/**
 * Height of a bar in device pixels: a quarter of the room for the shortest duration, all of it for the longest, so that
 * colour is not the only sign.
 */
export function heightOfLevel(level: number, roomPx: number): number {
  return Math.max(2, Math.round(roomPx * (0.25 + (0.75 * level) / (COLOUR_STEPS - 1))));
}

/**
 * Room for bars in a lane, in device pixels. Its upper and lower edges stay free; in a low lane bars may take all but
 * one pixel.
 */
export function roomInLane(laneHeight: number, pixelRatio: number): number {
  if (laneHeight < LOWEST_WITH_HAIRLINE_PX * pixelRatio) return laneHeight - (laneHeight > 2 ? 1 : 0);
  return laneHeight - Math.round((laneHeight >= LOWEST_WITH_FOOT_PX * pixelRatio ? 4 : 2) * pixelRatio);
}
