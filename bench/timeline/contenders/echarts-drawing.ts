/** Waits for ECharts, which draws in the browser's next frames and says when it is done. */
import type { EChartsType } from 'echarts/core';

/** Changes the chart. Resolves once all of it is drawn. */
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
