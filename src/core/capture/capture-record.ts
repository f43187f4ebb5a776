import { finishSteps } from '../steps';
import type { CapturedDatabase, CheckpointColumns, Observation } from './checkpoint-columns';
import { type CheckpointSlice, sliceColumns } from './checkpoint-store';
import type { CaptureState } from './capture-state';
import type { KeptFollowing } from './following';
import type { Ledger } from './ledger';
import { type UnpairedEvent, UnpairedStore } from '../pairing/unpaired';

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
  /** Events that became no checkpoint; `from` and `to` cut a part of a long list. Of a history that an earlier version kept: none. */
  unpaired(from?: number, to?: number): readonly UnpairedEvent[];
  /** Rows as exact buffers for the wire. */
  slice(fromRow: number, toRow: number): CheckpointSlice;
}

/** Bytes of any kind that are kept with a capture, by name. */
export interface KeptSection {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A history as it is kept: names are those of the time of keeping. */
export interface KeptRecord extends Pick<CaptureRecord, 'id' | 'databases' | 'observation' | 'columns'> {
  readonly ledger: Ledger;
  /** SERVERPROPERTY('ServerName') of the server that it was read from; null where a file does not say. */
  readonly serverName: string | null;
  /** The whole of the capture, so that it can go on; null in files of an earlier version. */
  readonly state: CaptureState | null;
  /** How to go on following its session; null where following had ended. */
  readonly following: KeptFollowing | null;
  /** The databases that were tracked; null: all. Absent in files of an earlier version: not known. */
  readonly trackedDatabaseIds?: readonly number[] | null;
  /** What others keep with it, for instance samples of write work. */
  readonly sections: readonly KeptSection[];
}

/** What is kept with a capture beyond its own values. */
export type KeptBeside = Pick<KeptRecord, 'serverName' | 'following' | 'trackedDatabaseIds' | 'sections'>;

/** The values of a capture that outlive it. */
export function keepRecord(record: CaptureRecord & { keepState?(): CaptureState }, beside: KeptBeside): KeptRecord {
  const { id, databases, observation, columns } = record;
  return { id, databases, observation, columns, ledger: record.ledger(), state: record.keepState?.() ?? null, ...beside };
}

/** A kept history as one that can be shown; it does not grow. */
export function restoreRecord(kept: KeptRecord): CaptureRecord {
  const { id, databases, observation, columns } = kept;
  let unpaired: UnpairedStore | null = null;
  return {
    id,
    // As the capture that goes on from it: what was sent of one holds for the other.
    generation: kept.state?.plain.generation ?? 1,
    columns,
    databases,
    observation,
    ledger: () => kept.ledger,
    unpaired: (from, to) => (unpaired ??= restoreUnpaired(kept)).list(from, to),
    slice: (fromRow, toRow) => sliceColumns(columns, fromRow, toRow),
  };
}

function restoreUnpaired({ state }: KeptRecord): UnpairedStore {
  const store = new UnpairedStore();
  if (state !== null) finishSteps(store.restore(state.unpaired, state.plain.unpairedReasons));
  return store;
}
