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

export type MeasureId = 'write work' | 'data latency' | 'log latency' | 'checkpoint seconds' | 'instance write work' | 'writelog wait';

/** The conclusion rests on the first one. */
const LIST: Readonly<Record<MeasureId, readonly [scope: MeasureScope, title: string, unit: string, note: string]>> = {
  'write work': ['database', t('Total write work'), t('bytes written to data files per byte of log'), ''],
  'data latency': ['database', t('Data file write latency'), t('milliseconds a write'), ''],
  'log latency': ['database', t('Log write latency'), t('milliseconds a write'), ''],
  'checkpoint seconds': ['database', t('Time in checkpoints'), t('seconds an hour'), DIFFERENT_MECHANISM],
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
