import assert from 'node:assert/strict';
import { CheckpointStore, sliceColumns } from '../../../src/core/capture/checkpoint-store';
import { prepareColumns } from '../../../src/core/capture/prepared-columns';
import { ROWS_A_STEP } from '../../../src/core/steps';

function storeOf(rows: number): CheckpointStore {
  const store = new CheckpointStore();
  for (let row = 0; row < rows; row++) store.append(1e12 + row, row * 2, row % 500);
  return store;
}

/** Counts the begins that are copied from array to array meanwhile. */
function countCopies(work: (copied: { readonly rows: number }) => void): number {
  const { set } = Float64Array.prototype;
  const copied = { rows: 0 };
  Float64Array.prototype.set = function (from: ArrayLike<number>, at?: number): void {
    copied.rows += from.length;
    set.call(this, from, at);
  };
  try {
    work(copied);
  } finally {
    Float64Array.prototype.set = set;
  }
  return copied.rows;
}

describe('checkpoint store', () => {
  it('keeps every row as it grows', () => {
    const { rows, beginUtcMs, durationMs, database } = storeOf(10_000).columns();
    assert.equal(rows, 10_000);
    for (const row of [0, 1023, 1024, 1280, 5000, 9999]) {
      assert.deepEqual([beginUtcMs[row], durationMs[row], database[row]], [1e12 + row, row * 2, row % 500]);
    }
  });

  it('holds at most 16 bytes a row while it grows, and little more than 14 after trimming', () => {
    const store = storeOf(100_000);
    assert.ok(store.bytesHeld <= 16 * 100_000, String(store.bytesHeld));
    store.trim();
    assert.ok(store.bytesHeld <= 14.05 * 100_000, String(store.bytesHeld));
    store.append(1, 2, 3);
    assert.equal(store.columns().beginUtcMs[100_000], 1);
  });

  it('copies long columns to larger ones in pieces, never many rows for one that is appended, and loses none', () => {
    const store = storeOf(1_048_000);
    let most = 0;
    const all = countCopies((copied) => {
      for (let row = 1_048_000; row < 1_500_000; row++) {
        const before = copied.rows;
        store.append(1e12 + row, row * 2, row % 500);
        most = Math.max(most, copied.rows - before);
      }
    });
    assert.ok(all > 3_000_000, `${all} rows in all: they grew three times`);
    assert.ok(most <= 200_000, `${most} rows at once`);
    const { rows, beginUtcMs, durationMs, database } = store.columns();
    assert.equal(rows, 1_500_000);
    let wrong = 0;
    for (let row = 0; row < rows; row++) {
      if (beginUtcMs[row] !== 1e12 + row || durationMs[row] !== row * 2 || database[row] !== row % 500) wrong++;
    }
    assert.equal(wrong, 0);
  });

  it('goes on with columns that were prepared in steps without copying them again, and with a copy where another store has them', () => {
    const kept = storeOf(200_000).columns();
    const steps = prepareColumns(kept);
    let pauses = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pauses++;
    assert.equal(pauses, Math.ceil(200_000 / ROWS_A_STEP) - 1);
    const [first, second] = [new CheckpointStore(), new CheckpointStore()];
    const prepared = step.value;
    const copied = countCopies(() => {
      first.restore(prepared);
      first.append(1, 2, 3);
    });
    assert.equal(copied, 0);
    second.restore(prepared);
    second.append(4, 5, 6);
    for (const [store, begin] of [
      [first, 1],
      [second, 4],
    ] as const) {
      assert.deepEqual(
        [store.count, store.columns().beginUtcMs[199_999], store.columns().beginUtcMs[200_000]],
        [200_001, 1e12 + 199_999, begin],
      );
      assert.deepEqual(store.findRows(1e12 + 70_000, 1e12 + 70_002), { fromRow: 70_000, toRow: 70_002 });
    }
    assert.equal(kept.beginUtcMs[199_999], 1e12 + 199_999);
  });

  it('gives a view that stays as it was while rows are appended', () => {
    const store = storeOf(1023);
    const before = store.columns();
    for (let i = 0; i < 1000; i++) store.append(i, i, 7);
    assert.deepEqual([before.rows, before.beginUtcMs[1022], before.durationMs[1022]], [1023, 1e12 + 1022, 2044]);
    assert.equal(store.columns().rows, 2023);
  });

  it('cuts slices into buffers of exactly their size', () => {
    const columns = storeOf(3000).columns();
    const slice = sliceColumns(columns, 1000, 1500);
    assert.deepEqual([slice.fromRow, slice.rows], [1000, 500]);
    assert.deepEqual([slice.beginUtcMs.byteLength, slice.durationMs.byteLength, slice.database.byteLength], [4000, 2000, 1000]);
    assert.equal(new Float64Array(slice.beginUtcMs)[0], 1e12 + 1000);
    assert.equal(new Uint32Array(slice.durationMs)[499], 2998);
    assert.equal(new Uint16Array(slice.database)[499], 1499 % 500);
  });

  it('finds the rows of a time without looking at others', () => {
    const store = storeOf(10_000);
    store.append(1e12 + 500, 5, 9);
    assert.deepEqual(store.findRows(1e12 + 2000, 1e12 + 3000), { fromRow: 2000, toRow: 3000 });
    assert.deepEqual(store.findRows(1e12 + 499, 1e12 + 501), { fromRow: 499, toRow: 10_001 });
    assert.deepEqual(store.findRows(0, 1), { fromRow: 0, toRow: 0 });
    let looked = 0;
    store.visitRows(1e12 + 5000, 1e12 + 5001, (fromRow, toRow) => void (looked += toRow - fromRow));
    assert.ok(looked >= 2 && looked < 10_001, String(looked));
  });

  it('gives rows to other databases or takes them away, and leaves a view given out as it was', () => {
    const store = storeOf(5000);
    const before = store.columns();
    assert.equal(
      store.rewrite(0, (_begin, _end, database) => database),
      false,
    );
    assert.equal(
      store.rewrite(0, (begin, _end, database) => (begin === 1e12 ? null : database === 499 ? 500 : database)),
      true,
    );
    assert.deepEqual([before.rows, before.database[0], before.database[499]], [5000, 0, 499]);
    const after = store.columns();
    assert.deepEqual([after.rows, after.beginUtcMs[0], after.database[498]], [4999, 1e12 + 1, 500]);
  });

  it('leaves rows out of a slice that are not there', () => {
    const columns = storeOf(10).columns();
    assert.equal(sliceColumns(columns, 5, 5000).rows, 5);
    assert.equal(sliceColumns(columns, 50, 60).rows, 0);
    assert.equal(sliceColumns(columns, 7, 3).rows, 0);
  });
});
