import assert from 'node:assert/strict';
import { BLOCK_MS } from '../../../src/core/write-work/block';
import { NumberTable } from '../../../src/core/write-work/number-table';
import { WorkBlocks } from '../../../src/core/write-work/work-blocks';
import { DATABASE_BLOCK_BOUNDS, WriteWorkLog } from '../../../src/core/write-work/write-work-log';
import { finishSteps } from '../../../src/core/steps';
import { countersAt, fileOf, filesAt } from './work-readings-of';

describe('A table of numbers', () => {
  it('gives up its oldest rows when it is full, and counts them', () => {
    const table = new NumberTable({ at: 'f64', database: 'u16' }, 800);
    for (let row = 0; row < 1_000; row++) table.append([row, row % 3]);
    const { rows, at } = table.columns();
    assert.equal(table.droppedRows + rows, 1_000);
    assert.ok(rows <= 800 && rows >= 700);
    assert.deepEqual([at[0], at[rows - 1]], [table.droppedRows, 999]);
    assert.equal(table.bytesHeld, 800 * 10);
  });

  it('leaves views as they were when rows are appended or given up', () => {
    const table = new NumberTable({ at: 'f64' }, 300);
    for (let row = 0; row < 300; row++) table.append([row]);
    const before = table.columns();
    for (let row = 300; row < 600; row++) table.append([row]);
    assert.deepEqual([...before.at], [...Array(300).keys()]);
  });
});

describe('Blocks of write work', () => {
  const bounds = { mostBlocks: 80, mostIdleBlocks: 80 };

  it('are gone for all databases alike where the oldest had to go: an idle block is not kept longer than a busy one', () => {
    const blocks = new WorkBlocks(['writes'], bounds);
    for (let block = 0; block < 60; block++) {
      // Two busy databases fill their table first; the idle one's has room for all.
      for (const database of [0, 1]) blocks.add(database, block * BLOCK_MS, (block + 1) * BLOCK_MS, [1]);
      blocks.add(2, block * BLOCK_MS, (block + 1) * BLOCK_MS, [0]);
    }
    const lists = [0, 1, 2].map((database) => blocks.list(database));
    const first = blocks.keptFromUtcMs / BLOCK_MS;
    assert.ok(first > 15 && first < 30, String(first));
    for (const list of lists) assert.deepEqual([list[0]?.beginUtcMs, list.length], [first * BLOCK_MS, 60 - first]);
  });

  it('are one again where they were left and entered again', () => {
    const blocks = new WorkBlocks(['writes'], bounds);
    const times = [
      [0, 60_000],
      [BLOCK_MS, BLOCK_MS + 1],
      [120_000, 180_000],
    ] as const;
    for (const [from, to] of times) blocks.add(0, from, to, [5]);
    assert.deepEqual(
      blocks.list(0).map(({ beginUtcMs, observedMs, figures }) => [beginUtcMs, observedMs, figures[0]]),
      [
        [0, 120_000, 10],
        [BLOCK_MS, 1, 5],
      ],
    );
  });

  it('are not observed where a part of them was not', () => {
    const blocks = new WorkBlocks(['writes', 'transactions'], bounds);
    blocks.add(0, 0, 60_000, [5, NaN]);
    blocks.add(0, 60_000, 120_000, [5, 7]);
    assert.deepEqual([...(blocks.list(0)[0]?.figures ?? [])], [10, NaN]);
  });
});

describe('A log of write work', () => {
  it('holds as many bytes as its tables are said to, at the most', () => {
    const { instanceSampleTable, databaseSampleTable, databaseBlockTables } = new WriteWorkLog();
    assert.deepEqual(
      [instanceSampleTable, databaseSampleTable].map(({ bytesPerRow, mostRows }) => [bytesPerRow, bytesPerRow * mostRows]),
      [
        [96, 9_600_000],
        [106, 15_900_000],
      ],
    );
    const { busy, idle } = databaseBlockTables;
    assert.deepEqual([busy.bytesPerRow, busy.mostRows], [70, DATABASE_BLOCK_BOUNDS.mostBlocks]);
    assert.deepEqual([idle.bytesPerRow, idle.mostRows], [14, DATABASE_BLOCK_BOUNDS.mostIdleBlocks]);
    assert.equal(busy.bytesPerRow * busy.mostRows + idle.bytesPerRow * idle.mostRows, 42_000_000);
  });

  it('holds six hours of 400 databases, a tenth of them busy, in less than half a megabyte of blocks', () => {
    const log = new WriteWorkLog();
    const names = Array.from({ length: 400 }, (_, at) => `db${at + 5}`);
    for (let block = 0; block <= 24; block++) {
      const files = names.map((_, at) => fileOf(at + 5, at % 10 === 0 ? block : 0));
      const counters = countersAt(block * BLOCK_MS, Object.fromEntries(names.map((name, at) => [name, at % 10 === 0 ? block : 0])));
      finishSteps(log.appendDatabases(filesAt(block * BLOCK_MS, ...files), counters, BLOCK_MS));
    }
    const { busy, idle, bytesHeld } = log.databaseBlockTables;
    assert.deepEqual([busy.rows, idle.rows], [40 * 23, 360 * 23]);
    assert.ok(bytesHeld < 500_000, String(bytesHeld));
    assert.equal(log.databaseBlocks(10).length, 24);
  });
});
