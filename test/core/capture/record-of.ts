import assert from 'node:assert/strict';
import type { CaptureRecord } from '../../../src/core/capture/capture-record';
import type { CheckpointColumns } from '../../../src/core/capture/checkpoint-columns';
import { sliceColumns } from '../../../src/core/capture/checkpoint-store';

/** This many checkpoints of 40 ms, one every second, of these databases in turn. */
export function everySecond(rows: number, beginUtcMs = 0, databases = 1): CheckpointColumns {
  return {
    rows,
    beginUtcMs: Float64Array.from({ length: rows }, (_, at) => beginUtcMs + at * 1_000),
    durationMs: new Uint32Array(rows).fill(40),
    database: Uint16Array.from({ length: rows }, (_, at) => at % databases),
  };
}

/** A capture of these checkpoints, an hour of which nothing was missed, with what the test wants to be different. */
export function recordOf(columns: CheckpointColumns, more: Partial<CaptureRecord> = {}): CaptureRecord {
  const beginUtcMs = columns.beginUtcMs[0] ?? 0;
  return {
    id: 'capture-1',
    generation: 1,
    columns,
    databases: [],
    observation: { beginUtcMs, endUtcMs: beginUtcMs + 3_600_000, gaps: [] },
    ledger: () => assert.fail('nothing rests on the ledger here'),
    unpaired: () => [],
    open: () => ({ begins: [], untilUtcMs: -Infinity }),
    slice: (from, to) => sliceColumns(columns, from, to),
    ...more,
  };
}
