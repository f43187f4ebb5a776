import assert from 'node:assert/strict';
import { packCaller } from '../../../src/core/events/event-register';
import { createLoopTable, describeLoops } from '../../../src/core/pages/task-tables';
import { finishSteps } from '../../../src/core/steps';
import { type CheckpointLoop, findLoops } from '../../../src/core/task/loops';
import { columnsOf, type Row } from '../statistics/columns';

const T0 = Date.UTC(2026, 2, 2, 8);
const HOUR_MS = 3_600_000;
const [SESSION, OTHER, ENGINE] = [
  { isSystem: false, sessionId: 57 },
  { isSystem: false, sessionId: 60 },
  { isSystem: true, sessionId: 9 },
].map(packCaller) as [number, number, number];

/** Once through 80 databases, from the first begin to the last end; each CHECKPOINT a task by itself. */
const walk = (atMs: number, seconds: number, task: number, databases = 80): readonly Row[] => {
  const everyMs = (seconds * 1000) / databases;
  return Array.from({ length: databases }, (_, at): Row => [
    T0 + atMs + Math.round(at * everyMs),
    Math.round((at + 1) * everyMs) - Math.round(at * everyMs),
    at,
    task + at,
  ]);
};

function find(
  rows: readonly Row[],
  callerOf: (task: number) => number,
  isOther = (): boolean => false,
): readonly CheckpointLoop[] {
  const callers = Uint32Array.from({ length: 1_000 }, (_, task) => (task === 0 ? 0 : callerOf(task)));
  return finishSteps(findLoops({ ...columnsOf(...rows), callers }, isOther));
}

describe('Loops of CHECKPOINT', () => {
  const published = [
    ...walk(0, 1_001, 1),
    ...walk(1_001_000, 639, 101),
    ...walk(5 * HOUR_MS, 8, 201),
    ...walk(6 * HOUR_MS, 7, 301),
  ];

  it('are the walks of one session through many databases, each with its total, one behind the other too', () => {
    const loops = find(published, () => SESSION);
    assert.deepEqual(
      loops.map(({ beginUtcMs, endUtcMs, ...one }) => ({ ...one, seconds: (endUtcMs - beginUtcMs) / 1000 })),
      [1_001, 639, 8, 7].map((seconds) => ({ databases: 80, sessionId: 57, seconds })),
    );
  });

  it('are one where each database is asked twice before the next', () => {
    const twice = walk(0, 800, 1).flatMap(([begin, takes, database, task = 0]): Row[] => [
      [begin, takes / 2, database, task],
      [begin + takes / 2, takes / 2, database, task + 200],
    ]);
    assert.deepEqual(
      find(twice, () => SESSION).map(({ databases }) => databases),
      [80],
    );
  });

  it('are two where two sessions go through the databases at once, and none where few are asked, or the engine asks', () => {
    const both = [...walk(0, 100, 1), ...walk(50, 200, 501)].sort((a, b) => a[0] - b[0]);
    const loops = find(both, (task) => (task > 500 ? OTHER : SESSION));
    assert.deepEqual(
      loops.map(({ sessionId, databases }) => [sessionId, databases]),
      [
        [57, 80],
        [60, 80],
      ],
    );
    assert.deepEqual(
      find(walk(0, 20, 1, 4), () => SESSION),
      [],
    );
    assert.deepEqual(
      find(published, () => ENGINE),
      [],
    );
    assert.deepEqual(
      find(published, () => 0),
      [],
      'nothing says who asked',
    );
    assert.deepEqual(
      find(
        published,
        () => SESSION,
        () => true,
      ),
      [],
      'backups',
    );
  });

  it('are told before and after a change, and in a table with the side of each', () => {
    const loops = find(published, () => SESSION);
    const sides = { firstUtcMs: T0 + 2 * HOUR_MS, lastUtcMs: T0 + 3 * HOUR_MS };
    assert.equal(
      describeLoops(loops, sides),
      'A loop of CHECKPOINT over 80 databases took: before 1,001 s, 639 s; after 8 s, 7 s.',
    );
    const { rows } = createLoopTable(loops, (utcMs) => utcMs, sides);
    assert.deepEqual(
      rows.map(({ cells }) => cells.slice(1).map(({ text }) => text)),
      [
        ['before', '57', '80', '1,001 s'],
        ['before', '57', '80', '639 s'],
        ['after', '57', '80', '8 s'],
        ['after', '57', '80', '7 s'],
      ],
    );
    assert.equal(describeLoops([], sides), '');
  });
});
