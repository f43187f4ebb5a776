import type { CapturedDatabase, CheckpointColumns, Observation } from './checkpoint-columns';
import { type CheckpointSlice, sliceColumns } from './checkpoint-store';
import type { Ledger } from './ledger';

/** What can be asked of a history of checkpoints, whether it is still growing or was kept and recovered. */
export interface CaptureRecord {
  readonly id: string;
  /** Rises when rows given out earlier are no longer true. */
  readonly generation: number;
  readonly columns: CheckpointColumns;
  /** In order of the `database` column. */
  readonly databases: readonly CapturedDatabase[];
  readonly observation: Observation | null;
  ledger(): Ledger;
  /** Rows as exact buffers for the wire. */
  slice(fromRow: number, toRow: number): CheckpointSlice;
}

/** A history as it is kept: names are those of the time of keeping. */
export interface KeptRecord extends Pick<CaptureRecord, 'id' | 'databases' | 'observation' | 'columns'> {
  readonly ledger: Ledger;
  /** SERVERPROPERTY('ServerName') of the server that it was read from; null where a file does not say. */
  readonly serverName: string | null;
}

/** The values of a capture that outlive it. */
export function keepRecord(record: CaptureRecord, serverName: string | null): KeptRecord {
  const { id, databases, observation, columns } = record;
  return { id, databases, observation, columns, ledger: record.ledger(), serverName };
}

/** A kept history as one that can be shown; it does not grow. */
export function restoreRecord(kept: KeptRecord): CaptureRecord {
  const { id, databases, observation, columns } = kept;
  return {
    id,
    generation: 1,
    columns,
    databases,
    observation,
    ledger: () => kept.ledger,
    slice: (fromRow, toRow) => sliceColumns(columns, fromRow, toRow),
  };
}
