import assert from 'node:assert/strict';
import { measureOwnScanCost } from '../../../src/core/task/scan-cost';
import { finishSteps } from '../../../src/core/steps';
import { columnsOf, type Row } from '../statistics/columns';

/** Eight databases of thirty checkpoints: database n writes for n seconds beyond a scan of 400 ms and a little. */
const rows = Array.from({ length: 240 }, (_, i): Row => [
  i * 1000,
  400 + (i % 8) * 1000 + Math.floor(i / 8),
  i % 8,
]);
const all = Uint32Array.from(rows, (_, row) => row);

describe('own scan cost', () => {
  it('is a low percentile of the databases that write least log for each checkpoint', () => {
    const logBytes = new Map(Array.from({ length: 8 }, (_, database) => [database, 1e6 * (database + 1)]));
    assert.deepEqual(finishSteps(measureOwnScanCost(columnsOf(...rows), all, logBytes)), {
      kind: 'observed',
      value: { costMs: 405, checkpoints: 60, databases: 2, chosenBy: 'log bytes' },
    });
  });

  it('is taken from more of them until there are enough checkpoints', () => {
    const few = all.filter((row) => row < 80);
    const logBytes = new Map(Array.from({ length: 8 }, (_, database) => [database, 1e6 * (database + 1)]));
    const chosen = few.filter((row) => row % 8 < 3 || row < 8);
    const cost = finishSteps(measureOwnScanCost(columnsOf(...rows), chosen, logBytes));
    assert.deepEqual(cost.kind === 'observed' && [cost.value.databases, cost.value.checkpoints], [2, 20]);
  });

  it('is told from durations alone where nothing is known of the log, and says so', () => {
    const cost = finishSteps(measureOwnScanCost(columnsOf(...rows), all, new Map()));
    assert.deepEqual(
      cost.kind === 'observed' && [cost.value.chosenBy, cost.value.databases, cost.value.costMs],
      ['duration alone', 8, 423],
    );
  });

  it('is not observable from a few checkpoints', () => {
    const cost = finishSteps(measureOwnScanCost(columnsOf(...rows), all.subarray(0, 19), new Map()));
    assert.match(cost.kind === 'not observable' ? cost.reason : '', /19 automatic checkpoints/);
  });
});
