import { t } from '../language';
import type { UtcMs, WholeNumber } from '../schema';

/**
 * Why time, or part of it, could not be observed. A look at the server finds each; nothing is guessed:
 * - `session stopped`, `session dropped`, `session replaced`: another person stopped it, dropped it, or made it again;
 * - `server restarted`, `failover`: the server started again, or another server answers under its name;
 * - `clock moved back`: the server's clock says less than at the look before;
 * - `permission lost`: the login may not read the events any more;
 * - `events lost`: the session's own counters of lost events and buffers rose;
 * - `files rolled over`: the file in which reading was to go on is gone (25722, 25717);
 * - `ring buffer overwritten`: the ring held fewer events than it had taken since the look before, or its XML was cut;
 * - `damaged file`: a block of an event file was skipped (25720);
 * - `databases changed`: the databases to be tracked were changed on the running session;
 * - `unknown`: time that no file of saved events covers; a capture kept by an earlier version; too many that were joined.
 */
export const GAP_KINDS = [
  'session stopped',
  'session dropped',
  'session replaced',
  'server restarted',
  'failover',
  'clock moved back',
  'permission lost',
  'events lost',
  'files rolled over',
  'ring buffer overwritten',
  'damaged file',
  'databases changed',
  'unknown',
] as const;

export type GapKind = (typeof GAP_KINDS)[number];

/** The kinds as a reader sees them. */
export const GAP_NAMES: Readonly<Record<GapKind, string>> = {
  'session stopped': t('session stopped'),
  'session dropped': t('session dropped'),
  'session replaced': t('session replaced'),
  'server restarted': t('server restarted'),
  failover: t('failover'),
  'clock moved back': t('clock moved back'),
  'permission lost': t('permission lost'),
  'events lost': t('events lost'),
  'files rolled over': t('files rolled over'),
  'ring buffer overwritten': t('ring buffer overwritten'),
  'damaged file': t('damaged file'),
  'databases changed': t('databases changed'),
  unknown: t('unknown reason'),
};

/** A half-open interval in which events may be missing, with its kind and the reason as it is shown on screen. */
export interface Gap {
  readonly kind: GapKind;
  readonly beginUtcMs: UtcMs;
  readonly endUtcMs: UtcMs;
  readonly reason: string;
  /** For `databases changed`: the database ids before and after it; null: all. Absent if they are not known. */
  readonly databases?: {
    readonly before: readonly WholeNumber[] | null;
    readonly after: readonly WholeNumber[] | null;
  };
}
