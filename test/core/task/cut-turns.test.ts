import assert from 'node:assert/strict';
import { GAP_KINDS } from '../../../src/core/session/gap';
import type { UnpairedEvent, UnpairedReason } from '../../../src/core/pairing/unpaired';
import { finishSteps } from '../../../src/core/steps';
import { addCutTurns } from '../../../src/core/task/cut-turns';
import { measureTaskShare } from '../../../src/core/task/task-share';
import { recordOf } from '../capture/record-of';
import { HOUR_MS, SECOND_MS } from '../../../src/core/time';

/** An hour and a half, with a gap of ten seconds in it. */
const GAP = { kind: 'unknown', reason: '', beginUtcMs: HOUR_MS, endUtcMs: HOUR_MS + 10 * SECOND_MS } as const;
const OBSERVATION = { beginUtcMs: 0, endUtcMs: 1.5 * HOUR_MS, gaps: [GAP] };
/** Databases 5 and 6 are automatic, 7 is not. */
const AUTOMATIC = new Map([0, 1].map((index) => [index, Float64Array.of(-Infinity, Infinity)]));

const event = (
  databaseId: number,
  kind: UnpairedEvent['kind'],
  atUtcMs: number,
  reason?: UnpairedReason,
): UnpairedEvent => {
  return {
    databaseId,
    kind,
    atUtcMs,
    reason: reason ?? (kind === 'begin' ? 'begin without end' : 'end without begin'),
  };
};

/**
 * What is added: database_id, begin and length in seconds.
 * @param turns the same of checkpoints that were seen whole
 */
function cut(
  turns: readonly (readonly [number, number, number])[],
  events: readonly UnpairedEvent[],
  open: readonly UnpairedEvent[] = [],
) {
  const columns = {
    rows: turns.length,
    beginUtcMs: Float64Array.from(turns, ([, begin]) => begin * SECOND_MS),
    durationMs: Uint32Array.from(turns, ([, , seconds]) => seconds * SECOND_MS),
    database: Uint16Array.from(turns, ([id]) => id - 5),
    task: new Uint16Array(turns.length).fill(3),
  };
  const databases = [5, 6, 7].map((databaseId) => ({ databaseId, createdLocal: null, name: null }));
  const looked = { begins: open, untilUtcMs: 1.5 * HOUR_MS - 15 * SECOND_MS };
  const capture = recordOf(columns, {
    databases,
    observation: OBSERVATION,
    unpaired: () => events,
    open: () => looked,
  });
  const all = finishSteps(addCutTurns(capture, OBSERVATION, AUTOMATIC));
  assert.deepEqual([...all.beginUtcMs.subarray(0, turns.length)], [...columns.beginUtcMs]);
  assert.ok(all.task?.every((task) => turns.length === 0 || task === 3));
  return Array.from({ length: all.rows - turns.length }, (_, at) => at + turns.length).map((row) => [
    5 + (all.database[row] ?? 0),
    Math.round((all.beginUtcMs[row] ?? 0) / SECOND_MS),
    Math.round((all.durationMs[row] ?? 0) / SECOND_MS),
  ]);
}

