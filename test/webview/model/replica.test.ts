import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CheckpointColumns } from '../../../src/core/capture/checkpoint-columns';
import { createReplica, receiveColumns, type Replica } from '../../../src/webview/model/replica';
import { columnsMessage, type FakeCheckpoint } from '../fake-capture';
import { forAll } from '../../for-all';

const checkpoints = Array.from({ length: 3000 }, (_, i): FakeCheckpoint => ({
  database: i % 7,
  beginUtcMs: 1_000_000 + i * 10,
  durationMs: i % 13,
}));
const part = (from: number, to: number, captureId = 'a', generation = 1) =>
  columnsMessage(checkpoints.slice(from, to), from, captureId, generation);

function rowsOf({ columns }: { readonly columns: CheckpointColumns }): readonly FakeCheckpoint[] {
  return Array.from({ length: columns.rows }, (_, i) => ({
    database: columns.database[i]!,
    beginUtcMs: columns.beginUtcMs[i]!,
    durationMs: columns.durationMs[i]!,
  }));
}

function receiveAll(messages: readonly ReturnType<typeof part>[]): {
  readonly replica: Replica;
  readonly outcomes: readonly string[];
} {
  let replica = createReplica();
  const outcomes = messages.map((message) => {
    const received = receiveColumns(replica, message);
    replica = received.replica;
    return received.outcome;
  });
  return { replica, outcomes };
}

describe('The replica of the capture', () => {
  it('holds what was sent, in whatever pieces it came', () => {
    forAll(fc.array(fc.integer({ min: 1, max: 2999 }), { maxLength: 6 }), 20, (cuts) => {
      const edges = [0, ...new Set([...cuts].sort((a, b) => a - b)), checkpoints.length];
      const { replica } = receiveAll(edges.slice(1).map((to, i) => part(edges[i]!, to)));
      assert.deepEqual(rowsOf(replica), checkpoints);
      assert.equal(replica.index.indexedRows, checkpoints.length);
    });
  });

  for (const [what, messages, outcomes, held] of [
    [
      'asks again where rows in between are missing, and takes none of them',
      [part(0, 10), part(20, 30)],
      ['replaced', 'missing'],
      ['a', 1, 10],
    ],
    [
      'takes the new part of a message that overlaps what it holds, and ignores one that it holds',
      [part(0, 10), part(5, 15), part(0, 10)],
      ['replaced', 'appended', 'ignored'],
      ['a', 1, 15],
    ],
    [
      'drops everything for another capture',
      [part(0, 10), part(0, 4, 'b')],
      ['replaced', 'replaced'],
      ['b', 1, 4],
    ],
    [
      'drops everything for a higher generation',
      [part(0, 10), part(0, 3, 'a', 2)],
      ['replaced', 'replaced'],
      ['a', 2, 3],
    ],
    [
      'asks from the beginning where a new generation begins in the middle',
      [part(0, 10), part(10, 12, 'a', 2)],
      ['replaced', 'missing'],
      ['a', 2, 0],
    ],
    [
      'ignores an older generation',
      [part(0, 10, 'a', 2), part(10, 20, 'a', 1)],
      ['replaced', 'ignored'],
      ['a', 2, 10],
    ],
    [
      'takes an empty message of a new capture',
      [part(0, 10), part(0, 0, 'b')],
      ['replaced', 'replaced'],
      ['b', 1, 0],
    ],
  ] as const)
    it(what, () => {
      const { replica, outcomes: told } = receiveAll(messages);
      assert.deepEqual(
        [told, [replica.captureId, replica.generation, replica.index.indexedRows]],
        [outcomes, held],
      );
      assert.deepEqual(rowsOf(replica), checkpoints.slice(0, held[2]));
    });
});
