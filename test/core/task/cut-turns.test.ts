import assert from 'node:assert/strict';
import type { UnpairedEvent, UnpairedReason } from '../../../src/core/pairing/unpaired';
import { finishSteps } from '../../../src/core/steps';
import { addCutTurns } from '../../../src/core/task/cut-turns';
import { recordOf } from '../capture/record-of';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
/** An hour and a half, with a gap of ten seconds in it. */
const GAP = { kind: 'unknown', reason: '', beginUtcMs: HOUR, endUtcMs: HOUR + 10 * SECOND } as const;
const OBSERVATION = { beginUtcMs: 0, endUtcMs: 1.5 * HOUR, gaps: [GAP] };
/** Databases 5 and 6 are automatic, 7 is not. */
const AUTOMATIC = new Map([0, 1].map((index) => [index, Float64Array.of(-Infinity, Infinity)]));

const event = (databaseId: number, kind: UnpairedEvent['kind'], atUtcMs: number, reason?: UnpairedReason): UnpairedEvent => {
  return { databaseId, kind, atUtcMs, reason: reason ?? (kind === 'begin' ? 'begin without end' : 'end without begin') };
};

/** What is added: database_id, begin and length in seconds. @param turns the same of checkpoints that were seen whole */
function cut(turns: readonly (readonly [number, number, number])[], events: readonly UnpairedEvent[], open: readonly UnpairedEvent[] = []) {
  const columns = {
    rows: turns.length,
    beginUtcMs: Float64Array.from(turns, ([, begin]) => begin * SECOND),
    durationMs: Uint32Array.from(turns, ([, , seconds]) => seconds * SECOND),
    database: Uint16Array.from(turns, ([id]) => id - 5),
    task: new Uint16Array(turns.length).fill(3),
  };
  const databases = [5, 6, 7].map((databaseId) => ({ databaseId, createdLocal: null, name: null }));
  const looked = { begins: open, untilUtcMs: 1.5 * HOUR - 15 * SECOND };
  const capture = recordOf(columns, { databases, observation: OBSERVATION, unpaired: () => events, open: () => looked });
  const all = finishSteps(addCutTurns(capture, OBSERVATION, AUTOMATIC));
  assert.deepEqual([...all.beginUtcMs.subarray(0, turns.length)], [...columns.beginUtcMs]);
  assert.ok(all.task?.every((task) => turns.length === 0 || task === 3));
  return Array.from({ length: all.rows - turns.length }, (_, at) => at + turns.length).map((row) => [
    5 + (all.database[row] ?? 0),
    (all.beginUtcMs[row] ?? 0) / SECOND,
    (all.durationMs[row] ?? 0) / SECOND,
  ]);
}

describe('Turns that an edge of the observed time cuts', () => {
  it('are as long as was seen of them, at the start, on both sides of a gap, and at the end as far as events were paired', () => {
    const events = [
      event(5, 'end', 40 * SECOND),
      event(6, 'begin', HOUR - 30 * SECOND, 'across a gap'),
      event(6, 'end', HOUR + 25 * SECOND, 'across a gap'),
    ];
    assert.deepEqual(cut([[5, 600, 60]], events, [event(5, 'begin', 1.5 * HOUR - 50 * SECOND)]), [
      [5, 0, 40],
      [6, 3_570, 30],
      [6, 3_610, 15],
      [5, 5_350, 35],
    ]);
  });

  it('are none where another checkpoint of an automatic database was seen up to the edge: then the other event was lost', () => {
    assert.deepEqual(cut([[6, 20, 10]], [event(5, 'end', 40 * SECOND)]), []);
    assert.deepEqual(cut([[7, 20, 10]], [event(5, 'end', 40 * SECOND)]), [[5, 0, 40]]);
    assert.deepEqual(cut([[6, 5_370, 10]], [], [event(5, 'begin', 1.5 * HOUR - 50 * SECOND)]), []);
  });

  it('are only of the nearest event to an edge, of automatic databases, and with a reason that an edge can have', () => {
    const [near, far] = [event(5, 'end', 40 * SECOND), event(6, 'end', 90 * SECOND)];
    assert.deepEqual(cut([], [far, near]), [[5, 0, 40]]);
    assert.deepEqual(cut([], [event(7, 'end', 40 * SECOND), event(9, 'end', 40 * SECOND)]), []);
    assert.deepEqual(cut([], [event(5, 'end', 40 * SECOND, 'clock moved back'), event(5, 'end', HOUR + 5 * SECOND)]), []);
  });

  it('are at most an hour long: of a longer one the other event was rather lost', () => {
    assert.deepEqual(cut([], [event(5, 'begin', 100 * SECOND)]), [[5, 100, 3_500]]);
    assert.deepEqual(cut([], [event(5, 'end', 1.45 * HOUR)]), [[5, 3_610, 1_610]]);
    const long = { ...OBSERVATION, gaps: [], endUtcMs: 3 * HOUR };
    const columns = { rows: 0, beginUtcMs: new Float64Array(0), durationMs: new Uint32Array(0), database: new Uint16Array(0) };
    const databases = [{ databaseId: 5, createdLocal: null, name: null }];
    const capture = recordOf(columns, { databases, unpaired: () => [event(5, 'begin', HOUR)] });
    assert.equal(finishSteps(addCutTurns(capture, long, AUTOMATIC)).rows, 0);
  });
});
