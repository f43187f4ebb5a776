import assert from 'node:assert/strict';
import type { ChangeMoment } from '../../../src/core/task/change-moment';
import { listChanges } from '../../../src/core/comparison/changes';
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
    const changes = listChanges([
      seen(900, 2000, 0, 30),
      logged(1000, 60),
      logged(1500, 30),
      logged(3000, 0),
    ]);
    assert.deepEqual(valuesOf(changes, 'fromSeconds', 'toSeconds'), [
      [0, 60],
      [60, 30],
      [30, 0],
    ]);
    assert.equal(
      listChanges([seen(900, 2000, 0, 60), logged(100, 30)])[0]?.fromSeconds,
      null,
      'a line before the readings',
    );
  });

  it('are none where what was set is set again', () => {
    assert.deepEqual(
      valuesOf(listChanges([logged(3000, 0), logged(2000, 60), logged(1000, 60)]), 'atUtcMs', 'fromSeconds'),
      [
        [1000, null],
        [3000, 60],
      ],
    );
    assert.deepEqual(listChanges([{ ...logged(NaN, 60) }]), []);
  });
});
