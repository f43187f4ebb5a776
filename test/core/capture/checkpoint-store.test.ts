import assert from 'node:assert/strict';
import { CheckpointStore, sliceColumns, prepareColumns } from '../../../src/core/capture/checkpoint-store';
import { Handovers } from '../../../src/core/capture/handovers';
import { ROWS_A_STEP } from '../../../src/core/steps';
import { countPauses } from '../finished';

function storeOf(rows: number): CheckpointStore {
  const store = new CheckpointStore();
  for (let row = 0; row < rows; row++) store.append(1e12 + row, row * 2, row % 500, row % 7);
  return store;
}

describe('checkpoint store', () => {
  it('holds at most 18 bytes a row while it grows, and little more than 16 after trimming', () => {
    const store = storeOf(100_000);
    assert.ok(store.bytesHeld <= 18.1 * 100_000, String(store.bytesHeld));
    store.trim();
    assert.ok(store.bytesHeld <= 16.05 * 100_000, String(store.bytesHeld));
    store.append(1, 2, 3);
    assert.equal(store.columns().beginUtcMs[100_000], 1);
  });

  it('loses no row of long columns, which it copies to larger ones in pieces', () => {
    const store = storeOf(1_500_000);
    const { rows, beginUtcMs, durationMs, database, task } = store.columns();
    assert.equal(rows, 1_500_000);
    let wrong = 0;
    for (let row = 0; row < rows; row++) {
      if (
        beginUtcMs[row] !== 1e12 + row ||
        durationMs[row] !== row * 2 ||
        database[row] !== row % 500 ||
        task?.[row] !== row % 7
      )
        wrong++;
    }
    assert.equal(wrong, 0);
  });

  it('goes on with columns that were prepared in steps, and with a copy where another store has them', () => {
    const kept = storeOf(200_000).columns();
    const { pauses, value: prepared } = countPauses(prepareColumns(kept));
    assert.equal(pauses, Math.ceil(200_000 / ROWS_A_STEP) - 1);
    const [first, second] = [new CheckpointStore(), new CheckpointStore()];
    first.restore(prepared);
    first.append(1, 2, 3);
    second.restore(prepared);
    second.append(4, 5, 6);
    for (const [at, store] of [first, second].entries()) {
      const { beginUtcMs } = store.columns();
      assert.deepEqual(
        [store.count, beginUtcMs[199_999], beginUtcMs[200_000]],
        [200_001, 1e12 + 199_999, 1 + 3 * at],
      );
      assert.deepEqual(store.findRows(1e12 + 70_000, 1e12 + 70_002), { fromRow: 70_000, toRow: 70_002 });
    }
    assert.equal(kept.beginUtcMs[199_999], 1e12 + 199_999);
  });

  it('cuts slices of the rows that are there into buffers of exactly their size', () => {
    const columns = storeOf(3000).columns();
    const slice = sliceColumns(columns, 1000, 1500);
    assert.deepEqual([slice.fromRow, slice.rows], [1000, 500]);
    assert.deepEqual(new Float64Array(slice.beginUtcMs), columns.beginUtcMs.slice(1000, 1500));
    assert.deepEqual(new Uint32Array(slice.durationMs), columns.durationMs.slice(1000, 1500));
    assert.deepEqual(new Uint16Array(slice.database), columns.database.slice(1000, 1500));
    const rows = [
      [2995, 9000],
      [5000, 6000],
      [7, 3],
    ].map(([from = 0, to = 0]) => sliceColumns(columns, from, to).rows);
    assert.deepEqual(rows, [5, 0, 0]);
  });

  it('is rewritten a few rows at a time, and holds until then what it held', () => {
    const rows = 3 * ROWS_A_STEP + 7;
    const store = storeOf(rows);
    const before = store.columns();
    const handOver = (heir: number): Handovers =>
      new Handovers([{ database: 7, untilUtcMs: 0, fromUtcMs: 0, findHeir: () => heir }]);
    const { pauses } = countPauses(
      store.rewrite(handOver(900), () => undefined),
      () => assert.equal(store.columns().database, before.database),
    );
    assert.equal(pauses, 4, 'one before each piece');
    assert.deepEqual([before.database[7], store.columns().database[7], store.count], [7, 900, rows]);
    const after = store.columns().database;
    assert.equal(
      countPauses(store.rewrite(handOver(7), () => undefined)).pauses,
      3,
      'one look at the rows, and no copy',
    );
    assert.equal(store.columns().database, after);
  });
});
