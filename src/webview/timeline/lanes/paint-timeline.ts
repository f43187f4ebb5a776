/** Paints the timeline. It decides nothing: every number comes from the layout, every colour from the theme. */
import type { ChangeMark } from './time-marks';
import type { LaneTick } from './mark-layout';
import { paintLaneTicks } from './paint-marks';
import { laneCover, laneTop, layoutPinnedEdges, type TimelineLayout } from './timeline-layout';
import type { Theme } from '../../kit/theme';
import { createBandFiller, type LaneImageInput, type InkColours, type LaneColours } from './lane-image';
import { INK, INKS } from './lane-strip';

export interface Scene extends LaneImageInput {
  readonly laneCount: number;
  /** How many lanes are pinned: the first ones. */
  readonly pinnedLanes: number;
  readonly changes: readonly ChangeMark[];
  /** Marks at the tops of their lanes. */
  readonly ticks: readonly LaneTick[];
  /** Device pixels of the checkpoint reached by the keyboard. */
  readonly cursor: { readonly x: number; readonly width: number; readonly lane: number } | null;
}

export function paintTimeline(context: CanvasRenderingContext2D, scene: Scene, theme: Theme): void {
  paintLanes(context, scene, theme);
  paintPinnedEdges(context, scene, theme);
  const { layout, selectedLane, cursor } = scene;
  if (selectedLane !== null)
    paintInLane(context, layout, selectedLane, () =>
      paintOutline(context, selectedLane, layout, theme.selectionBorder),
    );
  paintChanges(context, layout, bottomOf(scene), scene.changes, theme);
  if (cursor) paintInLane(context, layout, cursor.lane, () => paintCursor(context, cursor, layout, theme));
  paintLaneTicks(context, scene.ticks, layout, theme);
}

/** Device pixels: lanes are painted in bands through one small image, which stays in the processor's cache. */
const BAND_HEIGHT = 64;

/** The image is kept for each canvas. */
const bands = new WeakMap<CanvasRenderingContext2D, ImageData>();

/** Paints lanes as pixels, not shapes, so the cost does not depend on what they show. */
function paintLanes(context: CanvasRenderingContext2D, scene: Scene, theme: Theme): void {
  const { width, height } = scene.layout;
  const known = bands.get(context);
  const band = known?.width === width ? known : new ImageData(width, BAND_HEIGHT);
  bands.set(context, band);
  const pixels = new Uint32Array(band.data.buffer);
  const fill = createBandFiller(scene, readLaneColours(theme));
  for (let top = 0; top < height; top += BAND_HEIGHT) {
    fill(pixels, top);
    context.putImageData(band, 0, top);
  }
}

const hairlineOf = ({ pixelRatio }: TimelineLayout): number => Math.max(1, Math.floor(pixelRatio));

function paintPinnedEdges(
  context: CanvasRenderingContext2D,
  { layout, pinnedLanes, laneCount }: Scene,
  theme: Theme,
): void {
  const line = hairlineOf(layout);
  context.fillStyle = theme.dim;
  for (const edge of layoutPinnedEdges(layout, pinnedLanes, laneCount))
    context.fillRect(0, edge - line, layout.width, line);
}

/** Paints on a lane, but not over pinned lanes that cover it. */
function paintInLane(
  context: CanvasRenderingContext2D,
  layout: TimelineLayout,
  lane: number,
  paint: () => void,
): void {
  const cover = laneCover(layout, lane);
  context.save();
  context.beginPath();
  context.rect(0, laneTop(layout, lane) + cover, layout.width, layout.laneHeight - cover);
  context.clip();
  paint();
  context.restore();
}

function paintOutline(
  context: CanvasRenderingContext2D,
  lane: number,
  layout: TimelineLayout,
  colour: string,
): void {
  const line = hairlineOf(layout);
  context.strokeStyle = colour;
  context.lineWidth = line;
  context.strokeRect(
    line / 2,
    laneTop(layout, lane) + line / 2,
    layout.width - line,
    layout.laneHeight - line,
  );
}

/** Bottom of the lanes in view, in device pixels. */
export const bottomOf = ({ layout, laneCount }: Scene): number =>
  Math.min(layout.height, laneTop(layout, laneCount));

/** CSS pixels of a dash, and of the distance to the next. */
export const DASH_PX = 3;

/** Paints changes of a setting as dashed lines down to a height. */
export function paintChanges(
  context: CanvasRenderingContext2D,
  { plotLeft, pixelRatio }: Pick<TimelineLayout, 'plotLeft' | 'pixelRatio'>,
  height: number,
  changes: readonly ChangeMark[],
  theme: Theme,
): void {
  const width = Math.max(1, Math.round(pixelRatio));
  const dash = Math.round(DASH_PX * pixelRatio);
  context.fillStyle = theme.accent;
  for (const { at } of changes)
    for (let y = 0; y < height; y += dash * 2)
      context.fillRect(plotLeft + at, y, width, Math.min(dash, height - y));
}

function paintCursor(
  context: CanvasRenderingContext2D,
  cursor: NonNullable<Scene['cursor']>,
  layout: TimelineLayout,
  theme: Theme,
): void {
  const line = Math.max(1, Math.round(layout.pixelRatio));
  context.strokeStyle = theme.foreground;
  context.lineWidth = line;
  const margin = line * 2;
  const top = laneTop(layout, cursor.lane);
  context.strokeRect(
    cursor.x - margin + line / 2,
    top + line / 2,
    cursor.width + margin * 2 - line,
    layout.laneHeight - line * 2,
  );
}

const known = new WeakMap<Theme, LaneColours>();

/**
 * The colours of lanes in a theme as an image holds them, read once for each theme. Translucent colours are mixed with
 * their background.
 */
function readLaneColours(theme: Theme): LaneColours {
  const read = known.get(theme);
  if (read) return read;
  const mixer = createMixer();
  const colours = {
    plain: mixInks(mixer, theme, []),
    hovered: mixInks(mixer, theme, [theme.hover]),
    selected: mixInks(mixer, theme, [theme.selection]),
  };
  known.set(theme, colours);
  return colours;
}

/** Lays colours over each other, from the bottom up; `opacity` is that of the last. */
type Mixer = (layers: readonly string[], opacity?: number) => number;

function createMixer(): Mixer {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;
  return (layers, opacity = 1) => {
    for (const [i, colour] of layers.entries()) {
      context.globalAlpha = i === layers.length - 1 ? opacity : 1;
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
    }
    return new Uint32Array(context.getImageData(0, 0, 1, 1).data.buffer)[0]!;
  };
}

function mixInks(mix: Mixer, theme: Theme, over: readonly string[]): InkColours {
  const ground = [theme.background, ...over];
  const colours = new Uint32Array(INKS);
  colours[INK.ground] = mix(ground);
  // High contrast draws lines as strong as text; between bars they would distract from the data.
  colours[INK.hairline] = mix([...ground, theme.line], theme.kind.startsWith('high') ? 0.3 : 1);
  colours[INK.cap] = mix([...ground, theme.foreground]);
  colours[INK.foot] = mix([...ground, theme.foreground], 0.6);
  colours[INK.hatching] = mix([...ground, theme.dim], 0.55);
  theme.ramp.forEach((colour, level) => (colours[INK.level + level] = mix([...ground, colour])));
  return colours;
}
