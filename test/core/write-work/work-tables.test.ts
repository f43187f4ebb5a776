import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BLOCK_MS } from '../../../src/core/write-work/block';
import { NumberTable } from '../../../src/core/write-work/number-table';
import { WorkBlocks } from '../../../src/core/write-work/work-blocks';
import { decodeWriteWork, encodeWriteWork } from '../../../src/core/write-work/write-work-bytes';
import { WriteWorkLog } from '../../../src/core/write-work/write-work-log';
import { finishSteps, ROWS_A_STEP } from '../../../src/core/steps';
import { forAll } from '../../for-all';

describe('A table of numbers', () => {
  it('gives up its oldest rows when it is full, counts them, and leaves views as they were', () => {
    const table = new NumberTable({ at: 'f64', database: 'u16' }, 800);
    for (let row = 0; row < 800; row++) table.append([row, row % 3]);
    const before = table.columns();
    for (let row = 800; row < 1_500; row++) table.append([row, row % 3]);
    const { rows, at } = table.columns();
    assert.equal(table.droppedRows + rows, 1_500);
    assert.ok(rows <= 800 && rows >= 700);
    assert.deepEqual([at[0], at[rows - 1], table.bytesHeld], [table.droppedRows, 1_499, 800 * 10]);
    assert.deepEqual([...before.at], [...Array(800).keys()]);
  });
});

/** Of two counters; NaN was not observed. */
const FIGURES = [
  [0, 0],
  [0, 0],
  [5, 0],
  [3, NaN],
];

describe('Blocks of write work', () => {
  it('are gone for all databases alike where the oldest had to go: an idle block is not kept longer than a busy one', () => {
    const blocks = new WorkBlocks(['writes'], { mostBlocks: 80, mostIdleBlocks: 80 });
    for (let block = 0; block < 60; block++) {
      // Two busy databases fill their table first; the idle one's has room for all.
      for (const database of [0, 1]) blocks.add(database, block * BLOCK_MS, (block + 1) * BLOCK_MS, [1]);
      blocks.add(2, block * BLOCK_MS, (block + 1) * BLOCK_MS, [0]);
    }
    const lists = [0, 1, 2].map((database) => blocks.list(database));
    const first = blocks.keptFromUtcMs / BLOCK_MS;
    assert.ok(first > 15 && first < 30, String(first));
    for (const list of lists)
      assert.deepEqual([list[0]?.beginUtcMs, list.length], [first * BLOCK_MS, 60 - first]);
  });

  it('are the sums of what was added to each, left and entered again too, and not observed where a part of them was not', () => {
    const added = fc.record({
      database: fc.nat(3),
      step: fc.constantFrom(-1, 0, 0, 1, 1, 2),
      wrote: fc.nat(3),
      waits: fc.nat(3),
      isAsked: fc.constantFrom(true, ...Array<boolean>(9).fill(false)),
    });
    forAll(
      fc.tuple(fc.array(added, { maxLength: 150, size: 'max' }), fc.constantFrom(40, 1_000)),
      100,
      ([parts, most]) => {
        const blocks = new WorkBlocks(['writes', 'transactions'], { mostBlocks: most, mostIdleBlocks: most });
        const expected = [0, 1, 2, 3].map(
          () =>
            new Map<number, { beginUtcMs: number; observedMs: number; figures: number[]; waits: number }>(),
        );
        let block = 0;
        for (const { database, step, wrote, waits, isAsked } of parts) {
          // Where the oldest have to go, all databases are read each time, and no block is entered again.
          const isFull = most === 40;
          block = Math.max(0, block + (isFull ? Math.abs(step) : step));
          const beginUtcMs = block * BLOCK_MS;
          for (const each of isFull ? [0, 1, 2, 3] : [database]) {
            const figures = FIGURES[(wrote + each) % FIGURES.length] ?? [];
            blocks.add(each, beginUtcMs + 7, beginUtcMs + 10, figures, waits);
            const before = expected[each]?.get(block) ?? {
              beginUtcMs,
              observedMs: 0,
              figures: [0, 0],
              waits: 0,
            };
            const sums = before.figures.map((sum, at) => sum + (figures[at] ?? NaN));
            expected[each]?.set(block, {
              beginUtcMs,
              observedMs: before.observedMs + 3,
              figures: sums,
              waits: before.waits | waits,
            });
          }
          if (!isAsked) continue;
          expected.forEach((of, each) => {
            const kept = [...of.values()]
              .filter((one) => one.beginUtcMs >= blocks.keptFromUtcMs)
              .sort((a, b) => a.beginUtcMs - b.beginUtcMs);
            const found = blocks.list(each).map((one) => ({ ...one, figures: [...one.figures] }));
            assert.deepEqual(found, kept);
          });
        }
      },
    );
  });
});

describe('A log of write work', () => {
  it('takes the first look at long blocks in steps of bounded size, and the next one only for what is new, also what came meanwhile', () => {
    const long = new WriteWorkLog();
    const databases = [0, 1].map((at) => ({ databaseId: at + 5, createdLocal: null, name: `db${at}` }));
    long.restoreLists(databases, [], []);
    const { idle } = long.databaseBlockTables;
    for (let row = 0; row < 3 * ROWS_A_STEP; row++) idle.append([row >> 1, BLOCK_MS, 0, row % 2]);
    const log = finishSteps(decodeWriteWork(finishSteps(encodeWriteWork(long)))).log;
    assert.ok(log !== null);
    const steps = log.prepareBlocks();
    steps.next();
    log.databaseBlockTables.idle.append([1e6, BLOCK_MS, 0, 1]);
    assert.equal([...steps].length, 2, 'a pause between the stretches of rows');
    assert.equal([...log.prepareBlocks()].length, 0);
    assert.equal(log.databaseBlocks(1).length, (3 * ROWS_A_STEP) / 2 + 1);
  });
});
