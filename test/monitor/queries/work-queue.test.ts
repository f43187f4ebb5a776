import assert from 'node:assert/strict';
import { WorkQueue } from '../../../src/monitor/queries/work-queue';
import { HeldAnswer } from '../../held-answer';

describe('What waits for a server', () => {
  it('is done one at a time: clicks come right after the work that runs, background work after them, each in its order', async () => {
    const queue = new WorkQueue();
    const log: string[] = [];
    let [running, most] = [0, 0];
    const add = (name: string, isAsked: boolean): Promise<void> =>
      queue.add(async () => {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        log.push(name);
        if (name === 'page 1') void add('page 2', false);
        if (name === 'click 2') throw new Error('It was refused.');
      }, isAsked);
    const work = [add('page 1', false), add('sample', false), add('click 1', true), add('click 2', true)];
    await assert.rejects(work[3] ?? Promise.resolve(), /refused/);
    await Promise.all(work.slice(0, 3));
    await add('look', false);
    assert.deepEqual(log, ['page 1', 'click 1', 'click 2', 'sample', 'page 2', 'look']);
    assert.equal(most, 1);
  });

  it('takes no more clicks for a silent server than a person can mean, and takes them again once it answers', async () => {
    const queue = new WorkQueue();
    const answer = new HeldAnswer();
    const silent = queue.add(answer.call, true);
    const click = (): Promise<void> => queue.add(() => Promise.resolve(), true);
    const waiting = Array.from({ length: 20 }, click);
    await assert.rejects(click(), {
      message: '20 requests wait for this server already. Wait, or cancel one of them.',
    });
    answer.give();
    await Promise.all([silent, ...waiting]);
    await click();
  });
});
