import { t } from '../language';

/** What a comparison compares: one figure of the changed databases together. */
export interface Measure {
  readonly id: MeasureId;
  /** Can begin a sentence. */
  readonly title: string;
  readonly unit: string;
  /** What a reader has to know of it, as a sentence; may be empty. */
  readonly note: string;
}

export type MeasureId = keyof typeof LIST;

const LIST = {
  // After a switch, pages are written by the recovery writer, outside of begin and end (docs/facts.md, SQL Server 1).
  'checkpoint seconds': [
    t('Time in checkpoints'),
    t('seconds an hour'),
    t(
      'Indirect checkpoints also write pages outside their begin and end, so less time in checkpoints does not mean less work.',
    ),
  ],
  // All page writes, of every kind, over the work that caused them.
  'write work': [t('Data per byte of log of the changed databases'), t('bytes'), ''],
  'data latency': [t('Data file write latency'), t('milliseconds a write'), ''],
  'log latency': [t('Log write latency'), t('milliseconds a write'), ''],
} as const;

export const MEASURES: readonly Measure[] = (Object.keys(LIST) as MeasureId[]).map((id) => {
  const [title, unit, note] = LIST[id];
  return { id, title, unit, note };
});

/** These tell whether the workload stayed the same. None of them is a result. */
export const WORKLOADS = ['log rate', 'transaction rate', 'log per transaction'] as const;

export type WorkloadId = (typeof WORKLOADS)[number];
