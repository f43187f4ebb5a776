/**
 * Paints the strips above the lanes, and the gaps and changes behind them. Every number comes from the layout, every
 * colour from the theme.
 */
import type { StripId } from '../../../core/timeline/strips';
import type { StripStep, StripBox } from './strip-layout';
import type { ChangeMark, GapSpan } from '../lanes/time-marks';
import type { Theme } from '../../kit/theme';
import { paintChanges } from '../lanes/paint-timeline';
import type { TimelineLayout } from '../lanes/timeline-layout';

/** As high as all strips with what is below them. */
type StripPlot = Pick<TimelineLayout, 'plotLeft' | 'plotWidth' | 'height' | 'pixelRatio'>;

export interface StripScene {
  readonly box: StripBox;
  readonly area: readonly StripStep[];
  /** In the same room: two checkpoints at once. */
  readonly overlap: readonly StripStep[];
  /** A dashed line over the area. */
  readonly line: readonly StripStep[];
  /** Columns that were sampled but could not be observed. */
  readonly unobserved: readonly StripStep[];
  /** Columns without a sample. */
  readonly unsampled: readonly StripStep[];
}

/** Colour of each strip, by its name in the theme. */
const COLOURS: Readonly<Record<StripId, keyof Theme['strips']>> = {
  busy: 'busy',
  dataWrite: 'latency',
  logWrite: 'latency',
  writelog: 'latency',
  pages: 'pages',
};

/** Paints one frame into a cleared canvas. */
export function paintStrips(
  context: CanvasRenderingContext2D,
  plot: StripPlot,
  strips: readonly StripScene[],
  gaps: readonly GapSpan[],
  changes: readonly ChangeMark[],
  theme: Theme,
): void {
  paintUnseen(context, plot, strips, gaps, theme);
  for (const strip of strips) paintStrip(context, plot, strip, theme);
  paintChanges(context, plot, plot.height, changes, theme);
}

/** Paints a line at the keyboard's place through all strips, strongest on the strip that it is on. */
export function paintStripCursor(
  context: CanvasRenderingContext2D,
  plot: StripPlot,
  { box, column }: { readonly box: StripBox; readonly column: number },
  theme: Theme,
): void {
  const line = Math.max(1, Math.round(plot.pixelRatio));
  const left = plot.plotLeft + column - (line >> 1);
  context.fillStyle = theme.foreground;
  context.globalAlpha = 0.4;
  context.fillRect(left, 0, line, plot.height);
  context.globalAlpha = 1;
  context.fillRect(left, box.top, line, box.height);
}

function paintStrip(
  context: CanvasRenderingContext2D,
  plot: StripPlot,
  strip: StripScene,
  theme: Theme,
): void {
  const { box } = strip;
  const colour = theme.strips[COLOURS[box.id]];
  const hairline = Math.max(1, Math.floor(plot.pixelRatio));
  context.fillStyle = theme.line;
  context.globalAlpha = theme.kind.startsWith('high') ? 0.3 : 1;
  context.fillRect(plot.plotLeft, box.top + box.height - hairline, plot.plotWidth, hairline);
  context.globalAlpha = theme.kind.startsWith('high') ? 0.55 : 0.4;
  context.fillStyle = colour;
  for (const step of strip.area) fillStep(context, plot, box, step);
  context.globalAlpha = 1;
  paintOverlap(context, plot, box, strip.overlap, theme);
  // The busy share goes up and down from pixel to pixel. Its edge is drawn softly, or it would look more important than
  // it is.
  context.globalAlpha = box.id === 'busy' && !theme.kind.startsWith('high') ? 0.6 : 1;
  strokeSteps(context, plot, box, strip.area, colour);
  context.globalAlpha = 1;
  context.setLineDash([3 * plot.pixelRatio, 2 * plot.pixelRatio]);
  strokeSteps(context, plot, box, strip.line, theme.foreground);
  context.setLineDash([hairline, 3 * plot.pixelRatio]);
  strokeSteps(context, plot, box, strip.unobserved, theme.dim);
  context.setLineDash([]);
}

function fillStep(
  context: CanvasRenderingContext2D,
  plot: StripPlot,
  box: StripBox,
  { from, end, height }: StripStep,
): void {
  context.fillRect(plot.plotLeft + from, box.top + box.height - height, end - from, height);
}

/** Two checkpoints at once: a background of its own with upright lines, so that colour is not the only sign. */
function paintOverlap(
  context: CanvasRenderingContext2D,
  plot: StripPlot,
  box: StripBox,
  steps: readonly StripStep[],
  theme: Theme,
): void {
  context.fillStyle = theme.strips.overlap;
  context.globalAlpha = 0.85;
  for (const step of steps) fillStep(context, plot, box, step);
  context.globalAlpha = 1;
  context.fillStyle = theme.foreground;
  const [pitch, line] = [Math.round(4 * plot.pixelRatio), Math.max(1, Math.floor(plot.pixelRatio))];
  for (const { from, end, height } of keepLong(steps, pitch))
    for (let x = Math.ceil((plot.plotLeft + from) / pitch) * pitch; x < plot.plotLeft + end; x += pitch)
      context.fillRect(x, box.top + box.height - height, line, height);
}

/**
 * Keeps runs of touching steps that are wide enough; in a narrow run the upright lines would look like marks of their
 * own.
 */
function keepLong(steps: readonly StripStep[], least: number): readonly StripStep[] {
  const kept: StripStep[] = [];
  for (let first = 0, next = 0; first < steps.length; first = next) {
    for (next = first + 1; next < steps.length && steps[next]!.from === steps[next - 1]!.end; next++);
    if (steps[next - 1]!.end - steps[first]!.from >= least) kept.push(...steps.slice(first, next));
  }
  return kept;
}

/** The upper edge of steps: a line while steps touch, none between steps that do not. */
function strokeSteps(
  context: CanvasRenderingContext2D,
  plot: StripPlot,
  box: StripBox,
  steps: readonly StripStep[],
  colour: string,
): void {
  const width = Math.max(1, Math.round(plot.pixelRatio));
  const y = (height: number): number => box.top + box.height - height - width / 2;
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  let end = -1;
  for (const step of steps) {
    if (step.from === end) context.lineTo(plot.plotLeft + step.from, y(step.height));
    else context.moveTo(plot.plotLeft + step.from, y(step.height));
    context.lineTo(plot.plotLeft + step.end, y(step.height));
    end = step.end;
  }
  context.stroke();
}

/** A background without hatching: there is little room, and the lanes below hatch gaps. Where two lie, one is painted. */
function paintUnseen(
  context: CanvasRenderingContext2D,
  { plotLeft, height }: StripPlot,
  strips: readonly StripScene[],
  gaps: readonly GapSpan[],
  theme: Theme,
): void {
  context.fillStyle = theme.dim;
  context.globalAlpha = 0.16;
  context.beginPath();
  for (const { from, end } of gaps) context.rect(plotLeft + from, 0, end - from, height);
  for (const { box, unsampled } of strips)
    for (const { from, end } of unsampled) context.rect(plotLeft + from, box.top, end - from, box.height);
  context.fill();
  context.globalAlpha = 1;
}
