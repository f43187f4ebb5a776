import type { StripSeries } from './strip-samples';

/** The strips above the lanes, from the top. */
export const STRIP_IDS = ['busy', 'dataWrite', 'logWrite', 'writelog', 'pages'] as const;

export type StripId = (typeof STRIP_IDS)[number];

/** The strips that are shown if nobody chose others. */
export const DEFAULT_STRIPS: readonly StripId[] = ['busy', 'logWrite'];

/** What a strip shows, in words. */
export interface Strip {
  /** The text beside the strip. */
  readonly name: string;
  /** One sentence: whose values they are, and what they mean. */
  readonly title: string;
  /** The first is drawn as an area, the second as a line over it. None: the strip is made from the checkpoints themselves. */
  readonly series: readonly StripSeries[];
  /** What the card calls each series. */
  readonly seriesNames: readonly string[];
  readonly unit: 'ms' | 'pages/s' | '%';
}

/** All strips by id. */
export const STRIPS: Readonly<Record<StripId, Strip>> = {
  busy: {
    name: 'Task busy',
    title:
      'Share of the time in which a checkpoint of a database with automatic checkpoints was running: they share one task. Two at once are told apart: one of them was not of the task.',
    series: [],
    seriesNames: [],
    unit: '%',
  },
  dataWrite: {
    name: 'Data write',
    title: 'Average time of a write to the data files of the whole instance, in each sample.',
    series: ['dataWriteMs'],
    seriesNames: ['Data file write'],
    unit: 'ms',
  },
  logWrite: {
    name: 'Log write',
    title: 'Average time of a write to the log files of the whole instance, in each sample.',
    series: ['logWriteMs'],
    seriesNames: ['Log file write'],
    unit: 'ms',
  },
  writelog: {
    name: 'WRITELOG',
    title: 'Average WRITELOG wait of the whole instance, in each sample.',
    series: ['writelogMs'],
    seriesNames: ['WRITELOG wait'],
    unit: 'ms',
  },
  pages: {
    name: 'Pages',
    title:
      'Pages that checkpoints of the whole instance wrote a second in each sample, and as a dashed line those of the background writer.',
    series: ['checkpointPagesPerSecond', 'backgroundWriterPagesPerSecond'],
    seriesNames: ['Checkpoint pages', 'Background writer pages'],
    unit: 'pages/s',
  },
};
