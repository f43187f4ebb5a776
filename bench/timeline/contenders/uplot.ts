/**
 * uPlot with a path builder of our own, as in its timeline demo (timeline-discrete): one Path2D of rectangles for each
 * colour, on typed columns (mode 2: one series of begins and lanes), nothing sampled. uPlot reads moments in seconds.
 */
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { COLOURS, HEIGHT_PX, WIDTH_PX, bandOf, moveWindow, nameLane, type Draw } from '../contender';

export const draw: Draw = (frame, { columns, lanes, window }) => {
  const seconds = columns.beginUtcMs.map((ms) => ms / 1000);
  const { durationMs, database, rows } = columns;
  const paths: uPlot.Series.PathBuilder = (plot, series) => {
    const fills = COLOURS.map(() => new Path2D());
    uPlot.orient(
      plot,
      series,
      (_, __, ___, scaleX, scaleY, xToPos, yToPos, xOff, yOff, xDim, yDim, ____, _____, rect) => {
        const height = Math.abs(yToPos(1, scaleY, yDim, yOff) - yToPos(0, scaleY, yDim, yOff));
        for (let row = 0; row < rows; row++) {
          const x = xToPos(seconds[row]!, scaleX, xDim, xOff);
          const end = xToPos(seconds[row]! + durationMs[row]! / 1000, scaleX, xDim, xOff);
          if (end < xOff || x > xOff + xDim) continue;
          rect(
            fills[bandOf(durationMs[row]!)]!,
            x,
            yToPos(database[row]!, scaleY, yDim, yOff),
            Math.max(1, end - x),
            height,
          );
        }
        plot.ctx.save();
        plot.ctx.beginPath();
        plot.ctx.rect(xOff, yOff, xDim, yDim);
        plot.ctx.clip();
        fills.forEach((fill, band) => {
          plot.ctx.fillStyle = COLOURS[band]!;
          plot.ctx.fill(fill);
        });
        plot.ctx.restore();
      },
    );
    return null;
  };
  const range = (share: number): uPlot.Range.MinMax => {
    const view = moveWindow(window, share);
    return [view.beginUtcMs / 1000, view.endUtcMs / 1000];
  };
  const plot = new uPlot(
    {
      mode: 2,
      width: WIDTH_PX,
      height: HEIGHT_PX,
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: true, auto: false, range: (_, min, max) => [min, max] },
        y: { auto: false, range: () => [lanes, 0] },
      },
      axes: [{}, { size: 110, values: (_, splits) => splits.map((lane) => nameLane(lane)) }],
      series: [
        {},
        {
          facets: [
            { scale: 'x', auto: false },
            { scale: 'y', auto: false },
          ],
          paths,
          points: { show: false },
        },
      ],
    },
    // Its types allow only plain arrays in mode 2, but it reads typed ones.
    [null, [seconds, database]] as unknown as uPlot.AlignedData,
    frame,
  );
  const pan = (share: number): void => {
    const [min, max] = range(share);
    plot.setScale('x', { min: min!, max: max! });
  };
  pan(0);
  return { pan };
};
