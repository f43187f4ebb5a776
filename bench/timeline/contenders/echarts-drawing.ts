/** Waiting for ECharts, which draws at the browser's next frames and says when it has done so. */
import type { EChartsType } from 'echarts/core';

/** Changes the chart; done where all of it is drawn. */
export function whenDrawn(chart: EChartsType, change: () => void): Promise<void> {
  return new Promise((resolve) => {
    const finished = (): void => {
      chart.off('finished', finished);
      resolve();
    };
    chart.on('finished', finished);
    change();
  });
}
