/** Shared by the contenders without a library of their own: a canvas, a time axis of D3, names of some lanes. */
import { axisBottom } from 'd3-axis';
import { scaleUtc } from 'd3-scale';
import { select } from 'd3-selection';
import type { TimeWindow } from '../../../src/core/statistics/statistics';
import { HEIGHT_PX, MARGIN_PX, PLOT_HEIGHT_PX, PLOT_WIDTH_PX, WIDTH_PX } from '../contender';

/** A canvas over the whole frame. */
export function addCanvas(frame: HTMLElement): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH_PX;
  canvas.height = HEIGHT_PX;
  canvas.style.position = 'absolute';
  frame.append(canvas);
  return canvas.getContext('2d')!;
}

/** An empty SVG over the whole frame. */
export function addSvg(frame: HTMLElement) {
  return select(frame).append('svg').attr('width', WIDTH_PX).attr('height', HEIGHT_PX).style('position', 'absolute');
}

/** A time axis below the bars. Gives a function that draws it for a window. */
export function addAxis(frame: HTMLElement): (window: TimeWindow) => void {
  const group = addSvg(frame).append('g').attr('transform', `translate(${MARGIN_PX.left},${PLOT_HEIGHT_PX})`);
  return (window) => {
    group.call(axisBottom(scaleOver(window)));
  };
}

/** D3's scale from moments to pixels of the plot. */
export const scaleOver = ({ beginUtcMs, endUtcMs }: TimeWindow) => scaleUtc([beginUtcMs, endUtcMs], [0, PLOT_WIDTH_PX]);
