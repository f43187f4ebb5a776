import type { CapturedDatabase, CheckpointColumns, Observation } from '../core/capture/checkpoint-columns';
import type { Ledger } from '../core/capture/ledger';

/** A capture as it is kept on disk: what the timeline and every statistic need, without a server. */
export interface KeptCapture {
  readonly id: string;
  /** The server as the user named it; no address, no login. */
  readonly serverLabel: string;
  /** SERVERPROPERTY('ServerName'): a connection can be made to lead to another server later; null where it is not known. */
  readonly serverName: string | null;
  readonly databases: readonly CapturedDatabase[];
  /** What was watched, with its gaps; null where nothing was. */
  readonly observation: Observation | null;
  /** How every row read was accounted for at the moment of keeping. */
  readonly ledger: Ledger;
  readonly columns: CheckpointColumns;
}
