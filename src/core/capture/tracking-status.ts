import { countOf, formatDateTime } from '../format';
import type { Observation } from './checkpoint-columns';

/** What of the capture could be seen, and how every row read is accounted for. */
export interface TrackingStatus {
  readonly state: 'not tracking' | 'starting' | 'tracking' | 'stopping' | 'stopped' | 'failed';
  /** The session ran when the server was read last. Whether it runs now is not known. */
  readonly isLastSeen: boolean;
  /** What is shown was kept by an earlier window; whose it is, and whether its session goes on, the server has not said yet. null: nothing of that. */
  readonly unverified: UnverifiedCapture | null;
  readonly observation: Observation | null;
  readonly rowsRead: number;
  readonly checkpoints: number;
  readonly unpaired: number;
  readonly duplicates: number;
  readonly malformed: number;
  readonly otherEvents: number;
  /** Single events that the server lost, and whole buffers of events: two figures of two units. null: the server's counter could not be observed. */
  readonly lostEvents: number | null;
  readonly lostBuffers: number | null;
  /** Why nothing new is seen though it is meant to be tracked: its session is not there, or does not run, or its events could not be read. null: nothing of that. */
  readonly trouble: 'session gone' | 'not read' | null;
  /** What the session had stored before it was followed is being read: how many events so far, and whether reading pauses at the user's wish. null: it was read to its end. */
  readonly reading: { readonly events: number; readonly isPaused: boolean } | null;
  /** One sentence where something needs attention. */
  readonly message: string | null;
}

/** A capture that its server has not confirmed as its own. */
export interface UnverifiedCapture {
  /** The end of what it observed. */
  readonly toUtcMs: number;
  /** Of the server's clock, when its session was looked at last; null: not known. */
  readonly utcOffsetMinutes: number | null;
}

/** "As of 09:40, not verified yet"; with the day where it is another than today. @param utcOffsetMinutes of the clock that is shown */
export function describeUnverified({ toUtcMs }: UnverifiedCapture, utcOffsetMinutes: number, nowUtcMs: number): string {
  const [at = '', now = ''] = [toUtcMs, nowUtcMs].map((utcMs) => formatDateTime(utcMs, utcOffsetMinutes).slice(0, 16));
  return `As of ${at.slice(0, 10) === now.slice(0, 10) ? at.slice(11) : at}, not verified yet`;
}

/** What the session had stored is being read, in two parts: "Reading what the session recorded", "67,784 events so far". null: it is not, or was read to its end. */
export function describeReading({ reading }: Pick<TrackingStatus, 'reading'>): { readonly title: string; readonly text: string } | null {
  if (reading === null) return null;
  const title = reading.isPaused ? 'Reading what the session recorded is paused' : 'Reading what the session recorded';
  return { title, text: `${countOf(reading.events, 'event')} so far` };
}

/** What is said in place of the state of a session that is not in sight; null: it is. */
export function describeLastSeen({ state, isLastSeen }: Pick<TrackingStatus, 'state' | 'isLastSeen'>): string | null {
  if (!isLastSeen) return null;
  return state === 'tracking' ? 'Last seen running' : 'Tracked when last seen';
}

/** Why tracking cannot be started: the platform has no such session, or this login may not. */
export interface TrackingObstacle {
  /** "needs ALTER ANY EVENT SESSION". */
  readonly brief: string;
  /** Permissions that this login lacks; empty where none would help. */
  readonly missing: readonly string[];
  /** What to do, and what works all the same. */
  readonly sentence: string;
  /** What an administrator runs to let this login track; null where nothing can be granted. */
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
