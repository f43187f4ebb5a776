/** How the tables of write work are drawn. */
import { EXTRAPOLATED_SCANS, LAST_PUBLISHED_GB, PUBLISHED_SCANS } from '../task/scan-cost';
import { type EvidenceChart, PLAIN_CHART } from './evidence-chart';

/** Share of the pages by who wrote them: third column of the table of the instance. */
export const INSTANCE_CHARTS: readonly EvidenceChart[] = [
  {
    ...PLAIN_CHART,
    id: 'share',
    kind: 'bars',
    title: 'Who wrote the pages',
    axis: 'Share of the pages that checkpoints, background writer and lazy writer wrote',
    unit: 'share',
    scale: 'linear',
    column: 2,
  },
];

/** Second and third column of the table of databases. */
export const DATABASE_CHARTS: readonly EvidenceChart[] = [
  {
    ...PLAIN_CHART,
    id: 'bytes',
    kind: 'bars',
    title: 'Data written an hour',
    axis: 'Bytes an hour to data files',
    unit: 'bytes',
    scale: 'linear',
    column: 1,
  },
  {
    ...PLAIN_CHART,
    id: 'pages-per-write',
    kind: 'bars',
    title: 'Pages per write',
    axis: 'Pages of 8 KB in one write, on a logarithmic scale',
    unit: 'count',
    scale: 'log',
    references: [
      { value: 1, text: 'scattered' },
      { value: 32, text: 'gathered: 32' },
      { value: 128, text: '128, since 2016' },
    ],
    column: 2,
  },
];

/** Second and third column of the table of latencies. */
export const LATENCY_CHARTS: readonly EvidenceChart[] = [
  {
    ...PLAIN_CHART,
    id: 'latency',
    kind: 'pairs',
    title: 'What a write took',
    axis: 'Average of a write, on a logarithmic scale',
    unit: 'ms',
    scale: 'log',
    from: 2,
    to: 1,
  },
];

/** Third to fifth column of the table of delays. */
export const DELAY_CHARTS: readonly EvidenceChart[] = [
  {
    ...PLAIN_CHART,
    id: 'behind',
    kind: 'ranges',
    title: 'How long after the task became busy',
    axis: 'Delay behind other databases, on a logarithmic scale',
    unit: 'ms',
    scale: 'log',
    usual: 2,
    rare: 3,
    worst: 4,
  },
];

/** Third column of the table of scans over its second. @param cacheGb beyond what was measured the line goes on as its author drew it */
export function createScanCharts(cacheGb: number | null): readonly EvidenceChart[] {
  const isBeyond = cacheGb !== null && cacheGb > LAST_PUBLISHED_GB;
  return [
    {
      ...PLAIN_CHART,
      id: 'scan',
      kind: 'points',
      title: 'Cost of one scan beside what was published',
      axis: 'Cost of one scan',
      unit: 'ms',
      scale: 'linear',
      column: 2,
      across: { column: 1, axis: 'Size of the cache', unit: 'gigabytes' },
      line: {
        text: isBeyond ? 'Dashed: published up to 200 GB, beyond extrapolated by its author' : 'Dashed: published',
        points: isBeyond ? [...PUBLISHED_SCANS, ...EXTRAPOLATED_SCANS.slice(1)] : PUBLISHED_SCANS,
      },
    },
  ];
}
