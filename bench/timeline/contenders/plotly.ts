/**
 * Plotly: lines, one trace for each colour, with gaps between the segments. Its way for many points is WebGL (`scattergl`). Without a graphics card its first
 * picture takes about as long and a frame more CPU, and it draws such lines wrongly on an axis that runs downwards. Neither samples; both leave out
 * what is shorter than a pixel.
 */
import Plotly from 'plotly.js-dist-min';
import {
  COLOURS,
  HEIGHT_PX,
  MARGIN_PX,
  PLOT_HEIGHT_PX,
  WIDTH_PX,
  moveWindow,
  sortIntoBands,
  type Draw,
  type TimelineData,
} from '../contender';

export const draw: Draw = async (frame, data) => {
  const range = (share: number): [number, number] => {
    const { beginUtcMs, endUtcMs } = moveWindow(data.window, share);
    return [beginUtcMs, endUtcMs];
  };
  await Plotly.newPlot(
    frame,
    sortIntoBands(data.columns).map((rows, band) => ({
      type: 'scatter' as const,
      mode: 'lines' as const,
      hoverinfo: 'skip' as const,
      connectgaps: false,
      line: { color: COLOURS[band]!, width: PLOT_HEIGHT_PX / data.lanes },
      ...partSegments(data, rows),
    })),
    {
      width: WIDTH_PX,
      height: HEIGHT_PX,
      margin: { l: MARGIN_PX.left, r: MARGIN_PX.right, t: 0, b: MARGIN_PX.bottom },
      showlegend: false,
      xaxis: { type: 'date', range: range(0) },
      yaxis: { range: [data.lanes, 0] },
    },
    { staticPlot: true },
  );
  return {
    async pan(share) {
      await Plotly.relayout(frame, { xaxis: { type: 'date', range: range(share) } });
    },
  };
};

/** Begin, end and gap of each checkpoint. */
function partSegments({ columns: { beginUtcMs, durationMs, database } }: TimelineData, rows: Uint32Array) {
  const [x, y]: [(number | null)[], (number | null)[]] = [[], []];
  for (const row of rows) {
    x.push(beginUtcMs[row]!, beginUtcMs[row]! + durationMs[row]!, null);
    y.push(database[row]!, database[row]!, null);
  }
  return { x, y };
}
