import assert from 'node:assert/strict';
import { createCapture, type Capture } from '../../../src/core/capture/capture';
import { findUnaccountedRows } from '../../../src/core/capture/ledger';
import { computeStatistics } from '../../../src/core/evidence/statistics';
import { GUID, writeEventRow, type EventValues } from './event-rows';

const T0 = Date.UTC(2026, 0, 5, 10);

/** `b5@0#1`: begin of database 5, 0 ms after T0, sequence 1 of the task; without `#` there is no causality. */
function rowsOf(...events: string[]) {
  return events.map((text) => {
    const [, kind, id, at, sequence] = /^([be])(\d+)@(-?\d+)(?:#(\d+))?$/.exec(text) ?? [];
    const values: EventValues = {
      kind: kind === 'b' ? 'begin' : 'end',
      databaseId: Number(id),
      at: T0 + Number(at),
      activity: sequence === undefined ? null : `${GUID}-${sequence}`,
    };
    return writeEventRow(values);
  });
}

function checkpointsOf(capture: Capture): string[] {
  const { rows, beginUtcMs, durationMs, database } = capture.columns;
  return Array.from({ length: rows }, (_, i) => {
    return `${capture.databases[database[i] ?? 0]?.databaseId}@${(beginUtcMs[i] ?? 0) - T0}+${durationMs[i]}`;
  });
}

describe('capture', () => {
  it('pairs begin and end into checkpoints and accounts for every row', () => {
    const capture = createCapture({ id: 'one' });
    capture.append(rowsOf('b5@0#1', 'e5@40#2', 'b7@50#3', 'e7@9850#4', 'b5@60000#5'));
    capture.settle(T0 + 60001);
    assert.deepEqual(checkpointsOf(capture), ['5@0+40', '7@50+9800']);
    assert.equal(capture.ledger().open, 1);
    assert.equal(findUnaccountedRows(capture.ledger()), 0);
    capture.settle(Infinity);
    assert.deepEqual(capture.unpaired(), [{ databaseId: 5, atUtcMs: T0 + 60000, kind: 'begin', reason: 'begin without end' }]);
    assert.equal(findUnaccountedRows(capture.ledger()), 0);
  });

  it('gives figures per database from its rows', () => {
    const capture = createCapture({ id: 'one' });
    capture.append(rowsOf('b5@0#1', 'e5@40#2', 'b7@50#3', 'e7@9850#4', 'b5@60000#5', 'e5@60010#6'));
    capture.settle(Infinity);
    capture.observe(T0, T0 + 3_600_000);
    const window = { beginUtcMs: T0, endUtcMs: T0 + 3_600_000 };
    assert.ok(capture.observation);
    assert.deepEqual(computeStatistics(capture.columns, capture.databases.length, window, capture.observation), [
      {
        database: 0,
        count: 2,
        perHour: 2,
        averageMs: 25,
        p50Ms: 10,
        p95Ms: 40,
        p99Ms: 40,
        maximumMs: 40,
        totalMs: 50,
        share: 50 / 3_600_000,
      },
      {
        database: 1,
        count: 1,
        perHour: 1,
        averageMs: 9800,
        p50Ms: 9800,
        p95Ms: 9800,
        p99Ms: 9800,
        maximumMs: 9800,
        totalMs: 9800,
        share: 9800 / 3_600_000,
      },
    ]);
  });

  it('holds events until they are settled', () => {
    const capture = createCapture({ id: 'one' });
    capture.append(rowsOf('b5@0#1', 'e5@40#2'));
    assert.equal(capture.columns.rows, 0);
    assert.equal(capture.ledger().held, 2);
    capture.settle(T0 + 40);
    assert.deepEqual([capture.ledger().open, capture.ledger().held], [1, 1]);
    capture.settle(T0 + 41);
    assert.deepEqual(checkpointsOf(capture), ['5@0+40']);
  });

  it('counts rows that are read again as duplicates, settled or not', () => {
    const capture = createCapture({ id: 'one' });
    const rows = rowsOf('b5@0', 'e5@40', 'e6@50', 'b7@100');
    capture.append(rows);
    capture.append(rows);
    assert.equal(capture.ledger().duplicates, 4);
    capture.settle(T0 + 1000);
    capture.append(rows);
    capture.settle(Infinity);
    capture.append(rows);
    capture.settle(Infinity);
    const { checkpoints, unpaired, duplicates } = capture.ledger();
    assert.deepEqual({ checkpoints, unpaired, duplicates }, { checkpoints: 1, unpaired: 2, duplicates: 12 });
    assert.equal(findUnaccountedRows(capture.ledger()), 0);
  });

  it('counts malformed rows and events of other names, and lists them', () => {
    const capture = createCapture({ id: 'one' });
    capture.append([
      { objectName: 'checkpoint_begin', eventData: '<event name="checkp', fileName: 'a_0_1.xel', fileOffset: '512' },
      { objectName: 'buffer_pool_scan_complete', eventData: '<event/>', fileName: null, fileOffset: null },
    ]);
    const ledger = capture.ledger();
    assert.deepEqual([ledger.malformed, ledger.other, ledger.otherByName.get('buffer_pool_scan_complete')], [1, 1, 1]);
    assert.equal(capture.malformed()[0]?.reason, 'truncated');
    assert.equal(capture.malformed()[0]?.fileOffset, '512');
    assert.equal(findUnaccountedRows(ledger), 0);
  });
});
