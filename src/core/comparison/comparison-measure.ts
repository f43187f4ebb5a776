/** What is compared before and after a change. */
import { t } from '../language';

export type MeasureScope = 'database' | 'instance';

export interface Measure {
  readonly id: MeasureId;
  readonly scope: MeasureScope;
  /** Can begin a sentence. */
  readonly title: string;
  readonly unit: string;
  /** What a reader has to know of it, as a sentence; may be empty. */
  readonly note: string;
}

/** After a change from 0 or to 0: page writes move from the checkpoint to the recovery writer, outside of begin and end (docs/facts.md, SQL Server 1). */
export const DIFFERENT_MECHANISM = t(
  'Different mechanism: indirect checkpoints write pages outside of begin and end, so shorter ones do not mean less work.',
);

const INSTANCE_ONLY = t('This is for the whole instance. It does not show which database it comes from.');

export type MeasureId =
  | 'write work'
  | 'write rate'
  | 'write work per transaction'
  | 'data latency'
  | 'log latency'
  | 'checkpoint seconds'
  | 'checkpoint rate'
  | 'checkpoint p50'
  | 'checkpoint p95'
  | 'checkpoint maximum'
  | 'flush cache'
  | 'full backup'
  | 'differential backup'
  | 'log backup'
  | 'log reuse'
  | 'instance write work'
  | 'writelog wait';

/** The conclusion rests on the first one. */
const LIST: Readonly<Record<MeasureId, readonly [scope: MeasureScope, title: string, unit: string, note: string]>> = {
  'write work': ['database', t('Total write work'), t('bytes written to data files per byte of log'), ''],
  'write rate': ['database', t('Bytes written to data files'), t('bytes an hour'), t('Not divided by the work done.')],
  'write work per transaction': ['database', t('Data file writes per transaction'), t('bytes per write transaction'), ''],
  'data latency': ['database', t('Data file write latency'), t('milliseconds a write'), ''],
  'log latency': ['database', t('Log write latency'), t('milliseconds a write'), ''],
  'checkpoint seconds': ['database', t('Time in checkpoints'), t('seconds an hour'), DIFFERENT_MECHANISM],
  'checkpoint rate': ['database', t('Number of checkpoints'), t('checkpoints an hour'), DIFFERENT_MECHANISM],
  'checkpoint p50': ['database', t('Median checkpoint duration'), t('milliseconds'), DIFFERENT_MECHANISM],
  'checkpoint p95': ['database', t('95th percentile of checkpoint durations'), t('milliseconds'), DIFFERENT_MECHANISM],
  'checkpoint maximum': ['database', t('Longest checkpoint of a day'), t('milliseconds'), DIFFERENT_MECHANISM],
  'flush cache': [
    'database',
    t('Number of FlushCache messages'),
    t('messages an hour'),
    t('SQL Server logs one only when a checkpoint outlasts the recovery interval.'),
  ],
  'full backup': ['database', t('Time of full backups'), t('seconds per GB'), t('Bytes before compression.')],
  'differential backup': ['database', t('Time of differential backups'), t('seconds per GB'), t('Bytes before compression.')],
  'log backup': ['database', t('Time of log backups'), t('seconds per GB'), t('Bytes before compression.')],
  'log reuse': [
    'database',
    t('Share of time in which log reuse waited for a checkpoint'),
    t('share of quarter hours'),
    t('Seen as CHECKPOINT or OLDEST_PAGE.'),
  ],
  'instance write work': [
    'instance',
    t('Total write work of the instance'),
    t('bytes of pages from checkpoints, background writer and lazy writer per byte of log'),
    INSTANCE_ONLY,
  ],
  'writelog wait': ['instance', t('Average WRITELOG wait'), t('milliseconds a wait'), INSTANCE_ONLY],
};

export const MEASURES: readonly Measure[] = (Object.keys(LIST) as MeasureId[]).map((id) => {
  const [scope, title, unit, note] = LIST[id];
  return { id, scope, title, unit, note };
});

/** Total write work per byte of log: all page writes, whoever makes them, over the work that caused them. */
export const MAIN_MEASURE: MeasureId = 'write work';

/** These tell whether the workload stayed the same. None of them is a result. */
export const WORKLOADS = ['log rate', 'transaction rate', 'log per transaction', 'instance log rate'] as const;

export type WorkloadId = (typeof WORKLOADS)[number];
