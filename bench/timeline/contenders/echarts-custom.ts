/** ECharts with a custom series, as in its flame chart and schedule examples: a function makes a rectangle for each datum. It has no large mode. */
import type { CustomSeriesOption } from 'echarts';
import { CustomChart } from 'echarts/charts';
import { GridComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { COLOURS, MARGIN_PX, bandOf, moveWindow, nameLane, type Draw, type TimelineData } from '../contender';
import { whenDrawn } from './echarts-drawing';

use([CustomChart, GridComponent, CanvasRenderer]);

export const draw: Draw = async (frame, data) => {
  const chart = init(frame);
  const limits = (share: number) => {
    const { beginUtcMs, endUtcMs } = moveWindow(data.window, share);
    return { min: beginUtcMs, max: endUtcMs };
  };
  await whenDrawn(chart, () =>
    chart.setOption({
      animation: false,
      grid: { left: MARGIN_PX.left, right: MARGIN_PX.right, top: 0, bottom: MARGIN_PX.bottom },
      xAxis: { type: 'time', ...limits(0) },
      yAxis: { type: 'category', inverse: true, data: Array.from({ length: data.lanes }, (_, lane) => nameLane(lane)) },
      series: makeSeries(data),
    }),
  );
  return { pan: (share) => whenDrawn(chart, () => chart.setOption({ xAxis: limits(share) })) };
};

function makeSeries(data: TimelineData): CustomSeriesOption {
  return {
    type: 'custom',
    dimensions: ['begin', 'lane', 'end'],
    encode: { x: ['begin', 'end'], y: 'lane' },
    progressive: 0,
    silent: true,
    clip: true,
    data: flatten(data),
    renderItem(_, api) {
      const [x, y] = api.coord([api.value(0), api.value(1)]) as [number, number];
      const [end] = api.coord([api.value(2), api.value(1)]) as [number];
      const height = (api.size!([0, 1]) as number[])[1]!;
      const durationMs = Number(api.value(2)) - Number(api.value(0));
      const shape = { x, y: y - height / 2, width: Math.max(1, end - x), height };
      return { type: 'rect', shape, style: { fill: COLOURS[bandOf(durationMs)]! } };
    },
  };
}

/** Begin, lane and end of each checkpoint. */
function flatten({ columns: { rows, beginUtcMs, durationMs, database } }: TimelineData): Float64Array {
  const flat = new Float64Array(rows * 3);
  for (let row = 0; row < rows; row++) flat.set([beginUtcMs[row]!, database[row]!, beginUtcMs[row]! + durationMs[row]!], row * 3);
  return flat;
}
