import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BLOCK_MS } from '../../../src/core/write-work/block';
import { NumberTable } from '../../../src/core/write-work/number-table';
import { RowChains } from '../../../src/core/write-work/row-chains';
import { decodeWriteWork, encodeWriteWork } from '../../../src/core/write-work/write-work-bytes';
import { WriteWorkLog } from '../../../src/core/write-work/write-work-log';
import { finishSteps, ROWS_A_STEP } from '../../../src/core/steps';

const createTable = (mostRows: number) => new NumberTable({ database: 'u16', at: 'u32' }, mostRows);

/** By looking at every row. */
function findRows(table: ReturnType<typeof createTable>, database: number): readonly number[] {
  const columns = table.columns();
  return [...Array(columns.rows).keys()].filter((row) => columns.database[row] === database);
}

describe('Rows linked by their database', () => {
  it('are those that a look at every row finds, however many went meanwhile and whenever they were linked', () => {
    const dispatched = fc.array(fc.record({ databases: fc.array(fc.nat(4), { maxLength: 40 }), isAsked: fc.boolean() }), { maxLength: 20 });
    fc.assert(
      fc.property(dispatched, fc.integer({ min: 3, max: 60 }), fc.nat(200), (parts, mostRows, droppedBefore) => {
        const table = createTable(mostRows);
        if (droppedBefore > 0) table.restore(1, { database: Uint16Array.of(2), at: Uint32Array.of(0) }, droppedBefore);
        const chains = new RowChains(table);
        for (const { databases, isAsked } of [...parts, { databases: [1], isAsked: true }]) {
          databases.forEach((database, at) => table.append([database, at]));
          if (!isAsked) continue;
          finishSteps(chains.link());
          for (let database = 0; database <= 5; database++) assert.deepEqual(chains.rowsOf(database), findRows(table, database));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('may be appended to between the steps, and what came is linked too', () => {
    const table = createTable(4 * ROWS_A_STEP);
    for (let row = 0; row < 2 * ROWS_A_STEP; row++) table.append([row % 3, 0]);
    const chains = new RowChains(table);
    const steps = chains.link();
    steps.next();
    table.append([9, 0]);
    finishSteps(steps);
    assert.deepEqual(chains.rowsOf(9), [2 * ROWS_A_STEP]);
    assert.deepEqual(chains.rowsOf(2).length, Math.floor((2 * ROWS_A_STEP) / 3));
  });

  it('take the first look at long blocks in steps of bounded size, and the next one only for what is new', () => {
    const long = new WriteWorkLog();
    const databases = [0, 1].map((at) => ({ databaseId: at + 5, createdLocal: null, name: `db${at}` }));
    long.restoreLists(databases, [], []);
    const { idle } = long.databaseBlockTables;
    for (let row = 0; row < 3 * ROWS_A_STEP; row++) idle.append([row >> 1, BLOCK_MS, 0, row % 2]);
    const log = finishSteps(decodeWriteWork(finishSteps(encodeWriteWork(long)))).log;
    assert.ok(log !== null);
    assert.equal([...log.prepareBlocks()].length, 2, 'three stretches of rows have two pauses between them');
    assert.equal([...log.prepareBlocks()].length, 0);
    assert.equal(log.databaseBlocks(1).length, (3 * ROWS_A_STEP) / 2);
  });
});
