import assert from 'node:assert/strict';
import { BLOCK_MS, type DatabaseBlock } from '../../../src/core/write-work/block';
import { findSilentDatabases, type SilentDatabases } from '../../../src/core/write-work/silent-databases';
import { finishSteps } from '../../../src/core/steps';
import { columnsOf, observe, type Row } from '../statistics/columns';

const HOUR = 4 * BLOCK_MS;
const nothing = {
  dataWrittenBytes: 0,
  dataWrites: 0,
  dataWriteStallMs: 0,
  logWrites: 0,
  logWriteStallMs: 0,
  writeTransactions: null,
};

function block(place: number, logWrittenBytes: number, observedMs = BLOCK_MS): DatabaseBlock {
  return {
    ...nothing,
    beginUtcMs: place * BLOCK_MS,
    observedMs,
    logWrittenBytes,
  } as unknown as DatabaseBlock;
}

/** Of each the index. */
const list = (found: readonly { readonly database: number }[]): readonly number[] =>
  found.map(({ database }) => database);

function find(
  rows: readonly Row[],
  blocks: ReadonlyMap<number, readonly DatabaseBlock[]> | null,
  observation = observe(0, HOUR),
  unpaired: ReadonlySet<number> = new Set(),
): SilentDatabases {
  const window = { beginUtcMs: 0, endUtcMs: HOUR };
  return finishSteps(
    findSilentDatabases(columnsOf(...rows), [0, 1, 2, 3], window, observation, unpaired, blocks),
  );
}

describe('databases without a checkpoint', () => {
  it('are silent where they wrote log, idle where they wrote none, and unknown where nobody sampled their files', () => {
    const blocks = new Map([
      [0, [block(0, 5000), block(1, 700)]],
      [1, [block(0, 100), block(1, 200, BLOCK_MS / 2)]],
      [2, [block(0, 0)]],
    ]);
    const found = find([[100, 5, 0]], blocks);
    assert.deepEqual(found.silent, [{ database: 1, logWrittenBytes: 300, observedMs: 1.5 * BLOCK_MS }]);
    assert.deepEqual(found.idle, [2]);
    assert.deepEqual(list(found.unknown), [3]);
    assert.match(find([], null).unknown[0]?.reason ?? '', /its files were not sampled/);
  });

  it('are not called silent where a begin or an end was seen that did not pair', () => {
    const blocks = new Map([0, 1, 2, 3].map((database) => [database, [block(0, 5000)]]));
    const found = find([[100, 5, 0]], blocks, observe(0, HOUR), new Set([0, 1]));
    assert.deepEqual(list(found.silent), [2, 3]);
    assert.deepEqual(list(found.unknown), [1]);
    assert.match(found.unknown[0]?.reason ?? '', /Only the begin or only the end/);
  });

  it('are judged by the log of quarters of an hour that were wholly watched: in a gap they may have had one', () => {
    const blocks = new Map([
      [0, [block(0, 100), block(1, 5000), block(4, 70)]],
      [1, [block(1, 9)]],
    ]);
    const found = find([], blocks, observe(0, HOUR, [BLOCK_MS + 5, BLOCK_MS + 6]));
    assert.deepEqual(found.silent, [{ database: 0, logWrittenBytes: 100, observedMs: BLOCK_MS }]);
    assert.deepEqual(list(found.unknown), [1, 2, 3]);
  });

  it('had one if it only reaches into the window', () => {
    const blocks = new Map([0, 1, 2].map((database) => [database, [block(0, 9)]]));
    const found = find(
      [
        [-50, 60, 0],
        [-50, 10, 1],
        [HOUR, 5, 2],
      ],
      blocks,
    );
    assert.deepEqual(list(found.silent), [1, 2]);
  });
});
