/**
 * The whole time below the axis, with a lens over what is in view. The reader drags, resizes or redraws the lens;
 * the keys of the lanes move what is in view. D3 draws it.
 */
import { brushX, type BrushBehavior, type D3BrushEvent } from 'd3-brush';
import { select, type Selection } from 'd3-selection';
import { formatDuration } from '../../../core/format';
import type { TimeWindow } from '../../../core/statistics/statistics';
import { createBusyColumns } from '../../../core/timeline/busy-bins';
import { describeOffset, formatWindow } from '../../model/clock';
import { createElement, setLabel, setText, sizeCanvas } from '../../kit/elements';
import {
  countParts,
  layoutOverview,
  moveLens,
  placeLens,
  resizeLens,
  type Grip,
  type OverviewBar,
} from './minimap-layout';
import { layoutGaps, type GapSpan } from '../lanes/time-marks';
import { showsAll, spanOf, centreMoment } from '../../model/time-window';
import type { TimelineLayout } from '../lanes/timeline-layout';
import type { Theme } from '../../kit/theme';
import type { TaskHistory } from './task-history';
import type { TimelineInput } from '../lanes/timeline-scene';
import { createSvg, drawSvg } from '../../charts/svg-tree';
import { t } from '../../../core/language';

const HEIGHT_PX = 26;

interface MinimapEvents {
  onWindow(window: TimeWindow): void;
  onFit(): void;
  /** The lanes take the keyboard. */
  onLeave(): void;
  /** The lens was let go; paint it again where the window is. */
  onMove(): void;
}

export class Minimap {
  readonly element: HTMLElement;
  private readonly label: HTMLElement;
  private readonly plot: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly lens: Selection<SVGGElement, unknown, null, undefined>;
  /** The areas left and right of the lens. */
  private readonly shades: readonly Selection<SVGRectElement, unknown, null, undefined>[];
  private readonly brush: BrushBehavior<unknown>;
  private input: TimelineInput | null = null;
  private widthPx = 0;
  /** While the lens is held. */
  private grip: Grip | null = null;
  /** Describes what the picture was made from. */
  private painted = '';
  private paintedTheme: Theme | null = null;

  constructor(
    private readonly history: TaskHistory,
    private readonly events: MinimapEvents,
  ) {
    this.label = createElement('div.minimap-label.dim', { 'aria-hidden': 'true' });
    this.canvas = createElement('canvas', { 'aria-hidden': 'true' });
    const svg = drawSvg(createSvg('svg', { 'aria-hidden': 'true' }));
    this.plot = createElement('div.minimap-plot', {
      role: 'img',
      children: [this.canvas, svg],
    });
    this.element = createElement('div.minimap', { children: [this.label, this.plot] });
    this.brush = brushX().handleSize(8);
    const drawing = select(svg);
    this.shades = [0, 1].map(() => drawing.append('rect').attr('class', 'shade').attr('height', HEIGHT_PX));
    this.lens = drawing.append('g').attr('class', 'lens');
    this.listen();
  }

  /** Is there only where not all of the time is in view. A lens that is held stays. */
  showIfZoomed({ window, bounds }: TimelineInput): void {
    this.element.hidden = showsAll(window, bounds) && !this.grip;
  }

  /** Paints one frame. The picture itself is painted again only if data, bounds, size or theme have changed. */
  paint(input: TimelineInput, { pixelRatio, plotLeft, plotWidth }: TimelineLayout, theme: Theme): void {
    this.input = input;
    const { bounds, window, clock } = input;
    this.label.style.width = `${plotLeft / pixelRatio}px`;
    setText(this.label, formatDuration(spanOf(bounds)));
    const observedUntil = input.observation.endUtcMs;
    const made = [
      this.history.version,
      bounds.beginUtcMs,
      bounds.endUtcMs,
      observedUntil,
      input.gaps.length,
      plotWidth,
      pixelRatio,
    ].join();
    if (made !== this.painted || theme !== this.paintedTheme) {
      [this.painted, this.paintedTheme] = [made, theme];
      this.paintPicture(input, plotWidth, pixelRatio, theme);
    }
    this.placeLens(plotWidth / pixelRatio);
    const all = formatDuration(spanOf(bounds));
    const told = t('{0} of {1}', formatDuration(spanOf(window)), all);
    setLabel(
      this.plot,
      `${t('Time in view')}: ${formatWindow(window, clock)}, ${describeOffset(clock, window)}, ${told}`,
    );
  }

