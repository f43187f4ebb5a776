/**
 * Paints the marks of the error log and of msdb. Each kind has a shape of its own, so that colour is not the only sign.
 */
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

/** Shapes of the moments in a box of 10 by 10, here and in the legend. */
export const MARK_SHAPES = {
  FlushCache: 'M0 1H10L5 9Z',
  'buffer pool scan': 'M5 0L10 5L5 10L0 5Z',
  'slow I/O': 'M1 1L9 9M1 9L9 1',
  notice: 'M4 0h2v6h-2zM4 8h2v2h-2z',
} as const;

export function paintMarks(
  context: CanvasRenderingContext2D,
  row: MarkRow,
  marks: LaidMarks,
  theme: Theme,
): void {
  for (const bar of marks.bars) paintBar(context, row, bar, theme);
  for (const group of marks.groups) paintGroup(context, row, group, theme);
}

function paintGroup(
  context: CanvasRenderingContext2D,
  row: MarkRow,
  { kind, at, marks }: MarkGroup,
  theme: Theme,
): void {
  const size = SHAPE_PX * row.pixelRatio;
  const [x, top] = [row.plotLeft + at + 0.5, row.top + row.pixelRatio];
  const shape = new Path2D(MARK_SHAPES[kind as keyof typeof MARK_SHAPES]);
  context.save();
  context.translate(x - size / 2, top);
  context.scale(size / 10, size / 10);
  context.fillStyle = context.strokeStyle = theme.marks[kind];
  context.lineWidth = 2.5;
  if (kind === 'slow I/O') context.stroke(shape);
  else context.fill(shape);
  context.restore();
  if (marks.length === 1) return;
  context.fillStyle = theme.dim;
  context.font = `${Math.round(8.5 * row.pixelRatio)}px sans-serif`;
  context.textBaseline = 'middle';
  context.fillText(countText(marks.length), x + size / 2 + row.pixelRatio, top + size / 2);
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
