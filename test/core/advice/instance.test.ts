import assert from 'node:assert/strict';
import { estimateLikely, findNeeded, forecastTask, forecastWaves } from '../../../src/core/advice/forecast';
import { judgeTask, longestRunOf, manyOf, taskOf } from './task-of';

const run = (minutes: number) => longestRunOf(0, minutes, 40, true);
/** The state, and how many feed the queue. */
const stateOf = (...given: Parameters<typeof judgeTask>): string => {
  const { state, feeders } = judgeTask(...given);
  return `${state}, ${feeders.size}`;
};

describe('The verdict on the instance', () => {
  it('is mostly free at the bound, and has a queue at times above it, or where a run of many lasts more than ten minutes', () => {
    assert.match(stateOf(taskOf(manyOf(29, 5, { share: 0.01 }))), /^mostly free/);
    assert.match(stateOf(taskOf(manyOf(30, 5, { share: 0.011 }))), /^queue at times/);
    for (const [minutes, state] of Object.entries({ 11: /^queue at times/, 10: /^mostly free/ }))
      assert.match(
        stateOf(taskOf(manyOf(30, 5, { share: 0.001 }), { longestRun: run(Number(minutes)) })),
        state,
      );
  });

  it('advises no switch that frees nothing: all that can be changed must take a twentieth of the time', () => {
    const fixed = taskOf({ 4: { share: 0.5 }, ...manyOf(20, 5, { share: 0.002 }) });
    const changeable = new Set(Array.from({ length: 20 }, (_, at) => 5 + at));
    const { state, feeders, fixedShare, fixedId } = judgeTask(fixed, { changeable });
    assert.deepEqual([state, feeders.size, fixedShare, fixedId], ['queue at times', 0, 0.5, 4]);
    const worth = taskOf({ 4: { share: 0.5 }, ...manyOf(20, 5, { share: 0.003 }) });
    assert.equal(judgeTask(worth, { changeable }).feeders.size, 20);
  });

  it('says how long until it can be told, for the instance first', () => {
    const early = judgeTask(taskOf({ 5: { share: 0.5 }, 6: { share: 0.4 } }, { observedMs: 240_000 }));
    assert.deepEqual([early.state, early.neededMs, early.feeders.size], ['cannot tell yet', 360_000, 0]);
    assert.deepEqual([judgeTask(null).state, judgeTask(null).neededMs], ['cannot tell yet', 600_000]);
  });

  it('cannot be told without the permission to record, nor where overlaps leave it open what the task ran', () => {
    const blind = 'this login has no permission to record checkpoints';
    assert.equal(stateOf(null, { blind }), 'cannot tell, 0');
    const overlapping = judgeTask(taskOf({ 5: { share: 0.35 }, 6: { share: 0.3 } }, { margin: 0.6 }));
    assert.deepEqual([overlapping.state, overlapping.feeders.size], ['cannot tell', 0]);
    assert.match(overlapping.blind ?? '', /overlapped/);
  });

  it('holds still: what was called once is taken back only clearly below the limit', () => {
    const near = taskOf(manyOf(30, 5, { share: 0.0095 }));
    assert.equal(stateOf(near), 'mostly free, 0');
    const before = {
      state: 'queue at times',
      feeders: new Set(Array.from({ length: 30 }, (_, at) => 5 + at)),
      advised: [],
    } as const;
    assert.equal(stateOf(near, { before }), 'queue at times, 30');
    assert.equal(stateOf(taskOf(manyOf(30, 5, { share: 0.008 })), { before }), 'mostly free, 0');
  });
});

