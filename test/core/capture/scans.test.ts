import assert from 'node:assert/strict';
import { type Capture, createCapture, restoreCapture } from '../../../src/core/capture/capture';
import type { EventRow } from '../../../src/core/events/event';
import { findUnaccountedRows } from '../../../src/core/capture/ledger';
import { readEvent } from '../../../src/core/events/event-xml';
import { writeEventRow } from '../events/event-rows';
import { finishSteps } from '../../../src/core/steps';
import { T0 } from './histories';

function writeScan(databaseId: number | string, at: number, elapsedMs: number | string, more = ''): EventRow {
  const data = (name: string, value: number | string): string => `<data name="${name}"><value>${value}</value></data>`;
  const fields = data('database_id', databaseId) + data('elapsed_time_ms', elapsedMs) + data('operation', 'FlushCache') + more;
  const eventData = `<event name="buffer_pool_scan_complete" package="sqlserver" timestamp="${new Date(at).toISOString()}">${fields}</event>`;
  return { objectName: 'buffer_pool_scan_complete', eventData, fileName: 'f_0_1.xel', fileOffset: '512' };
}

function runCheckpoint(databaseId: number, at: number, durationMs: number): readonly EventRow[] {
  return [writeEventRow({ kind: 'begin', databaseId, at }), writeEventRow({ kind: 'end', databaseId, at: at + durationMs })];
}

/** The row of each scan's checkpoint. */
function joinsOf(capture: Capture): readonly (number | null)[] {
  return capture.scans().map((scan) => scan.checkpoint);
}

describe('scans of the buffer pool', () => {
  it('are read with everything that the event says', () => {
    const more =
      '<data name="command"><value>2</value><text><![CDATA[BACKUP DATABASE]]></text></data><data name="scanned_buffers"><value>115</value></data><data name="total_iterated_buffers"><value>204640239</value></data><data name="parallel_tasks"><value>8</value></data>';
    assert.deepEqual(readEvent(writeScan(7, T0, 14000, more)), {
      kind: 'scan',
      databaseId: 7,
      atUtcMs: T0,
      elapsedMs: 14000,
      command: 'BACKUP DATABASE',
      operation: 'FlushCache',
      scannedBuffers: 115,
      iteratedBuffers: 204640239,
      parallelTasks: 8,
    });
  });

  it('belong to the checkpoint of their database that they lie within', () => {
    const capture = createCapture({ id: 'one' });
    capture.append([...runCheckpoint(7, T0, 3000), ...runCheckpoint(8, T0 + 4000, 3000), ...runCheckpoint(7, T0 + 8000, 100)]);
    capture.append([
      writeScan(7, T0 + 2900, 2800),
      writeScan(7, T0 + 6000, 1500),
      writeScan(8, T0 + 7000, 3000),
      writeScan(7, T0 + 8100, 5000),
    ]);
    capture.settle(Infinity);
    assert.deepEqual(joinsOf(capture), [0, null, 1, null]);
    assert.deepEqual([capture.scans(1, 2).length, capture.scans(0, 9).length], [1, 4]);
    assert.equal(capture.ledger().otherByName.get('buffer_pool_scan_complete'), 4);
    assert.equal(findUnaccountedRows(capture.ledger()), 0);
  });

  it('belong to none where two checkpoints of the database are around them', () => {
    const capture = createCapture({ id: 'one' });
    const activity = (task: number, n: number): string => `770C3538-EC3F-4A27-86A9-31A2FC777DB${task}-${n}`;
    for (const task of [1, 2]) {
      const values = { databaseId: 7 };
      capture.append([
        writeEventRow({ kind: 'begin', at: T0 + task, activity: activity(task, 1), ...values }),
        writeEventRow({ kind: 'end', at: T0 + 5000 + task, activity: activity(task, 2), ...values }),
      ]);
    }
    capture.append([writeScan(7, T0 + 4000, 2000)]);
    capture.settle(Infinity);
    assert.deepEqual([capture.columns.rows, joinsOf(capture)], [2, [null]]);
  });

  it('count as duplicates when they are read again, and as malformed when they say nothing that can be relied on', () => {
    const capture = createCapture({ id: 'one' });
    const scans = [writeScan(7, T0, 1500), writeScan(7, T0 + 10, 1500), writeScan(8, T0 + 10, 1500), writeScan(0, T0 + 20, 2000)];
    capture.append([...scans, ...scans, writeScan(7, T0, 'long'), writeScan('x', T0, 1500), writeScan(7, T0, -1)]);
    const restored = finishSteps(restoreCapture(capture.keepState()));
    restored.append(scans);
    const { other, duplicates, malformed } = restored.ledger();
    assert.deepEqual([other, duplicates, malformed], [4, 8, 3]);
    assert.deepEqual(
      restored.scans().map((scan) => scan.database),
      [0, 0, 1, null],
    );
    assert.ok(restored.malformed().every((row) => row.reason === 'wrong scan'));
    assert.equal(findUnaccountedRows(restored.ledger()), 0);
  });
});
