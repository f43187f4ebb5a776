import assert from 'node:assert/strict';
import { nothingSeen } from '../../../src/core/advice/instance';
import { describeEvidence } from '../../../src/core/script/evidence-line';
import { taskOf } from '../advice/task-of';

const HOUR_MS = 3_600_000;
const task = taskOf({}, { busyShare: 0.97 });

describe('The evidence in the heading of a script', () => {
  it('says how busy the task was, how many databases share it, and what was captured', () => {
    assert.equal(
      describeEvidence(
        { state: 'saturated', task, takers: 172, partly: null },
        { checkpoints: 54_100, unpaired: 0, observedMs: 8 * HOUR_MS },
      ),
      'the checkpoint task is almost never free: busy 97 % of 8 h. 172 databases take turns on it. ' +
        '54,100 checkpoints in 8 h observed, 0 events unpaired.',
    );
  });

  it('says that nothing was measured where nothing was', () => {
    assert.equal(describeEvidence(null, null), 'nothing was measured.');
    assert.equal(describeEvidence(nothingSeen, null), 'nothing was measured.');
  });
});
