/**
 * What people write by hand for speed: one fillRect for each checkpoint, straight from the columns, colour by colour,
 * without allocation in a frame.
 */
import { axisBottom } from 'd3-axis';
import { scaleUtc } from 'd3-scale';
import { select } from 'd3-selection';
import {
  COLOURS,
  HEIGHT_PX,
  MARGIN_PX,
  PLOT_HEIGHT_PX,
  PLOT_WIDTH_PX,
  WIDTH_PX,
  moveWindow,
  sortIntoBands,
  type Draw,
} from '../contender';

export const draw: Draw = (frame, { columns, lanes, window }) => {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: WIDTH_PX, height: HEIGHT_PX });
  canvas.style.position = 'absolute';
  frame.append(canvas);
  const context = canvas.getContext('2d')!;
  const svg = select(frame)
    .append('svg')
    .attr('width', WIDTH_PX)
    .attr('height', HEIGHT_PX)
    .style('position', 'absolute');
  const axis = svg.append('g').attr('transform', `translate(${MARGIN_PX.left},${PLOT_HEIGHT_PX})`);
  const bands = sortIntoBands(columns);
  const { beginUtcMs, durationMs, database } = columns;
  const laneHeight = PLOT_HEIGHT_PX / lanes;
  const pan = (share: number): void => {
    const view = moveWindow(window, share);
    const pxPerMs = PLOT_WIDTH_PX / (view.endUtcMs - view.beginUtcMs);
    context.clearRect(0, 0, WIDTH_PX, HEIGHT_PX);
    bands.forEach((rows, band) => {
      context.fillStyle = COLOURS[band]!;
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i]!;
        const x = (beginUtcMs[row]! - view.beginUtcMs) * pxPerMs;
        const width = Math.max(1, durationMs[row]! * pxPerMs);
        if (x + width < 0 || x > PLOT_WIDTH_PX) continue;
        context.fillRect(MARGIN_PX.left + x, database[row]! * laneHeight, width, laneHeight);
      }
    });
    axis.call(axisBottom(scaleUtc([view.beginUtcMs, view.endUtcMs], [0, PLOT_WIDTH_PX])));
  };
  pan(0);
  return { pan };
};
