/** uPlot with its own points: one for each begin, without the duration. It shows less, but this is the usual way to draw moments with uPlot. */
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { COLOURS, HEIGHT_PX, WIDTH_PX, moveWindow, nameLane, type Draw } from '../contender';

export const draw: Draw = (frame, { columns, lanes, window }) => {
  const seconds = columns.beginUtcMs.map((ms) => ms / 1000);
  const plot = new uPlot(
    {
      width: WIDTH_PX,
      height: HEIGHT_PX,
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: true, auto: false }, y: { auto: false, range: () => [lanes, 0] } },
      axes: [{}, { size: 110, values: (_, splits) => splits.map((lane) => nameLane(lane)) }],
      series: [{}, { paths: () => null, points: { show: true, size: 2, width: 0, fill: COLOURS[1] } }],
    },
    [seconds, columns.database] as unknown as uPlot.AlignedData,
    frame,
  );
  const pan = (share: number): void => {
    const view = moveWindow(window, share);
    plot.setScale('x', { min: view.beginUtcMs / 1000, max: view.endUtcMs / 1000 });
  };
  pan(0);
  return { pan };
};