describe('The forecast', () => {
  const task = taskOf({
    5: { share: 0.6, mostShare: 0.9 },
    6: { share: 0.2, mostShare: 0.3 },
    7: { share: 0.1, mostShare: 0.2 },
  });

  const measured = { task, room: 0, bound: 0.3 };

  it('lies between what those that stay took and what they could ask for, a little wider because no two hours are the same', () => {
    const { low, high } = forecastTask({ task, room: 0 }, new Set([5]));
    assert.deepEqual([low.toFixed(3), high.toFixed(3)], ['0.291', '0.515']);
  });

  it('leaves room in a short capture for long checkpoints that it did not meet: three in its time', () => {
    assert.equal(forecastTask({ task, room: 0.2 }, new Set([5])).high.toFixed(2), '0.72');
    const seen = taskOf({ 5: { share: 0.5 }, 6: { share: 0.2 } }, { observedMs: 15 * 60_000 });
    assert.deepEqual(
      [judgeTask(seen).room, judgeTask(seen, { changeable: new Set([5, 6, 7]) }).room],
      [0, 0.2],
    );
  });

  it('has a likely value where log tells how often databases ask: in a queue all wait as long for a turn, and those that write most ask first', () => {
    // Ten ask one to ten minutes after their last turn and wait two minutes, and half of a minute is the least. A turn
    // takes six seconds.
    const minutes = Array.from({ length: 10 }, (_, at) => at + 1);
    const shareEvery = (everyMin: number): number => 0.1 / everyMin;
    const shares = (every: number) => ({
      share: shareEvery(every + 2),
      mostShare: shareEvery(0.5),
      count: 480 / (every + 2),
    });
    const queue = taskOf(Object.fromEntries(minutes.map((every) => [every, shares(every)])));
    const likelyOf = (ids: readonly number[], rate: (every: number) => number) =>
      estimateLikely(queue, new Map(ids.map((every) => [every, rate(every)])));
    const likely = likelyOf(minutes, (every) => 500 / every);
    for (const every of minutes)
      assert.ok(Math.abs((likely?.get(every) ?? 0) / shareEvery(every) - 1) < 0.1, `${every} minutes`);
    const { likely: told = 0 } = forecastTask({ task: queue, room: 0, likely }, new Set([1]));
    assert.equal(told.toFixed(2), '0.19', 'a tenth of 1/2 + 1/3 + ... + 1/10');
    assert.ok(
      !('likely' in forecastTask({ task: queue, room: 0, likely }, new Set(minutes.slice(1)))),
      'the range is narrow',
    );
    const unrelated = likelyOf(minutes, (every) => (every * 7) % 11);
    assert.equal(unrelated, null, 'log and turns have nothing to do with each other');
    const others = likelyOf(minutes.slice(1), (every) => 1 / every);
    assert.equal(others, null, 'the busiest was not sampled');
  });

  it('is never above all of the time, and nothing where nobody stays', () => {
    assert.equal(forecastTask({ task, room: 0 }, new Set()).high, 1);
    assert.deepEqual(forecastTask({ task, room: 0 }, new Set([5, 6, 7])), { low: 0, high: 0 });
  });

  it('goes down with every wave', () => {
    const singles = [6, 5, 7].map((id, at) => ({ wave: at + 1, databaseIds: [id] }));
    const { now, waves } = forecastWaves(measured, singles);
    const told = waves.map(({ wave, databases, high }) => `${wave}: ${databases}, ${high.toFixed(2)}`);
    assert.deepEqual([now.toFixed(2), ...told], ['0.90', '1: 1, 1.00', '2: 1, 0.21', '3: 1, 0.00']);
  });

  it('needs feeders by what they can ask for, until its upper end is at the bound', () => {
    assert.deepEqual(findNeeded(measured, [7, 6, 5], new Set()), [5, 6]);
    const afterOne = findNeeded({ ...measured, bound: 0.6 }, [7, 6], new Set([5]));
    assert.deepEqual(afterOne, [], 'none more is needed');
    const all = findNeeded(measured, [7, 6], new Set());
    assert.deepEqual(all, [6, 7], 'all are taken where that is not enough');
  });

  it('leaves nobody out who is like one that it takes', () => {
    const even = taskOf(manyOf(400, 5, { share: 0.98 / 400, mostShare: 2.5 / 30 }));
    const needed = findNeeded({ task: even, room: 0, bound: 0.3 }, [...even.databases.keys()], new Set());
    assert.equal(needed.length, 400);
  });
});
