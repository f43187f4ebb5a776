import { finishSteps, type Steps } from '../steps';
import type { CapturedDatabase, CheckpointColumns, Observation } from './checkpoint-columns';
import { type CheckpointSlice, sliceColumns } from './checkpoint-store';
import type { CaptureState } from './capture-state';
import type { KeptFollowing } from './following';
import type { Ledger } from './ledger';
import { type OpenBegins, type UnpairedEvent, UnpairedStore } from '../pairing/unpaired';

/** A history of checkpoints that can be read: one that still grows, or one that was kept and restored. */
export interface CaptureRecord {
  readonly id: string;
  /** Rises if rows given out earlier are no longer true. */
  readonly generation: number;
  readonly columns: CheckpointColumns;
  /** In the order of the numbers in the `database` column. */
  readonly databases: readonly CapturedDatabase[];
  readonly observation: Observation | null;
  ledger(): Ledger;
  /**
   * Events that became no checkpoint; `from` and `to` cut a part of a long list. None for a history that an earlier
   * version kept.
   */
  unpaired(from?: number, to?: number): readonly UnpairedEvent[];
  open(): OpenBegins;
  /** Rows as buffers of exactly their size, to be sent to the webview. */
  slice(fromRow: number, toRow: number): CheckpointSlice;
}

/** Bytes that are kept with a capture under a name. */
export interface KeptSection {
  readonly name: string;
  readonly bytes: Uint8Array;
  /**
   * Adds what another window has kept of the same server. Absent: the bytes take the place of earlier ones.
   * @param own `bytes`, and what was added so far
   * @returns the bytes of all; null: these cannot be read, and their file stays
   */
  readonly join?: (earlier: Uint8Array, own: Uint8Array) => Steps<Uint8Array | null>;
}

/** A history as it is kept. Names are those at the time it was kept. */
export interface KeptRecord extends Pick<CaptureRecord, 'id' | 'databases' | 'observation' | 'columns'> {
  readonly ledger: Ledger;
  /** SERVERPROPERTY('ServerName') of the server that it was read from; null if the file does not say. */
  readonly serverName: string | null;
  /** The whole capture, so that it can go on; null in files of an earlier version. */
  readonly state: CaptureState | null;
  /** How to go on following its session; null if it was no longer followed. */
  readonly following: KeptFollowing | null;
  /** The databases that were tracked; null: all. Absent in files of an earlier version: then not known. */
  readonly trackedDatabaseIds?: readonly number[] | null;
  /** What other parts of the product keep with it, for instance samples of write work. */
  readonly sections: readonly KeptSection[];
}

/** What is kept with a capture beside its own values. */
export type KeptBeside = Pick<KeptRecord, 'serverName' | 'following' | 'trackedDatabaseIds' | 'sections'>;

/** What is kept of a capture. */
export function keepRecord(
  record: CaptureRecord & { keepState?(): CaptureState },
  beside: KeptBeside,
): KeptRecord {
  // First, because it finishes what changes all the others: giving checkpoints to the databases of the latest catalog.
  const state = record.keepState?.() ?? null;
  const { id, databases, observation, columns } = record;
  return { id, databases, observation, columns, ledger: record.ledger(), state, ...beside };
}

/** A kept history that can be shown. It does not grow. */
export function restoreRecord(kept: KeptRecord): CaptureRecord {
  const { id, databases, observation, columns } = kept;
  let unpaired: UnpairedStore | null = null;
  return {
    id,
    // The same as of the capture that goes on from it: rows sent of one hold for the other.
    generation: kept.state?.plain.generation ?? 1,
    columns,
    databases,
    observation,
    ledger: () => kept.ledger,
    unpaired: (from, to) => (unpaired ??= restoreUnpaired(kept)).list(from, to),
    open: () => listOpen(kept),
    slice: (fromRow, toRow) => sliceColumns(columns, fromRow, toRow),
  };
}

/** As the capture itself would tell it: begins before that time of tasks that have no end before it. */
function listOpen({ state }: KeptRecord): OpenBegins {
  const untilUtcMs = state?.plain.horizonUtcMs ?? -Infinity;
  const begins: (readonly [key: string, begin: UnpairedEvent])[] = [];
  const ended = new Set<string>();
  for (let row = 0; state !== null && row < state.pending.rows; row++) {
    const { kind, guids, databaseId: ids, atUtcMs: times } = state.pending;
    const [databaseId, atUtcMs] = [ids[row] ?? 0, times[row] ?? 0];
    const key = [databaseId, ...((kind[row] ?? 0) >= 2 ? guids.subarray(4 * row, 4 * row + 4) : [])].join();
    if (atUtcMs >= untilUtcMs) continue;
    if ((kind[row] ?? 0) % 2 === 1) ended.add(key);
    else begins.push([key, { databaseId, atUtcMs, kind: 'begin', reason: 'begin without end' }]);
  }
  return { begins: begins.flatMap(([key, begin]) => (ended.has(key) ? [] : begin)), untilUtcMs };
}

function restoreUnpaired({ state }: KeptRecord): UnpairedStore {
  const store = new UnpairedStore();
  if (state !== null) finishSteps(store.restore(state.unpaired, state.plain.unpairedReasons));
  return store;
}
