/** The naive canvas: for each object it calls D3's scales and one fillRect. */
import { scaleBand } from 'd3-scale';
import { COLOURS, HEIGHT_PX, MARGIN_PX, PLOT_HEIGHT_PX, WIDTH_PX, moveWindow, type Draw } from '../contender';
import { makeRows } from './d3-rows';
import { addAxis, addCanvas, scaleOver } from './plot-elements';

export const draw: Draw = (frame, data) => {
  const context = addCanvas(frame);
  const drawAxis = addAxis(frame);
  const rows = makeRows(data);
  const y = scaleBand<number>(
    Array.from({ length: data.lanes }, (_, lane) => lane),
    [0, PLOT_HEIGHT_PX],
  );
  const pan = (share: number): void => {
    const view = moveWindow(data.window, share);
    const x = scaleOver(view);
    context.clearRect(0, 0, WIDTH_PX, HEIGHT_PX);
    for (const row of rows) {
      context.fillStyle = COLOURS[row.band]!;
      const [from, end] = [x(row.begin), x(row.end)];
      context.fillRect(MARGIN_PX.left + from, y(row.lane)!, Math.max(1, end - from), y.bandwidth());
    }
    drawAxis(view);
  };
  pan(0);
  return { pan };
};
