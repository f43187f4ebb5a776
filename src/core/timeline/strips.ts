import type { StripSeries } from './strip-samples';
import { t } from '../language';

/** The strips above the lanes, from the top. */
export const STRIP_IDS = ['busy', 'dataWrite', 'logWrite', 'writelog', 'pages'] as const;

export type StripId = (typeof STRIP_IDS)[number];

/** The strips that are shown until others are chosen. */
export const DEFAULT_STRIPS: readonly StripId[] = ['busy', 'logWrite'];

/** What a strip shows, in words. */
export interface Strip {
  /** The text beside the strip. */
  readonly name: string;
  /** One sentence: whose values they are, and what they mean. */
  readonly title: string;
  /**
   * The first is drawn as an area, the second as a line over it. None: the strip is made from the checkpoints
   * themselves.
   */
  readonly series: readonly StripSeries[];
  /** What the card calls each series. */
  readonly seriesNames: readonly string[];
  readonly unit: 'ms' | 'pages/s' | '%';
}

export const STRIPS: Readonly<Record<StripId, Strip>> = {
  busy: {
    name: t('Task busy'),
    title: t(
      'Share of the time in which a checkpoint of an automatic database ran. These databases share one task. Two checkpoints at once are drawn differently: the task ran at most one of them.',
    ),
    series: [],
    seriesNames: [],
    unit: '%',
  },
  dataWrite: {
    name: t('Data write'),
    title: t('Average time of a write to the data files of the whole instance, in each sample.'),
    series: ['dataWriteMs'],
    seriesNames: [t('Data file write')],
    unit: 'ms',
  },
  logWrite: {
    name: t('Log write'),
    title: t('Average time of a write to the log files of the whole instance, in each sample.'),
    series: ['logWriteMs'],
    seriesNames: [t('Log file write')],
    unit: 'ms',
  },
  writelog: {
    name: 'WRITELOG',
    title: t('Average WRITELOG wait of the whole instance, in each sample.'),
    series: ['writelogMs'],
    seriesNames: [t('WRITELOG wait')],
    unit: 'ms',
  },
  pages: {
    name: t('Pages'),
    title: t(
      'Pages a second that checkpoints of the whole instance wrote, in each sample. Dashed: the background writer.',
    ),
    series: ['checkpointPagesPerSecond', 'backgroundWriterPagesPerSecond'],
    seriesNames: [t('Checkpoint pages'), t('Background writer pages')],
    unit: 'pages/s',
  },
};
