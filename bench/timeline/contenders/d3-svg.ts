/** The naive D3: a rect for each checkpoint, joined once. A pan sets the attributes that a new scale moves, as examples do on zoom. */
import { scaleBand } from 'd3-scale';
import { COLOURS, MARGIN_PX, PLOT_HEIGHT_PX, moveWindow, type Draw } from '../contender';
import { makeRows, type Row } from './d3-rows';
import { addAxis, addSvg, scaleOver } from './plot-elements';

export const draw: Draw = (frame, data) => {
  const drawAxis = addAxis(frame);
  const y = scaleBand<number>(
    Array.from({ length: data.lanes }, (_, lane) => lane),
    [0, PLOT_HEIGHT_PX],
  );
  const first = scaleOver(data.window);
  const bars = addSvg(frame)
    .append('g')
    .attr('transform', `translate(${MARGIN_PX.left},0)`)
    .selectAll<SVGRectElement, Row>('rect')
    .data(makeRows(data))
    .join('rect')
    .attr('x', ({ begin }) => first(begin))
    .attr('y', ({ lane }) => y(lane)!)
    .attr('width', ({ begin, end }) => Math.max(1, first(end) - first(begin)))
    .attr('height', y.bandwidth())
    .attr('fill', ({ band }) => COLOURS[band]!);
  drawAxis(data.window);
  return {
    pan(share) {
      const view = moveWindow(data.window, share);
      const x = scaleOver(view);
      bars.attr('x', ({ begin }) => x(begin));
      drawAxis(view);
    },
  };
};
