/**
 * Paints the marks of the error log and of msdb. Each kind has a shape of its own, so that colour is not the only sign.
 */
import type { TimeMarkKind } from '../../../core/timeline/time-marks';
import {
  countText,
  SHAPE_PX,
  type LaidMarks,
  type LaneTick,
  type MarkBar,
  type MarkGroup,
} from './mark-layout';
import { laneCover, laneTop, type TimelineLayout } from './timeline-layout';
import type { Theme } from '../../kit/theme';

/** Where the row lies. */
interface MarkRow extends Pick<TimelineLayout, 'plotLeft' | 'height' | 'pixelRatio'> {
  readonly top: number;
}

/** Paints the row. `focused`: the marks that the keyboard has reached. */
export function paintMarks(
  context: CanvasRenderingContext2D,
  row: MarkRow,
  marks: LaidMarks,
  focused: LaidMarks['groups'][number]['marks'],
  theme: Theme,
): void {
  for (const bar of marks.bars) paintBar(context, row, bar, theme);
  for (const group of marks.groups) paintGroup(context, row, group, focused === group.marks, theme);
}

/** Paints a shape with its middle at a point. */
function paintShape(
  context: CanvasRenderingContext2D,
  kind: TimeMarkKind,
  x: number,
  y: number,
  size: number,
  theme: Theme,
): void {
  const half = size / 2;
  context.fillStyle = theme.marks[kind];
  context.strokeStyle = theme.marks[kind];
  context.beginPath();
  if (kind === 'FlushCache')
    drawPolygon(context, [
      [x - half, y - half * 0.8],
      [x + half, y - half * 0.8],
      [x, y + half * 0.8],
    ]);
  else if (kind === 'buffer pool scan')
    drawPolygon(context, [
      [x, y - half],
      [x + half, y],
      [x, y + half],
      [x - half, y],
    ]);
  else if (kind === 'notice') {
    context.rect(x - size / 8, y - half, size / 4, size * 0.6);
    context.rect(x - size / 8, y + size * 0.3, size / 4, size * 0.2);
  } else if (kind === 'slow I/O') return strokeCross(context, x, y, half);
  context.fill();
}

function drawPolygon(
  context: CanvasRenderingContext2D,
  points: readonly (readonly [number, number])[],
): void {
  points.forEach(([x, y], i) => (i === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
  context.closePath();
}

function strokeCross(context: CanvasRenderingContext2D, x: number, y: number, half: number): void {
  context.lineWidth = Math.max(1.5, half * 0.5);
  const reach = half * 0.8;
  context.moveTo(x - reach, y - reach);
  context.lineTo(x + reach, y + reach);
  context.moveTo(x - reach, y + reach);
  context.lineTo(x + reach, y - reach);
  context.stroke();
}

function paintGroup(
  context: CanvasRenderingContext2D,
  row: MarkRow,
  { kind, at, marks }: MarkGroup,
  isFocused: boolean,
  theme: Theme,
): void {
  const size = SHAPE_PX * row.pixelRatio;
  const [x, y] = [row.plotLeft + at + 0.5, row.top + size / 2 + row.pixelRatio];
  paintShape(context, kind, x, y, size, theme);
  if (marks.length > 1) {
    context.fillStyle = theme.dim;
    context.font = `${Math.round(8.5 * row.pixelRatio)}px sans-serif`;
    context.textBaseline = 'middle';
    context.fillText(countText(marks.length), x + size / 2 + row.pixelRatio, y);
  }
  if (isFocused) outline(context, x - size / 2, y - size / 2, size, size, row.pixelRatio, theme);
}

function outline(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  ratio: number,
  theme: Theme,
): void {
  context.strokeStyle = theme.foreground;
  context.lineWidth = Math.max(1, Math.round(ratio));
  context.strokeRect(x - 2 * ratio, y - 2 * ratio, width + 4 * ratio, height + 4 * ratio);
}

/** A backup is a solid bar, a recovery a hollow one. */
function paintBar(
  context: CanvasRenderingContext2D,
  row: MarkRow,
  { mark, from, end }: MarkBar,
  theme: Theme,
): void {
  const line = Math.max(1, Math.round(row.pixelRatio));
  const height = Math.round(4 * row.pixelRatio);
  const top = row.top + row.height - height - line;
  context.fillStyle = theme.marks[mark.kind];
  context.fillRect(row.plotLeft + from, top, end - from, height);
  if (mark.kind === 'recovery')
    context.clearRect(
      row.plotLeft + from + line,
      top + line,
      Math.max(0, end - from - 2 * line),
      height - 2 * line,
    );
}

export function paintLaneTicks(
  context: CanvasRenderingContext2D,
  ticks: readonly LaneTick[],
  layout: TimelineLayout,
  theme: Theme,
): void {
  for (const tick of ticks) {
    const { x, y, width, height } = placeLaneTick(tick, layout);
    context.fillStyle = theme.marks[tick.kind];
    context.fillRect(x, y, width, height);
  }
}

/** Device pixels; no height: pinned lanes cover it. */
export function placeLaneTick({ lane, at }: LaneTick, layout: TimelineLayout) {
  const width = Math.max(2, Math.round(2 * layout.pixelRatio));
  const height = Math.max(3, Math.round(4 * layout.pixelRatio));
  const cover = Math.min(height, laneCover(layout, lane));
  const x = layout.plotLeft + at - (width >> 1);
  return { x, y: laneTop(layout, lane) + cover, width, height: height - cover };
}
