/**
 * The webview's read-only copy of the capture's columns and of the samples for the strips. It grows by the rows that
 * arrive. It is replaced if the capture is another one or its history was rewritten. Rows that do not fit are asked for
 * again.
 */
import type { CheckpointColumns } from '../../core/capture/checkpoint-columns';
import { createLaneIndex, indexNewRows, type LaneIndex } from '../../core/timeline/lane-index';
import { makeRecord } from '../../core/lists';
import { lengthen } from '../../core/number-columns';
import type { ToWebview } from '../../protocol';
import { STRIP_SERIES, type StripSamples } from '../../core/timeline/strip-samples';

type ColumnsMessage = Extract<ToWebview, { type: 'columns' }>;

export interface Replica {
  readonly captureId: string | null;
  readonly generation: number;
  readonly columns: CheckpointColumns;
  /** The same rows by database; grows in place with the columns. */
  readonly index: LaneIndex;
}

type ReplicaOutcome =
  | 'appended'
  /** All earlier rows were dropped first. */
  | 'replaced'
  /** Rows in between are missing and have to be asked for. */
  | 'missing'
  /** From an older generation, or already held. */
  | 'ignored';

/** Holds no rows. */
export function createReplica(captureId: string | null = null, generation = 0): Replica {
  return { captureId, generation, columns: createColumns(1024), index: createLaneIndex() };
}

/**
 * Takes in one message of columns, whose buffers have the length that the protocol wants. The result shares its arrays
 * with `replica`, which must not be used any more.
 */
export function receiveColumns(
  replica: Replica,
  message: ColumnsMessage,
): { readonly replica: Replica; readonly outcome: ReplicaOutcome } {
  const arrived = readBuffers(message);
  const isOther = message.captureId !== replica.captureId;
  if (!isOther && message.generation < replica.generation) return { replica, outcome: 'ignored' };
  const replaces = isOther || message.generation > replica.generation;
  const base = replaces ? createReplica(message.captureId, message.generation) : replica;
  const held = base.columns.rows;
  if (message.fromRow > held) return { replica: base, outcome: 'missing' };
  if (!replaces && message.fromRow + message.rows <= held) return { replica, outcome: 'ignored' };
  const columns = appendColumns(base.columns, arrived, held - message.fromRow, message.ofRows);
  indexNewRows(base.index, columns);
  return { replica: { ...base, columns }, outcome: replaces ? 'replaced' : 'appended' };
}

/** Which task ran a checkpoint is not known here, only who asked: of each kind one task stands for all. */
const CALLERS = Uint32Array.of(0, 1, 2);

function readBuffers({ rows, beginUtcMs, durationMs, database, caller }: ColumnsMessage): CheckpointColumns {
  return {
    rows,
    beginUtcMs: new Float64Array(beginUtcMs),
    durationMs: new Uint32Array(durationMs),
    database: new Uint16Array(database),
    task: Uint16Array.from(new Uint8Array(caller)),
    callers: CALLERS,
  };
}

function createColumns(capacity: number): CheckpointColumns {
  return {
    rows: 0,
    beginUtcMs: new Float64Array(capacity),
    durationMs: new Uint32Array(capacity),
    database: new Uint16Array(capacity),
    task: new Uint16Array(capacity),
    callers: CALLERS,
  };
}

/** @param ofRows how many rows will come in all; makes room for them at once */
function appendColumns(
  held: CheckpointColumns,
  arrived: CheckpointColumns,
  skip: number,
  ofRows: number,
): CheckpointColumns {
  const rows = held.rows + arrived.rows - skip;
  const capacity = held.beginUtcMs.length;
  const roomy =
    Math.max(rows, ofRows) > capacity
      ? growColumns(held, Math.max(rows, ofRows, Math.ceil(held.rows * 1.5)))
      : held;
  roomy.beginUtcMs.set(arrived.beginUtcMs.subarray(skip), held.rows);
  roomy.durationMs.set(arrived.durationMs.subarray(skip), held.rows);
  roomy.database.set(arrived.database.subarray(skip), held.rows);
  if (arrived.task !== undefined) roomy.task?.set(arrived.task.subarray(skip), held.rows);
  return { ...roomy, rows };
}

function growColumns(
  { rows, beginUtcMs, durationMs, database, task }: CheckpointColumns,
  capacity: number,
): CheckpointColumns {
  return {
    rows,
    beginUtcMs: lengthen(beginUtcMs, capacity),
    durationMs: lengthen(durationMs, capacity),
    database: lengthen(database, capacity),
    ...(task && { task: lengthen(task, capacity), callers: CALLERS }),
  };
}

type SamplesMessage = Extract<ToWebview, { type: 'samples' }>;

const EMPTY = new Float32Array(0);

export const NO_SAMPLES: StripSamples = {
  samples: 0,
  beginUtcMs: new Float64Array(0),
  endUtcMs: new Float64Array(0),
  values: makeRecord(STRIP_SERIES, () => EMPTY),
};

/** Takes in one message, whose buffers have the length that the protocol wants. */
export function receiveSamples(held: StripSamples, message: SamplesMessage): StripSamples {
  const arrived = readSamples(message);
  if (message.replaces || held.samples === 0) return arrived;
  return {
    samples: held.samples + arrived.samples,
    beginUtcMs: join(held.beginUtcMs, arrived.beginUtcMs),
    endUtcMs: join(held.endUtcMs, arrived.endUtcMs),
    values: makeRecord(STRIP_SERIES, (series) => join(held.values[series], arrived.values[series])),
  };
}

function readSamples({ samples, beginUtcMs, endUtcMs, values }: SamplesMessage): StripSamples {
  return {
    samples,
    beginUtcMs: new Float64Array(beginUtcMs),
    endUtcMs: new Float64Array(endUtcMs),
    values: makeRecord(STRIP_SERIES, (_, at) => new Float32Array(values, at * samples * 4, samples)),
  };
}

function join<T extends Float64Array | Float32Array>(held: T, arrived: T): T {
  const joined = lengthen(held, held.length + arrived.length);
  joined.set(arrived, held.length);
  return joined;
}
