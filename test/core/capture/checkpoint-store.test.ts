import assert from 'node:assert/strict';
import { createCapture } from '../../../src/core/capture/capture';
import { CheckpointStore, sliceColumns } from '../../../src/core/capture/checkpoint-store';
import { DatabaseIndex, MOST_DATABASES } from '../../../src/core/capture/database-index';
import { findUnaccountedRows } from '../../../src/core/capture/ledger';
import { writeEventRow } from './event-rows';

function storeOf(rows: number): CheckpointStore {
  const store = new CheckpointStore();
  for (let row = 0; row < rows; row++) store.append(1e12 + row, row * 2, row % 500);
  return store;
}

describe('checkpoint store', () => {
  it('keeps every row as it grows', () => {
    const { rows, beginUtcMs, durationMs, database } = storeOf(10_000).columns();
    assert.equal(rows, 10_000);
    for (const row of [0, 1023, 1024, 1280, 5000, 9999]) {
      assert.deepEqual([beginUtcMs[row], durationMs[row], database[row]], [1e12 + row, row * 2, row % 500]);
    }
  });

  it('holds at most a quarter more than 14 bytes a row, and 14 after trimming', () => {
    const store = storeOf(100_000);
    assert.ok(store.bytesHeld <= 14 * 100_000 * 1.26, String(store.bytesHeld));
    store.trim();
    assert.equal(store.bytesHeld, 14 * 100_000);
    store.append(1, 2, 3);
    assert.equal(store.columns().beginUtcMs[100_000], 1);
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

  it('leaves rows out of a slice that are not there', () => {
    const columns = storeOf(10).columns();
    assert.equal(sliceColumns(columns, 5, 5000).rows, 5);
    assert.equal(sliceColumns(columns, 50, 60).rows, 0);
    assert.equal(sliceColumns(columns, 7, 3).rows, 0);
  });
});

describe('database index', () => {
  it('gives each database its index on first sight and keeps it', () => {
    const index = new DatabaseIndex();
    assert.deepEqual([index.indexOf(9), index.indexOf(5), index.indexOf(9)], [0, 1, 0]);
    assert.deepEqual(index.databases, [
      { databaseId: 9, createdLocal: null, name: null },
      { databaseId: 5, createdLocal: null, name: null },
    ]);
  });

  it('names databases without changing a list that was given out', () => {
    const index = new DatabaseIndex();
    index.indexOf(9);
    const before = index.databases;
    index.name(
      new Map([
        [9, 'a]b'],
        [4, 'unseen'],
      ]),
    );
    index.indexOf(4);
    assert.deepEqual(before, [{ databaseId: 9, createdLocal: null, name: null }]);
    assert.deepEqual(index.databases, [
      { databaseId: 9, createdLocal: null, name: 'a]b' },
      { databaseId: 4, createdLocal: null, name: null },
    ]);
  });

  it('takes 65,535 databases, and a row of one more is malformed with the reason', () => {
    const index = new DatabaseIndex();
    for (let id = 1; id <= MOST_DATABASES; id++) assert.equal(index.indexOf(id), id - 1);
    assert.equal(index.indexOf(MOST_DATABASES + 1), null);
    assert.equal(index.indexOf(1), 0);

    const capture = createCapture({ id: 'wide' });
    const rows = Array.from({ length: MOST_DATABASES + 1 }, (_, i) => writeEventRow({ kind: 'begin', databaseId: i + 1, at: 1.7e12 }));
    capture.append(rows);
    assert.equal(capture.databases.length, MOST_DATABASES);
    assert.equal(capture.malformed()[0]?.reason, 'too many databases');
    assert.match(capture.malformed()[0]?.detail ?? '', /65535/);
    assert.equal(findUnaccountedRows(capture.ledger()), 0);
  });
});
