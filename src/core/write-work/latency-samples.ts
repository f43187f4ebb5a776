import type { DatabaseSamples, InstanceSamples } from './work-samples';

/** Operations and what they waited between two readings, oldest first. NaN: could not be observed. */
export interface LatencySamples {
  readonly rows: number;
  readonly beginUtcMs: Float64Array;
  readonly endUtcMs: Float64Array;
  readonly operations: Float64Array;
  readonly stallMs: Float64Array;
}

type FileKind = 'data' | 'log';

/** Waits for the log of the whole instance (WRITELOG). */
export function selectWritelogSamples({ rows, beginUtcMs, endUtcMs, writelogWaits, writelogWaitMs }: InstanceSamples): LatencySamples {
  return { rows, beginUtcMs, endUtcMs, operations: writelogWaits, stallMs: writelogWaitMs };
}

/** Writes to the data or the log files of one database, without what could not be observed. @param database index into the samples' own list of databases */
export function selectFileSamples(samples: DatabaseSamples, kind: FileKind, database: number): LatencySamples {
  const [writes, stalls] = kind === 'log' ? [samples.logWrites, samples.logWriteStallMs] : [samples.dataWrites, samples.dataWriteStallMs];
  const [begins, ends, operations, stallMs] = [0, 1, 2, 3].map(() => new Float64Array(samples.rows)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let rows = 0;
  for (let row = 0; row < samples.rows; row++) {
    const [count = NaN, stall = NaN] = [writes[row], stalls[row]];
    if (samples.database[row] !== database || Number.isNaN(count + stall)) continue;
    [begins[rows], ends[rows]] = [samples.beginUtcMs[row] ?? 0, samples.endUtcMs[row] ?? 0];
    [operations[rows], stallMs[rows]] = [count, stall];
    rows++;
  }
  const [beginUtcMs, endUtcMs] = [begins.subarray(0, rows), ends.subarray(0, rows)];
  return { rows, beginUtcMs, endUtcMs, operations: operations.subarray(0, rows), stallMs: stallMs.subarray(0, rows) };
}
