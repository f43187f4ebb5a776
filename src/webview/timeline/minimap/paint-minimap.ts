/** Paints the whole time at one glance. Every number comes from layout/, every colour from the theme. */
import type { OverviewBar } from './minimap-layout';
import type { GapSpan } from '../lanes/time-marks';
import type { Theme } from '../../kit/theme';

/** Paints all of it. Device pixels; the canvas is as wide as the plot. */
export function paintMinimap(
  context: CanvasRenderingContext2D,
  bars: readonly OverviewBar[],
  gaps: readonly GapSpan[],
  pixelRatio: number,
  theme: Theme,
): void {
  const { width, height } = context.canvas;
  context.clearRect(0, 0, width, height);
  for (const bar of bars) {
    context.fillStyle = theme.ramp[bar.level]!;
    context.fillRect(bar.x, height - bar.height, bar.width, bar.height);
  }
  for (const gap of gaps) paintGap(context, gap, pixelRatio, theme);
}

function paintGap(context: CanvasRenderingContext2D, { from, end, isPartial }: GapSpan, pixelRatio: number, theme: Theme): void {
  const { height } = context.canvas;
  context.save();
  context.beginPath();
  context.rect(from, 0, end - from, height);
  context.clip();
  if (!isPartial) context.clearRect(from, 0, end - from, height);
  context.strokeStyle = theme.dim;
  context.globalAlpha = 0.55;
  context.lineWidth = Math.max(1, Math.round(pixelRatio));
  context.beginPath();
  for (let x = from - height; x < end; x += Math.round((isPartial ? 10 : 5) * pixelRatio)) {
    context.moveTo(x, height);
    context.lineTo(x + height, 0);
  }
  context.stroke();
  context.restore();
}
