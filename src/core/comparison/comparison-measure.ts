/** What is compared before and after a change. */

export type MeasureScope = 'database' | 'instance';

export interface Measure {
  readonly id: MeasureId;
  readonly scope: MeasureScope;
  /** Can begin a sentence. */
  readonly title: string;
  readonly unit: string;
  /** What a reader has to know of it; may be empty. */
  readonly note: string;
}

/** After a change from 0 or to 0: page writes move from the checkpoint to the recovery writer, outside of begin and end (docs/facts.md, SQL Server 1). */
export const DIFFERENT_MECHANISM =
  'different mechanism: with indirect checkpoints pages are written outside of begin and end, so shorter ones do not mean less work';

const INSTANCE_ONLY = 'instance-wide: it cannot be told which database it comes from';

/** The conclusion rests on the first one. */
const LIST = [
  ['write work', 'database', 'Total write work', 'bytes written to data files per byte of log', ''],
  ['write rate', 'database', 'Bytes written to data files', 'bytes an hour', 'not normalised by the work done'],
  ['write work per transaction', 'database', 'Data file writes per transaction', 'bytes per write transaction', ''],
  ['data latency', 'database', 'Data file write latency', 'ms a write', ''],
  ['log latency', 'database', 'Log write latency', 'ms a write', ''],
  ['checkpoint seconds', 'database', 'Time in checkpoints', 'seconds an hour', DIFFERENT_MECHANISM],
  ['checkpoint rate', 'database', 'Number of checkpoints', 'an hour', DIFFERENT_MECHANISM],
  ['checkpoint p50', 'database', 'Median checkpoint duration', 'ms', DIFFERENT_MECHANISM],
  ['checkpoint p95', 'database', '95th percentile of checkpoint durations', 'ms', DIFFERENT_MECHANISM],
  ['checkpoint maximum', 'database', 'Longest checkpoint of a day', 'ms', DIFFERENT_MECHANISM],
  ['flush cache', 'database', 'Number of FlushCache messages', 'an hour', 'written only when a checkpoint outlasts the recovery interval'],
  ['full backup', 'database', 'Time of full backups', 'seconds per GB', 'bytes before compression'],
  ['differential backup', 'database', 'Time of differential backups', 'seconds per GB', 'bytes before compression'],
  ['log backup', 'database', 'Time of log backups', 'seconds per GB', 'bytes before compression'],
  [
    'log reuse',
    'database',
    'Share of time in which log reuse waited for a checkpoint',
    'of quarters of an hour',
    'CHECKPOINT or OLDEST_PAGE seen',
  ],
  [
    'instance write work',
    'instance',
    'Total write work of the instance',
    'bytes of checkpoint, background writer and lazy writer pages per byte of log',
    INSTANCE_ONLY,
  ],
  ['writelog wait', 'instance', 'Average WRITELOG wait', 'ms a wait', INSTANCE_ONLY],
] as const;

export type MeasureId = (typeof LIST)[number][0];

export const MEASURES: readonly Measure[] = LIST.map(([id, scope, title, unit, note]) => ({ id, scope, title, unit, note }));

/** Total write work per byte of log: all page writes, whoever makes them, over the work that caused them. */
export const MAIN_MEASURE: MeasureId = 'write work';

/** These tell whether the workload stayed the same. None of them is a result. */
export const WORKLOADS = ['log rate', 'transaction rate', 'log per transaction', 'instance log rate'] as const;

export type WorkloadId = (typeof WORKLOADS)[number];
