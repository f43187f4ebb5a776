import { countOf, formatDateTime } from '../format';
import type { Observation } from './checkpoint-columns';
import { t } from '../language';

/** What a capture could observe, and how every row read is accounted for. */
export interface TrackingStatus {
  readonly state: 'not tracking' | 'starting' | 'tracking' | 'stopping' | 'stopped' | 'failed';
  /** The session ran when the server was read last. Whether it runs now is not known. */
  readonly isLastSeen: boolean;
  /**
   * An earlier window kept what is shown, and the server has not confirmed yet that it is its own and goes on. null if
   * this is not so.
   */
  readonly unverified: UnverifiedCapture | null;
  readonly observation: Observation | null;
  readonly rowsRead: number;
  readonly checkpoints: number;
  readonly unpaired: number;
  readonly duplicates: number;
  readonly malformed: number;
  readonly otherEvents: number;
  /**
   * Lost events, and lost buffers of events: two counts in different units. null: the server's counter could not be
   * observed.
   */
  readonly lostEvents: number | null;
  readonly lostBuffers: number | null;
  /**
   * Why nothing new is read though tracking is on: the session is missing or stopped, or its events could not be read.
   * null if all is well.
   */
  readonly trouble: 'session gone' | 'not read' | null;
  /**
   * Set while events stored before following began are read: how many so far, and whether the user paused it. null: all
   * were read.
   */
  readonly reading: { readonly events: number; readonly isPaused: boolean } | null;
  /**
   * The capture is a file: there is no server behind it. The offset is that of the server's clock when it was last
   * looked at. Absent: there is a server.
   */
  readonly record?: { readonly utcOffsetMinutes: number | null };
  /** One sentence if something needs attention. */
  readonly message: string | null;
}

/** A capture that its server has not confirmed as its own. */
export interface UnverifiedCapture {
  /** The end of what it observed. */
  readonly toUtcMs: number;
  /** Of the server's clock at the last look at its session; null: not known. */
  readonly utcOffsetMinutes: number | null;
}

/** "As of 09:40, not verified yet"; with its day if not today. @param utcOffsetMinutes of the clock that is shown */
export function describeUnverified(
  { toUtcMs }: UnverifiedCapture,
  utcOffsetMinutes: number,
  nowUtcMs: number,
): string {
  const [at = '', now = ''] = [toUtcMs, nowUtcMs].map((utcMs) =>
    formatDateTime(utcMs, utcOffsetMinutes).slice(0, 16),
  );
  return t('As of {0}, not verified yet', at.slice(0, 10) === now.slice(0, 10) ? at.slice(11) : at);
}

/**
 * Title and text while stored events are read: "Reading what the session recorded", "67,784 events so far". null: none
 * are being read.
 */
export function describeReading({
  reading,
}: Pick<TrackingStatus, 'reading'>): { readonly title: string; readonly text: string } | null {
  if (reading === null) return null;
  const title = reading.isPaused
    ? t('Reading what the session recorded is paused')
    : t('Reading what the session recorded');
  return { title, text: countOf(reading.events, t('{0} event so far'), t('{0} events so far')) };
}

/** The words for the state of a session that could not be looked at now; null: it could. */
export function describeLastSeen({
  state,
  isLastSeen,
}: Pick<TrackingStatus, 'state' | 'isLastSeen'>): string | null {
  if (!isLastSeen) return null;
  return state === 'tracking' ? t('Last seen running') : t('Tracked when last seen');
}

/** Why tracking cannot be started: the platform has no such session, or this login lacks a permission. */
export interface TrackingObstacle {
  /** "needs ALTER ANY EVENT SESSION". */
  readonly brief: string;
  /** Permissions that this login lacks; empty if none would help. */
  readonly missing: readonly string[];
  /** What to do, and what works without it. */
  readonly sentence: string;
  /** What an administrator runs to let this login track; null if nothing can be granted. */
  readonly grant: string | null;
}

/** The status of a server that is not tracked and shows no capture. */
export const notTracking: TrackingStatus = {
  state: 'not tracking',
  isLastSeen: false,
  unverified: null,
  observation: null,
  rowsRead: 0,
  checkpoints: 0,
  unpaired: 0,
  duplicates: 0,
  malformed: 0,
  otherEvents: 0,
  lostEvents: null,
  lostBuffers: null,
  trouble: null,
  reading: null,
  message: null,
};