describe('Turns that an edge of the observed time cuts', () => {
  /** A turn of a minute, seen whole. */
  const WHOLE = [6, 600, 60] as const;
  const [begin, end] = [event(5, 'begin', 1.5 * HOUR_MS - 50 * SECOND_MS), event(5, 'end', 40 * SECOND_MS)];

  it('are as long as was seen of them, at the start, on both sides of a gap, and at the end as far as events were paired', () => {
    const across = [
      event(6, 'begin', HOUR_MS - 30 * SECOND_MS, 'across a gap'),
      event(6, 'end', HOUR_MS + 25 * SECOND_MS, 'across a gap'),
    ];
    assert.deepEqual(cut([WHOLE], [end, ...across], [begin]), [
      [5, 0, 40],
      [6, 3_570, 30],
      [6, 3_610, 15],
      [5, 5_350, 35],
    ]);
  });

  it('are none where another checkpoint of an automatic database was seen up to the edge: then the other event was lost', () => {
    assert.deepEqual(cut([[6, 20, 10], WHOLE], [end]), []);
    assert.deepEqual(cut([[7, 20, 10], WHOLE], [end]), [[5, 0, 40]]);
    assert.deepEqual(cut([[6, 5_370, 10], WHOLE], [], [begin]), []);
  });

  it('are only of the nearest event to an edge, of automatic databases, and with a reason that an edge can have', () => {
    assert.deepEqual(cut([WHOLE], [event(6, 'end', 50 * SECOND_MS), end]), [[5, 0, 40]]);
    assert.deepEqual(cut([WHOLE], [event(7, 'end', 40 * SECOND_MS), event(9, 'end', 40 * SECOND_MS)]), []);
    assert.deepEqual(
      cut([WHOLE], [{ ...end, reason: 'clock moved back' }, event(5, 'end', HOUR_MS + 5 * SECOND_MS)]),
      [],
    );
  });

  it('are no longer than the longest that was seen whole, or twice that right beside another turn: one event alone proves little', () => {
    const endAt = (seconds: number) => [event(5, 'end', seconds * SECOND_MS)];
    assert.deepEqual(
      [cut([WHOLE], endAt(60)), cut([WHOLE], endAt(61)), cut([], endAt(2))],
      [[[5, 0, 60]], [], []],
    );
    const beside = (seconds: number) => cut([[6, seconds, 60]], endAt(seconds));
    assert.deepEqual([beside(119), beside(121)], [[[5, 0, 119]], []]);
    // One that is still awaited has lost no event.
    assert.deepEqual(cut([WHOLE], [], [event(5, 'begin', 1.5 * HOUR_MS - 900 * SECOND_MS)]), [
      [5, 4_500, 885],
    ]);
  });

  it('are time of the task in every kind of gap, and no checkpoints', () => {
    const [gapBegin, gapEnd] = [HOUR_MS, HOUR_MS + 10 * SECOND_MS];
    for (const kind of GAP_KINDS) {
      // A task that is never free: 59 turns of a minute, one that the gap cuts, 29 more, and those that start and end
      // cut.
      const turns = Array.from(
        { length: 88 },
        (_, row) => [5 + (row % 2), (row + (row < 59 ? 0.5 : 1.5)) * 60_000] as const,
      );
      const columns = {
        rows: turns.length,
        beginUtcMs: Float64Array.from(turns, ([, beginUtcMs]) => beginUtcMs),
        durationMs: new Uint32Array(turns.length).fill(60_000),
        database: Uint16Array.from(turns, ([databaseId]) => databaseId - 5),
      };
      const observation = {
        beginUtcMs: 0,
        endUtcMs: 1.5 * HOUR_MS,
        gaps: [{ kind, reason: '', beginUtcMs: gapBegin, endUtcMs: gapEnd }],
      };
      const databases = [5, 6].map((databaseId) => ({ databaseId, createdLocal: null, name: null }));
      const [id, lost] = [6, 'across a gap'] as const;
      const events = [
        event(6, 'end', 30_000),
        event(id, 'begin', 59.5 * 60_000, lost),
        event(id, 'end', 60.5 * 60_000, lost),
        event(5, 'begin', 89.5 * 60_000),
      ];
      const capture = recordOf(columns, { databases, observation, unpaired: () => events });
      const all = finishSteps(addCutTurns(capture, observation, AUTOMATIC));
      const scope = { window: observation, observation, automatic: AUTOMATIC, backups: null };
      const share = finishSteps(measureTaskShare(all, 2, scope, 60_000));
      assert.ok(share.busyShare > 0.999, `${kind}: ${share.busyShare}`);
      assert.equal(
        [...share.databases.values()].reduce((sum, { count }) => sum + count, 0),
        turns.length,
        kind,
      );
    }
  });
});
