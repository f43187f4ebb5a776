import assert from 'node:assert/strict';
import {
  describeLimits,
  findNearestLimit,
  judgeLimit,
  type Limit,
  limitIds,
} from '../../../src/core/advice/limits';

const stateOf = (id: Limit['id'], before: number | null, now: number | null, isNone?: true): string =>
  judgeLimit(id, { before, now, note: '', ...(isNone && { isNone }) }).state;
const fine = (): Limit[] => limitIds.map((id) => judgeLimit(id, { before: 1, now: 0, note: '' }));

describe('Limits', () => {
  it('are up at their limit: 70 % of a log, twice a latency, half as many pages again', () => {
    const signs: [Limit['id'], number, readonly number[]][] = [
      ['log used', 0.41, [0.41, 0.63, 0.7]],
      ['log used', 0.75, [0.75, 0.9, 0.91]],
      ['log used', 0.93, [0.4, 0.93, 0.94]],
      ['data writes', 11.2, [9.6, 20, 22.4]],
      ['pages', 118, [131, 160, 177]],
    ];
    for (const [id, before, values] of signs) {
      const states = values.map((now) => stateOf(id, before, now));
      assert.deepEqual(states, ['clear', 'near', 'up'], id);
    }
  });

  it('keep a fixed limit that is no share, whatever was before: a redo queue, OLDEST_PAGE, messages a day', () => {
    assert.equal(stateOf('redo queue', 300 * 1024, 10 * 1024), 'clear');
    assert.equal(stateOf('oldest page', 45 * 60_000, 15 * 60_000), 'clear');
    assert.equal(stateOf('redo queue', 300 * 1024, 300 * 1024), 'up');
  });

  it('are not up because a latency of half a millisecond doubled', () => {
    assert.equal(stateOf('log waits', 0.4, 0.9), 'clear');
    for (const id of ['data writes', 'log waits', 'pages', 'log used'] as const)
      assert.equal(stateOf(id, 0, 0), 'clear', `${id}: nothing before, and nothing now`);
  });

  it('have no limit where it is a multiple of what was not seen before, and are not observable where they are not', () => {
    const unseen = judgeLimit('data writes', { before: null, now: 50, note: '' });
    assert.deepEqual([unseen.limit, unseen.state], [null, 'not observable']);
    assert.equal(stateOf('log used', 0.4, null), 'not observable');
    assert.equal(stateOf('redo queue', null, null, true), 'clear');
    assert.equal(judgeLimit('spinlock', { before: 0, now: 1e6, note: '' }).limit, null);
  });

  it('name the nearest, and whose it is', () => {
    const near = judgeLimit('log used', { before: 0.41, now: 0.63, by: 'Alpine_Billing', note: '' });
    const up = judgeLimit('redo queue', { before: 0, now: 300 * 1024, by: 'Sales', note: '' });
    assert.equal(describeLimits(fine()), 'None is exceeded.');
    assert.equal(
      describeLimits([...fine(), near]),
      'None is exceeded. Nearest: log used in Alpine_Billing 63 %, limit 70 %.',
    );
    assert.deepEqual(findNearestLimit([near, up]), {
      id: 'redo queue',
      brief: 'redo queue 300 MB',
      text: 'redo queue in Sales 300 MB, limit 200 MB',
      isUp: true,
    });
    assert.match(describeLimits([near, up]), /^Exceeded: redo queue/);
  });

  it('say how many of them are not known', () => {
    const blind = judgeLimit('spinlock', { before: null, now: null, note: '' });
    assert.equal(describeLimits([...fine(), blind]), 'None is exceeded. 1 of 10 cannot be seen.');
  });
});
