/**
 * Where the strips lie above the lanes, on the same columns of time, and how high a value is drawn. Device pixels.
 *
 *   |  Task busy, %  | ▅▆▇▅▅   ▆▇▅  |   empty if nothing was observed
 *   |  Log write, ms | ▂▂▅▂▂   ▁▁▁  |
 */
import type { StripId } from '../../../core/timeline/strips';

const STRIP_HEIGHT_PX = 22;
const STRIP_GAP_PX = 3;
/** In a narrower or lower timeline there is room for one strip only. */
const NARROW_PX = 560;
/** The least room for the lanes with the axis and the minimap below them. */
const LEAST_BELOW_PX = 250;

export interface StripBox {
  readonly id: StripId;
  readonly top: number;
  readonly height: number;
}

/** The strips that fit into a timeline of that size in CSS pixels: the first chosen ones, and at least one. */
export function foldStrips(
  chosen: readonly StripId[],
  widthPx: number,
  heightPx: number,
): readonly StripId[] {
  const most =
    widthPx < NARROW_PX
      ? 1
      : Math.max(1, Math.floor((heightPx - LEAST_BELOW_PX) / (STRIP_HEIGHT_PX + STRIP_GAP_PX)));
  return chosen.slice(0, most);
}

/** The strips one below the other, and the height of all of them. */
export function layoutStrips(
  ids: readonly StripId[],
  pixelRatio: number,
): { readonly boxes: readonly StripBox[]; readonly height: number } {
  const height = Math.round(STRIP_HEIGHT_PX * pixelRatio);
  const step = height + Math.round(STRIP_GAP_PX * pixelRatio);
  return { boxes: ids.map((id, i) => ({ id, top: i * step, height })), height: ids.length * step };
}

/** Neighbouring columns of the same height; end excluded. */
export interface StripStep {
  readonly from: number;
  readonly end: number;
  /** Pixels from the bottom of the strip; 0: a value of 0. */
  readonly height: number;
}

/**
 * Turns columns into steps. A value above 0 is at least one pixel high, a value above the scale's top as high as the
 * strip. Leaves out NaN.
 */
export function layoutSteps(values: ArrayLike<number>, top: number, room: number): readonly StripStep[] {
  const steps: StripStep[] = [];
  for (let column = 0; column < values.length; column++) {
    const value = values[column]!;
    if (Number.isNaN(value)) continue;
    const height = value > 0 ? Math.min(room, Math.max(1, Math.round((value / top) * room))) : 0;
    const last = steps[steps.length - 1];
    if (last && last.end === column && last.height === height)
      steps[steps.length - 1] = { ...last, end: column + 1 };
    else steps.push({ from: column, end: column + 1, height });
  }
  return steps;
}

/** The round number (1, 2 or 5 times a power of ten) at the top of a scale that holds the highest value. */
export function roundUp(highest: number): number {
  if (!(highest > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  const factor = [1, 2, 5].find((candidate) => candidate * power >= highest) ?? 10;
  return factor * power;
}

/** The strip at a height; null between two strips. */
export const stripAt = (boxes: readonly StripBox[], y: number): StripBox | null =>
  boxes.find(({ top, height }) => y >= top && y < top + height) ?? null;