  private paintPicture(input: TimelineInput, plotWidth: number, pixelRatio: number, theme: Theme): void {
    const height = Math.round(HEIGHT_PX * pixelRatio);
    const count = countParts(plotWidth, pixelRatio);
    const busy = createBusyColumns(count);
    this.history.busy?.reduce(
      input.columns,
      input.index,
      input.observation,
      { ...input.bounds, columns: count },
      busy,
    );
    const longestMs = new Float64Array(count);
    this.history.overview.reduce(input.bounds, longestMs);
    sizeCanvas(this.canvas, plotWidth, height, pixelRatio);
    const bars = layoutOverview({ longestMs, ...busy }, plotWidth, height, pixelRatio);
    const gaps = layoutGaps(input.gaps, { ...input.bounds, columns: plotWidth });
    paintMinimap(this.canvas.getContext('2d')!, bars, gaps, pixelRatio, theme);
  }

  /** While the lens is dragged, the pointer decides where it is. */
  private placeLens(widthPx: number): void {
    if (widthPx !== this.widthPx) {
      this.widthPx = widthPx;
      this.plot.style.width = `${widthPx}px`;
      this.brush.extent([
        [0, 0],
        [widthPx, HEIGHT_PX],
      ]);
      this.lens.call(this.brush);
    }
    const { window, bounds } = this.input!;
    const [left, right] = placeLens(window, bounds, widthPx);
    this.shades[0]!.attr('width', left);
    this.shades[1]!.attr('x', right).attr('width', Math.max(0, widthPx - right));
    if (!this.grip) this.lens.call(this.brush.move, [left, right]);
  }

  private listen(): void {
    for (const part of ['start', 'brush', 'end'])
      this.brush.on(part, (event: D3BrushEvent<unknown>) => this.followBrush(event));
    this.plot.addEventListener('dblclick', () => this.events.onFit());
  }

  private followBrush({ type, mode, selection, sourceEvent }: D3BrushEvent<unknown>): void {
    // Without a source event it was our own code that placed the lens.
    if (!sourceEvent || !this.input) return;
    const { window, bounds } = this.input;
    if (type === 'start') this.grip = { window, edges: placeLens(window, bounds, this.widthPx) };
    const { grip } = this;
    if (type === 'brush' && selection && grip) {
      const read = mode === 'drag' ? moveLens : resizeLens;
      this.events.onWindow(read(selection as [number, number], grip, bounds, this.widthPx));
    }
    if (type !== 'end') return;
    this.grip = null;
    this.events.onLeave();
    // A click leaves no selection: it centres the window there.
    if (!selection)
      this.events.onWindow(
        centreMoment(window, bounds, this.momentAt(sourceEvent as MouseEvent | TouchEvent)),
      );
    this.events.onMove();
  }

  private momentAt(event: MouseEvent | TouchEvent): number {
    const { bounds } = this.input!;
    const { clientX } = 'changedTouches' in event ? event.changedTouches[0]! : event;
    return (
      bounds.beginUtcMs + ((clientX - this.plot.getBoundingClientRect().left) / this.widthPx) * spanOf(bounds)
    );
  }
}

function paintMinimap(
  context: CanvasRenderingContext2D,
  bars: readonly OverviewBar[],
  gaps: readonly GapSpan[],
  pixelRatio: number,
  theme: Theme,
): void {
  const { width, height } = context.canvas;
  context.clearRect(0, 0, width, height);
  for (const { from, end, isPartial } of gaps)
    paintHatching(context, from, end, height, isPartial ? 10 : 5, pixelRatio, theme);
  // Bars lie over the hatching, so that no gap hides one.
  for (const bar of bars) {
    context.fillStyle = theme.ramp[bar.level]!;
    context.fillRect(bar.x, height - bar.height, bar.width, bar.height);
  }
}

/**
 * Hatches from the top down to a height. The pattern starts at the gap's left edge, so it does not move in the gap when
 * the view pans.
 */
function paintHatching(
  context: CanvasRenderingContext2D,
  from: number,
  end: number,
  height: number,
  pitchPx: number,
  pixelRatio: number,
  theme: Theme,
): void {
  context.save();
  context.beginPath();
  context.rect(from, 0, end - from, height);
  context.clip();
  context.strokeStyle = theme.dim;
  context.globalAlpha = 0.55;
  context.lineWidth = Math.max(1, Math.round(pixelRatio));
  context.beginPath();
  for (let x = from - height; x < end; x += Math.round(pitchPx * pixelRatio)) {
    context.moveTo(x, height);
    context.lineTo(x + height, 0);
  }
  context.stroke();
  context.restore();
}
