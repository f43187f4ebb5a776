/**
 * The pixels of the lanes. Each column's code is looked up in a strip of colours. Colours are opaque numbers, as an
 * image holds them.
 */
import type { LanePicture } from '../../../core/timeline/pixel-columns';
import { INK, layoutStrip, STRIP_STRIDE } from './lane-strip';
import type { GapSpan } from './time-marks';
import { laneCover, laneTop, listLanesInView, type TimelineLayout } from './timeline-layout';

/** Colours of inks on the background of a lane. */
export type InkColours = Uint32Array;

export interface LaneColours {
  readonly plain: InkColours;
  readonly hovered: InkColours;
  readonly selected: InkColours;
}

export interface LaneImageInput {
  readonly layout: TimelineLayout;
  readonly pictures: readonly LanePicture[];
  readonly gaps: readonly GapSpan[];
  /** Milliseconds under one pixel column. */
  readonly columnMs: number;
  readonly selectedLane: number | null;
  readonly hoveredLane: number | null;
}

/** Fills an image, which is as wide as the layout, with the rows of the timeline from `top` on. */
type BandFiller = (pixels: Uint32Array, top: number) => void;

/** Prepares what all bands of one frame share. */
export function createBandFiller(input: LaneImageInput, colours: LaneColours): BandFiller {
  const { layout, pictures, selectedLane, hoveredLane } = input;
  const inks = layoutStrip({ ...layout, columnMs: input.columnMs });
  const plain = colourStrip(inks, colours.plain);
  const selected = colourStrip(inks, colours.selected);
  const hovered = colourStrip(inks, colours.hovered);
  const lanes = listLanesInView(layout);
  return (pixels, top) => {
    const end = top + pixels.length / layout.width;
    let filled = 0;
    lanes.forEach((lane, i) => {
      const laneY = laneTop(layout, lane);
      if (laneY >= end || laneY + layout.laneHeight <= top) return;
      const strip = lane === selectedLane ? selected : lane === hoveredLane ? hovered : plain;
      const from = laneY - top;
      const cover = laneCover(layout, lane);
      filled = fillLane(pixels, layout, from, cover, pictures[i]!.codes, strip);
      for (const gap of input.gaps) hatchLane(pixels, layout, { from, cover, top }, gap, strip);
    });
    pixels.fill(colours.plain[INK.ground]!, filled);
  };
}

interface ColourStrip {
  readonly ground: number;
  readonly hatching: number;
  readonly colours: Uint32Array;
  /** For each row: whether it looks like the row above, whatever the code. */
  readonly repeats: readonly boolean[];
}

function colourStrip(inks: Uint8Array, colours: InkColours): ColourStrip {
  const rowOf = (y: number): Uint8Array => inks.subarray(y * STRIP_STRIDE, (y + 1) * STRIP_STRIDE);
  const repeats = Array.from(
    { length: inks.length / STRIP_STRIDE },
    (_, y) => y > 0 && rowOf(y).every((ink, code) => ink === rowOf(y - 1)[code]),
  );
  return {
    ground: colours[INK.ground]!,
    hatching: colours[INK.hatching]!,
    colours: Uint32Array.from(inks, (ink) => colours[ink]!),
    repeats,
  };
}

/**
 * Fills one lane, cut to the image. @returns the index behind its last pixel
 * @param top row of the image at which the lane begins
 * @param cover how many rows of the lane lie under pinned lanes
 */
function fillLane(
  pixels: Uint32Array,
  layout: TimelineLayout,
  top: number,
  cover: number,
  codes: Uint8Array,
  strip: ColourStrip,
): number {
  const { width, plotLeft, plotWidth } = layout;
  const first = Math.max(0, top + cover);
  const end = Math.min(pixels.length / width, top + layout.laneHeight);
  for (let y = first; y < end; y++) {
    const row = y * width;
    if (y > first && strip.repeats[y - top]!) {
      pixels.copyWithin(row, row - width, row);
      continue;
    }
    pixels.fill(strip.ground, row, row + width);
    fillColumns(
      pixels,
      row + plotLeft,
      plotWidth,
      codes,
      strip.colours.subarray((y - top) * STRIP_STRIDE, (y - top + 1) * STRIP_STRIDE),
    );
  }
  return Math.max(0, end) * width;
}

/** The innermost loop of a frame: one look-up for each pixel. */
function fillColumns(
  pixels: Uint32Array,
  left: number,
  columns: number,
  codes: Uint8Array,
  colours: Uint32Array,
): void {
  for (let column = 0; column < columns; column++) pixels[left + column] = colours[codes[column]!]!;
}

/** CSS pixels between the lines of a gap's hatching; wider in a gap that still has some events. */
export const HATCH_PX = { whole: 7, partial: 14 } as const;
/** CSS pixels. A narrower gap is a tick at the lane's foot. */
const NARROWEST_HATCHED_PX = 3;
const TICK_PX = 4;

/** Device pixels of that tick; null: the gap is wide enough for its hatching. */
export function measureGapTick(
  { from, end }: Pick<GapSpan, 'from' | 'end'>,
  pixelRatio: number,
): number | null {
  return end - from < NARROWEST_HATCHED_PX * pixelRatio ? Math.round(TICK_PX * pixelRatio) : null;
}

/**
 * Hatches what a lane shows of a gap, behind its bars: only where there is nothing else. The lines go on from lane to
 * lane, and move with the gap.
 */
function hatchLane(
  pixels: Uint32Array,
  layout: TimelineLayout,
  { from, cover, top }: { readonly from: number; readonly cover: number; readonly top: number },
  gap: GapSpan,
  { ground, hatching }: ColourStrip,
): void {
  const { width, plotLeft, pixelRatio, laneHeight } = layout;
  const end = Math.min(pixels.length / width, from + laneHeight);
  const tickPx = measureGapTick(gap, pixelRatio);
  const isNarrow = tickPx !== null;
  const first = isNarrow ? from + laneHeight - tickPx : from;
  const pitch = isNarrow ? 1 : Math.round((gap.isPartial ? HATCH_PX.partial : HATCH_PX.whole) * pixelRatio);
  const line = Math.max(1, Math.round(pixelRatio));
  for (let y = Math.max(0, from + cover, first); y < end; y++) {
    for (let x = gap.from; x < gap.end; x++) {
      const at = y * width + plotLeft + x;
      if (pixels[at] === ground && (isNarrow || (x - gap.from + y + top) % pitch < line))
        pixels[at] = hatching;
    }
  }
}
