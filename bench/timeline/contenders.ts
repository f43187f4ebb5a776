/** The contenders, each a module of ./contenders, in the order of the tables. */
export const CONTENDERS = {
  ours: 'Checkpoint Health',
  'typed-canvas': 'canvas, one fillRect each from typed columns',
  uplot: 'uPlot, a path of rectangles a colour',
  echarts: 'ECharts, lines in large mode',
} as const;

export type ContenderName = keyof typeof CONTENDERS;
