import type { Observation } from './checkpoint-columns';

/** What of the capture could be seen, and how every row read is accounted for. */
export interface TrackingStatus {
  readonly state: 'not tracking' | 'starting' | 'tracking' | 'stopping' | 'stopped' | 'failed';
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
  /** One sentence where something needs attention. */
  readonly message: string | null;
}

/** The status of a server that is not tracked and shows no capture. */
export const notTracking: TrackingStatus = {
  state: 'not tracking',
  observation: null,
  rowsRead: 0,
  checkpoints: 0,
  unpaired: 0,
  duplicates: 0,
  malformed: 0,
  otherEvents: 0,
  lostEvents: null,
  lostBuffers: null,
  message: null,
};
