import assert from 'node:assert/strict';
import type { ChangeMoment } from '../../../src/core/task/change-moment';
import { listChanges, listChangeWindows, SETTLING_MS } from '../../../src/core/comparison/change-window';
import { BEGIN_UTC_MS, DAY_MS, HOUR_MS, changeAt, compare, createDraw, generateBlocks } from '../statistics/generated-history';
import { valuesOf } from '../values-of';

function logged(atUtcMs: number, toSeconds: number): ChangeMoment {
  return { atUtcMs, notBeforeUtcMs: atUtcMs, source: 'error log', fromSeconds: null, toSeconds };
}

function seen(notBeforeUtcMs: number, atUtcMs: number, fromSeconds: number, toSeconds: number): ChangeMoment {
  return { atUtcMs, notBeforeUtcMs, source: 'observed', fromSeconds, toSeconds };
}

describe('changes of one database', () => {
  it('are told once each: what the error log says is better known than what two readings show', () => {
    const changes = listChanges([seen(900, 2000, 0, 60), logged(1000, 60), seen(4000, 5000, 60, 30)]);
    assert.deepEqual(valuesOf(changes, 'source', 'atUtcMs', 'fromSeconds', 'toSeconds'), [
      ['error log', 1000, 0, 60],
      ['observed', 5000, 60, 30],
    ]);
  });

  it('know what was set before from the reading before the first line of the log, and then from line to line', () => {
    const changes = listChanges([seen(900, 2000, 0, 30), logged(1000, 60), logged(1500, 30), logged(3000, 0)]);
    assert.deepEqual(valuesOf(changes, 'fromSeconds', 'toSeconds'), [
      [0, 60],
      [60, 30],
      [30, 0],
    ]);
    assert.equal(listChanges([seen(900, 2000, 0, 60), logged(100, 30)])[0]?.fromSeconds, null, 'a line before the readings');
  });

  it('are none where what was set is set again', () => {
    assert.deepEqual(valuesOf(listChanges([logged(3000, 0), logged(2000, 60), logged(1000, 60)]), 'atUtcMs', 'fromSeconds'), [
      [1000, null],
      [3000, 60],
    ]);
    assert.deepEqual(listChanges([{ ...logged(NaN, 60) }]), []);
  });

  it('have days up to their neighbours, and a quarter of an hour to settle', () => {
    const windows = listChangeWindows(listChanges([logged(50 * DAY_MS, 60), seen(59 * DAY_MS, 60 * DAY_MS, 60, 0)]));
    assert.deepEqual(
      windows.map(({ before, after }) => [before.beginUtcMs, before.endUtcMs, after.beginUtcMs, after.endUtcMs]),
      [
        [8 * DAY_MS, 50 * DAY_MS, 50 * DAY_MS + SETTLING_MS, 59 * DAY_MS],
        [50 * DAY_MS + SETTLING_MS, 59 * DAY_MS, 60 * DAY_MS + SETTLING_MS, 102 * DAY_MS],
      ],
    );
  });

  it('leave out the time in which the change may lie', () => {
    const blocks = generateBlocks(createDraw(1), { noise: 0.02, correlation: 0.5 }, 15, 7, { writes: 2 });
    const countBlocks = (change: ChangeMoment): number | undefined =>
      compare([{ name: 'Orders', changes: [change], blocks }]).changes[0]?.measures[0]?.blocks;
    const atUtcMs = BEGIN_UTC_MS + 7 * DAY_MS + 6 * HOUR_MS;
    assert.equal(countBlocks(changeAt(atUtcMs)), 7 * 24 - 1);
    // Six hours of the seventh day before are of neither side.
    assert.equal(countBlocks({ ...changeAt(atUtcMs), source: 'observed', notBeforeUtcMs: atUtcMs - 6 * HOUR_MS }), 7 * 24 - 1 - 6);
  });
});

describe('days without anything to measure by', () => {
  it('are counted: a database that wrote no log', () => {
    const blocks = generateBlocks(createDraw(1), { noise: 0, correlation: 0 }, 14, 7).map((block) => ({
      ...block,
      dataWrittenBytes: 0,
      logWrittenBytes: 0,
      writeTransactions: 0,
    }));
    const changes = [changeAt(BEGIN_UTC_MS + 7 * DAY_MS)];
    const [comparison] = compare([{ name: 'Idle', changes, blocks }]).changes;
    assert.deepEqual(comparison?.conclusion, {
      kind: 'not enough data',
      largest: null,
      because: ['0 pairs of days with 4 hours or more in common; 5 are needed.', '7 more pairs had nothing to measure.'],
    });
  });
});
