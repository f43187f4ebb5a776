import assert from 'node:assert/strict';
import { type LatencySamples, selectFileSamples, selectWritelogSamples } from '../../../src/core/write-work/latency-during';
import type { DatabaseSamples, InstanceSamples } from '../../../src/core/write-work/work-samples';

describe('latency samples', () => {
  it('are of the files of one database, without what could not be observed', () => {
    const [beginUtcMs, endUtcMs] = [Float64Array.of(0, 0, 10, 10), Float64Array.of(10, 10, 20, 20)];
    const [logWrites, dataWrites] = [Float64Array.of(2, 5, NaN, 7), Float64Array.of(1, 1, 1, 1)];
    const times = { rows: 4, beginUtcMs, endUtcMs, database: Uint16Array.of(0, 1, 0, 1) };
    const figures = {
      logWrites,
      logWriteStallMs: logWrites.map((writes) => writes * 3),
      dataWrites,
      dataWriteStallMs: new Float64Array(4),
    };
    const samples = { ...times, ...figures } as unknown as DatabaseSamples;
    const list = ({ rows, beginUtcMs, endUtcMs, operations, stallMs }: LatencySamples): unknown =>
      Array.from({ length: rows }, (_, i) => [beginUtcMs[i], endUtcMs[i], operations[i], stallMs[i]]);
    assert.deepEqual(list(selectFileSamples(samples, 'log', 0)), [[0, 10, 2, 6]]);
    assert.deepEqual(list(selectFileSamples(samples, 'data', 1)), [
      [0, 10, 1, 0],
      [10, 20, 1, 0],
    ]);
  });

  it('are of waits for the log of the whole instance', () => {
    const one = (value: number): Float64Array => Float64Array.of(value);
    const writelog = { rows: 1, beginUtcMs: one(0), endUtcMs: one(5), writelogWaits: one(4), writelogWaitMs: one(9) };
    const samples = selectWritelogSamples(writelog as unknown as InstanceSamples);
    assert.deepEqual([samples.rows, samples.operations[0], samples.stallMs[0]], [1, 4, 9]);
  });
});
