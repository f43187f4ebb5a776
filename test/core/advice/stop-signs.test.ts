import assert from 'node:assert/strict';
import { describeStopSigns, findStopSign, judgeStopSign, type StopSign, stopSignIds } from '../../../src/core/advice/stop-signs';

const fine = (): StopSign[] => stopSignIds.map((id) => judgeStopSign(id, { before: 1, now: 0, note: '' }));

describe('Stop signs', () => {
  it('are up at their limit: 70 % of a log, twice a latency, half as many pages again', () => {
    const signs: [StopSign['id'], number, readonly number[]][] = [
      ['log used', 0.41, [0.41, 0.63, 0.7]],
      ['data writes', 11.2, [9.6, 20, 22.4]],
      ['pages', 118, [131, 160, 177]],
    ];
    for (const [id, before, values] of signs) {
      const states = values.map((now) => judgeStopSign(id, { before, now, note: '' }).state);
      assert.deepEqual(states, ['clear', 'near', 'up'], id);
    }
  });

  it('are not up because a latency of half a millisecond doubled', () => {
    assert.equal(judgeStopSign('log waits', { before: 0.4, now: 0.9, note: '' }).state, 'clear');
  });

  it('have no limit where it is a multiple of what was not seen before, and are not observable where they are not', () => {
    const unseen = judgeStopSign('data writes', { before: null, now: 50, note: '' });
    assert.deepEqual([unseen.limit, unseen.state], [null, 'clear']);
    assert.equal(judgeStopSign('log used', { before: 0.4, now: null, note: '' }).state, 'not observable');
    assert.equal(judgeStopSign('redo queue', { before: null, now: null, note: '', isNone: true }).state, 'clear');
    assert.equal(judgeStopSign('spinlock', { before: 0, now: 1e6, note: '' }).limit, null);
  });

  it('name the nearest, and whose it is', () => {
    const near = judgeStopSign('log used', { before: 0.41, now: 0.63, by: 'Alpine_Billing', note: '' });
    const up = judgeStopSign('redo queue', { before: 0, now: 300 * 1024, by: 'Sales', note: '' });
    assert.equal(describeStopSigns(fine()), 'None is exceeded.');
    assert.equal(describeStopSigns([...fine(), near]), 'None is exceeded. Nearest: log used in Alpine_Billing 63 %, limit 70 %.');
    assert.deepEqual(findStopSign([near, up]), {
      brief: 'redo queue 300 MB',
      text: 'redo queue in Sales 300 MB, limit 200 MB',
      isUp: true,
    });
    assert.match(describeStopSigns([near, up]), /^Exceeded: redo queue/);
  });

  it('say how many of them are not known', () => {
    const blind = judgeStopSign('spinlock', { before: null, now: null, note: '' });
    assert.equal(describeStopSigns([...fine(), blind]), 'None is exceeded. 1 of 9 cannot be seen.');
  });
});
