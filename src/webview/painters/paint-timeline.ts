/** Paints the lanes from laid-out geometry. It decides nothing: every number comes from layout/, every colour from the theme. */
import type { Bar } from '../layout/lane-bars';
import type { ChangeMark, GapSpan } from '../layout/time-marks';
import { laneTop, type TimelineLayout } from '../layout/timeline-layout';
import type { Theme } from '../theme';

export interface Scene {
  readonly layout: TimelineLayout;
  readonly laneCount: number;
  readonly selectedLane: number | null;
  readonly hoveredLane: number | null;
  /** Bars of the lanes in view, the first for `layout.firstLane`. */
  readonly bars: readonly (readonly Bar[])[];
  readonly gaps: readonly GapSpan[];
  readonly changes: readonly ChangeMark[];
  /** Device pixels of the checkpoint reached by the keyboard. */
  readonly cursor: { readonly x: number; readonly width: number; readonly lane: number } | null;
}

/** Paints one frame. */
export function paintTimeline(context: CanvasRenderingContext2D, scene: Scene, theme: Theme): void {
  context.clearRect(0, 0, scene.layout.width, scene.layout.height);
  paintLaneGrounds(context, scene, theme);
  for (const bars of scene.bars) paintBars(context, bars, scene.layout, theme);
  for (const gap of scene.gaps) paintGap(context, gap, scene, theme);
  paintChanges(context, scene, theme);
  if (scene.cursor) paintCursor(context, scene.cursor, scene.layout, theme);
}

function paintLaneGrounds(context: CanvasRenderingContext2D, scene: Scene, theme: Theme): void {
  const { layout } = scene;
  const hairline = Math.max(1, Math.floor(layout.pixelRatio));
  for (let lane = layout.firstLane; lane < layout.endLane; lane++) {
    const top = laneTop(layout, lane);
    const ground = lane === scene.selectedLane ? theme.selection : lane === scene.hoveredLane ? theme.hover : null;
    if (ground) {
      context.fillStyle = ground;
      context.fillRect(0, top, layout.width, layout.laneHeight);
    }
    // The lines of high contrast are as strong as text; between bars they would compete with what is measured.
    context.globalAlpha = theme.kind.startsWith('high') ? 0.3 : 1;
    context.fillStyle = theme.line;
    context.fillRect(layout.plotLeft, top + layout.laneHeight - hairline, layout.plotWidth, hairline);
    context.globalAlpha = 1;
    if (lane === scene.selectedLane) paintOutline(context, top, layout, theme.selectionBorder, hairline);
  }
}

function paintOutline(context: CanvasRenderingContext2D, top: number, layout: TimelineLayout, colour: string, line: number): void {
  context.strokeStyle = colour;
  context.lineWidth = line;
  context.strokeRect(line / 2, top + line / 2, layout.width - line, layout.laneHeight - line);
}

function paintBars(context: CanvasRenderingContext2D, bars: readonly Bar[], layout: TimelineLayout, theme: Theme): void {
  let level = -1;
  for (const bar of bars) {
    if (bar.level !== level) context.fillStyle = theme.ramp[(level = bar.level)]!;
    context.fillRect(bar.x, bar.y, bar.width, bar.height);
  }
  const thickness = Math.max(1, Math.round(1.5 * layout.pixelRatio));
  context.fillStyle = theme.foreground;
  for (const bar of bars) if (bar.capped) context.fillRect(bar.x, bar.y - thickness, bar.width, thickness);
}

/** Lines of the hatching of a gap, in CSS pixels from one to the next: of time with events in it, if not all, only every other. */
const HATCH_PX = { whole: 7, partial: 14 } as const;

/** Bottom of the lanes in view, in device pixels. */
const bottomOf = ({ layout, laneCount }: Scene): number => Math.min(layout.height, laneTop(layout, laneCount));

function paintGap(context: CanvasRenderingContext2D, gap: GapSpan, scene: Scene, theme: Theme): void {
  const { plotLeft, pixelRatio } = scene.layout;
  const bottom = bottomOf(scene);
  context.save();
  context.beginPath();
  context.rect(plotLeft + gap.from, 0, gap.end - gap.from, bottom);
  context.clip();
  if (!gap.isPartial) {
    context.fillStyle = theme.background;
    context.fillRect(plotLeft + gap.from, 0, gap.end - gap.from, bottom);
  }
  context.strokeStyle = theme.dim;
  context.globalAlpha = 0.55;
  context.lineWidth = Math.max(1, Math.round(pixelRatio));
  context.beginPath();
  // The hatching hangs on the left edge of the gap, so that it stands still while the view pans and scrolls past its end.
  for (let x = gap.from - bottom; x < gap.end; x += Math.round((gap.isPartial ? HATCH_PX.partial : HATCH_PX.whole) * pixelRatio)) {
    context.moveTo(plotLeft + x, bottom);
    context.lineTo(plotLeft + x + bottom, 0);
  }
  context.stroke();
  context.restore();
}

function paintChanges(context: CanvasRenderingContext2D, scene: Scene, theme: Theme): void {
  const { plotLeft, pixelRatio } = scene.layout;
  const bottom = bottomOf(scene);
  const width = Math.max(1, Math.round(pixelRatio));
  const dash = Math.round(3 * pixelRatio);
  context.fillStyle = theme.accent;
  for (const mark of scene.changes)
    for (let y = 0; y < bottom; y += dash * 2) context.fillRect(plotLeft + mark.at, y, width, Math.min(dash, bottom - y));
}

function paintCursor(context: CanvasRenderingContext2D, cursor: NonNullable<Scene['cursor']>, layout: TimelineLayout, theme: Theme): void {
  const line = Math.max(1, Math.round(layout.pixelRatio));
  context.strokeStyle = theme.foreground;
  context.lineWidth = line;
  const margin = line * 2;
  const top = laneTop(layout, cursor.lane);
  context.strokeRect(cursor.x - margin + line / 2, top + line / 2, cursor.width + margin * 2 - line, layout.laneHeight - line * 2);
}
