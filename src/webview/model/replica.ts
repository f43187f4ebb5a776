/**
 * The webview's read-only copy of the capture's columns and of the samples for the strips. It grows by the rows that
 * arrive. It is replaced if the capture is another one or its history was rewritten. Rows that do not fit are asked for
 * again.
 */
import type { CheckpointColumns } from '../../core/capture/checkpoint-columns';
import { createLaneIndex, indexNewRows, type LaneIndex } from '../../core/timeline/lane-index';
import type { ToWebview } from '../../protocol';
import { STRIP_SERIES, type StripSamples, type StripSeries } from '../../core/timeline/strip-samples';

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
 * Takes in one message of columns. The result shares its arrays with `replica`, which must not be used any more.
 * @throws RangeError if the buffers do not hold as many rows as the message states
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

function readBuffers(message: ColumnsMessage): CheckpointColumns {
  const { rows } = message;
  const fits =
    message.beginUtcMs.byteLength === rows * 8 &&
    message.durationMs.byteLength === rows * 4 &&
    message.database.byteLength === rows * 2;
  if (!fits) throw new RangeError(`Columns of ${rows} rows came with buffers of another length.`);
  return {
    rows,
    beginUtcMs: new Float64Array(message.beginUtcMs),
    durationMs: new Uint32Array(message.durationMs),
    database: new Uint16Array(message.database),
  };
}

function createColumns(capacity: number): CheckpointColumns {
  return {
    rows: 0,
    beginUtcMs: new Float64Array(capacity),
    durationMs: new Uint32Array(capacity),
    database: new Uint16Array(capacity),
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
  return { ...roomy, rows };
}

function growColumns(held: CheckpointColumns, capacity: number): CheckpointColumns {
  const grown = createColumns(capacity);
  grown.beginUtcMs.set(held.beginUtcMs.subarray(0, held.rows));
  grown.durationMs.set(held.durationMs.subarray(0, held.rows));
  grown.database.set(held.database.subarray(0, held.rows));
  return { ...grown, rows: held.rows };
}

type SamplesMessage = Extract<ToWebview, { type: 'samples' }>;

const EMPTY = new Float32Array(0);

export const NO_SAMPLES: StripSamples = {
  samples: 0,
  beginUtcMs: new Float64Array(0),
  endUtcMs: new Float64Array(0),
  values: Object.fromEntries(STRIP_SERIES.map((series) => [series, EMPTY])) as Record<
    StripSeries,
    Float32Array
  >,
};

/** Takes in one message. @throws RangeError if the buffers do not hold as many samples as the message states */
export function receiveSamples(held: StripSamples, message: SamplesMessage): StripSamples {
  const arrived = readSamples(message);
  if (message.replaces || held.samples === 0) return arrived;
  return {
    samples: held.samples + arrived.samples,
    beginUtcMs: joinFloats(held.beginUtcMs, arrived.beginUtcMs),
    endUtcMs: joinFloats(held.endUtcMs, arrived.endUtcMs),
    values: mapSeries((series) => {
      const joined = new Float32Array(held.samples + arrived.samples);
      joined.set(held.values[series]);
      joined.set(arrived.values[series], held.samples);
      return joined;
    }),
  };
}

function readSamples({ samples, beginUtcMs, endUtcMs, values }: SamplesMessage): StripSamples {
  const fits =
    beginUtcMs.byteLength === samples * 8 &&
    endUtcMs.byteLength === samples * 8 &&
    values.byteLength === samples * 4 * STRIP_SERIES.length;
  if (!fits) throw new RangeError(`${samples} samples came with buffers of another length.`);
  return {
    samples,
    beginUtcMs: new Float64Array(beginUtcMs),
    endUtcMs: new Float64Array(endUtcMs),
    values: mapSeries(
      (series) => new Float32Array(values, STRIP_SERIES.indexOf(series) * samples * 4, samples),
    ),
  };
}

const mapSeries = (make: (series: StripSeries) => Float32Array): Record<StripSeries, Float32Array> =>
  Object.fromEntries(STRIP_SERIES.map((series) => [series, make(series)])) as Record<
    StripSeries,
    Float32Array
  >;

function joinFloats(held: Float64Array, arrived: Float64Array): Float64Array {
  const joined = new Float64Array(held.length + arrived.length);
  joined.set(held);
  joined.set(arrived, held.length);
  return joined;
}
