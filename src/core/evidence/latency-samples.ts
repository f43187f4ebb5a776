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

/** Writes to the data or the log files of one database. @param database index into the samples' own list of databases */
export function selectFileSamples(samples: DatabaseSamples, kind: FileKind, database: number): LatencySamples {
  return gatherFileSamples(samples, kind, (index) => index === database);
}

/** Writes to the data or the log files of all databases together, those left out that could not be observed. */
export function sumFileSamples(samples: DatabaseSamples, kind: FileKind): LatencySamples {
  return gatherFileSamples(samples, kind, () => true);
}

/** The rows of one pair of readings stand together and become one. */
function gatherFileSamples(samples: DatabaseSamples, kind: FileKind, isWanted: (database: number) => boolean): LatencySamples {
  const [writes, stalls] = kind === 'log' ? [samples.logWrites, samples.logWriteStallMs] : [samples.dataWrites, samples.dataWriteStallMs];
  const [begins, ends, operations, stallMs] = [0, 1, 2, 3].map(() => new Float64Array(samples.rows)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let last = -1;
  for (let row = 0; row < samples.rows; row++) {
    const [begin = 0, end = 0, count = NaN, stall = NaN] = [samples.beginUtcMs[row], samples.endUtcMs[row], writes[row], stalls[row]];
    if (!isWanted(samples.database[row] ?? 0) || Number.isNaN(count + stall)) continue;
    if (last < 0 || begins[last] !== begin || ends[last] !== end) [begins[++last], ends[last]] = [begin, end];
    operations[last] = (operations[last] ?? 0) + count;
    stallMs[last] = (stallMs[last] ?? 0) + stall;
  }
  const rows = last + 1;
  const [beginUtcMs, endUtcMs] = [begins.subarray(0, rows), ends.subarray(0, rows)];
  return { rows, beginUtcMs, endUtcMs, operations: operations.subarray(0, rows), stallMs: stallMs.subarray(0, rows) };
}
