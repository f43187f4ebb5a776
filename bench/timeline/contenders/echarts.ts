/**
 * ECharts: lines in large mode, one series for each colour, flat typed coordinates as in its large examples, whole
 * frames. Sampling exists only for line series, which show no durations.
 */
import { LinesChart } from 'echarts/charts';
import { GridComponent } from 'echarts/components';
import { type EChartsType, init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import {
  COLOURS,
  MARGIN_PX,
  PLOT_HEIGHT_PX,
  moveWindow,
  nameLane,
  sortIntoBands,
  type Draw,
  type TimelineData,
} from '../contender';

use([LinesChart, GridComponent, CanvasRenderer]);

export const draw: Draw = async (frame, data) => {
  const chart = init(frame);
  await whenDrawn(chart, () =>
    chart.setOption({
      animation: false,
      grid: { left: MARGIN_PX.left, right: MARGIN_PX.right, top: 0, bottom: MARGIN_PX.bottom },
      xAxis: { type: 'time', ...limitsOf(data, 0) },
      yAxis: {
        type: 'category',
        inverse: true,
        data: Array.from({ length: data.lanes }, (_, lane) => nameLane(lane)),
      },
      series: sortIntoBands(data.columns).map((rows, band) => ({
        type: 'lines',
        coordinateSystem: 'cartesian2d',
        large: true,
        largeThreshold: 0,
        progressive: 0,
        silent: true,
        clip: true,
        lineStyle: { color: COLOURS[band], width: PLOT_HEIGHT_PX / data.lanes, opacity: 1, cap: 'square' },
        data: flatten(data, rows),
      })),
    }),
  );
  return { pan: (share) => whenDrawn(chart, () => chart.setOption({ xAxis: limitsOf(data, share) })) };
};

/** Changes the chart. Resolves once all of it is drawn, which ECharts does in the browser's next frames. */
function whenDrawn(chart: EChartsType, change: () => void): Promise<void> {
  return new Promise((resolve) => {
    const finished = (): void => {
      chart.off('finished', finished);
      resolve();
    };
    chart.on('finished', finished);
    change();
  });
}

function limitsOf({ window }: TimelineData, share: number): { readonly min: number; readonly max: number } {
  const { beginUtcMs, endUtcMs } = moveWindow(window, share);
  return { min: beginUtcMs, max: endUtcMs };
}

/** Count, x, y, x, y of each segment. */
function flatten(
  { columns: { beginUtcMs, durationMs, database } }: TimelineData,
  rows: Uint32Array,
): Float64Array {
  const flat = new Float64Array(rows.length * 5);
  rows.forEach((row, i) =>
    flat.set(
      [2, beginUtcMs[row]!, database[row]!, beginUtcMs[row]! + durationMs[row]!, database[row]!],
      i * 5,
    ),
  );
  return flat;
}
