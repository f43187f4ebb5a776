import type { KeptRecord } from '../core/capture/capture-record';

/** A capture as it is kept on disk: what the timeline and every statistic need, without a server, and what is needed to go on with it. */
export interface KeptCapture extends KeptRecord {
  /** The server as the user named it; no address, no login. */
  readonly serverLabel: string;
}
