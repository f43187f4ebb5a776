/** The contenders, each a module of ./contenders, in the order of the tables. */
export const CONTENDERS = {
  ours: 'Checkpoint Health',
  'bare-axis': 'page with a D3 axis alone',
  'typed-canvas': 'canvas, one fillRect each from typed columns',
  'd3-canvas': 'canvas, objects and D3 scales',
  uplot: 'uPlot, a path of rectangles a colour',
  'uplot-points': 'uPlot, its own points',
  echarts: 'ECharts, lines in large mode',
  'echarts-custom': 'ECharts, custom series',
  'd3-svg': 'D3, SVG',
  plotly: 'Plotly, lines',
  'vis-timeline': 'vis-timeline',
} as const;

export type ContenderName = keyof typeof CONTENDERS;
