import assert from 'node:assert/strict';
import fc from 'fast-check';
import { orderRows } from '../../../src/core/statistics/row-order';
import { finishSteps, ROWS_A_STEP } from '../../../src/core/steps';
import { countPauses } from '../finished';
import { columnsOf } from './columns';
import { forAll } from '../../for-all';

describe('rows in order', () => {
  it('are those that sorting by begin, duration and place gives, from any row on', () => {
    const row = fc.tuple(fc.nat(300), fc.nat(3), fc.nat(2));
    forAll(fc.tuple(fc.array(row, { maxLength: 400 }), fc.nat(5)), 300, ([rows, fromRow]) => {
      const found = finishSteps(orderRows(columnsOf(...rows), (at) => rows[at]?.[2] !== 2, fromRow));
      const expected = rows
        .map(([begin, ms, database], at) => ({ begin, ms, database, at }))
        .filter(({ database, at }) => database !== 2 && at >= fromRow)
        .sort((a, b) => a.begin - b.begin || a.ms - b.ms || a.at - b.at)
        .map(({ at }) => at);
      assert.deepEqual([...found], expected);
    });
  });

  it('are looked at in steps, however far they stand from their places', () => {
    const rows = 4 * ROWS_A_STEP;
    // What was read last happened first.
    const beginUtcMs = Float64Array.from({ length: rows }, (_, row) => (row + rows / 2) % rows);
    const columns = { rows, beginUtcMs, durationMs: new Uint32Array(rows), database: new Uint16Array(rows) };
    const { pauses, value } = countPauses(orderRows(columns, () => true));
    // Taking the rows, sorting short parts and merging them: each looks at all rows.
    assert.ok(pauses >= 3 * 4, `${pauses} pauses`);
    for (const row of [0, 1, ROWS_A_STEP, rows - 1]) assert.equal(value[row], (row + rows / 2) % rows);
  });
});
