import assert from 'node:assert/strict';
import { changeText, tickDatabase } from '../../../src/core/review/review-edits';
import { createServerMonitor } from '../../../src/monitor/monitored-server';
import { FakeServer, FakeTimers, surroundingsOf } from '../../monitor/fake-server';
import { openSession } from './review-desk';

/** A review of a server that counts what it is asked. */
async function openReview() {
  const server = new FakeServer();
  const desk = openSession([], createServerMonitor(surroundingsOf(server, new FakeTimers())));
  /** Does that, and waits until it is done. @returns how often the facts were read for it, and how many queries there were */
  const count = async (what: () => Promise<unknown>): Promise<{ readonly reads: number; readonly queries: number }> => {
    const before = server.asked.length;
    await what();
    do {
      desk.wait();
      await new Promise((resolve) => setTimeout(resolve, 5));
    } while (desk.status().doing !== null);
    const asked = server.asked.slice(before);
    return { reads: asked.filter((name) => name === 'database-facts').length, queries: asked.length };
  };
  const { reads } = await count(() => desk.session.receive({ type: 'ready' }));
  assert.equal(reads, 1);
  return { ...desk, server, count, openScripts: () => count(() => desk.session.receive({ type: 'open', revision: 1 })) };
}

describe('the queries of a review', () => {
  it('are those of one read when it opens, and none for ticks, keys and waves', async () => {
    const { count, choose, draft, page } = await openReview();
    assert.deepEqual([page().title, page().asOf], ['2 databases get 60 seconds.', '09:00']);
    const none = { reads: 0, queries: 0 };
    assert.deepEqual(await count(() => choose(tickDatabase(draft(), 6, false))), none);
    assert.deepEqual(await count(() => choose(changeText({ ...draft(), revision: 5 }, 'targetSeconds', '90'))), none);
    assert.equal(page().title, '2 databases get 90 seconds.');
  });

  it('are those of one read more where the reader asks, and of one before scripts are opened, though hours have passed', async () => {
    const { server, count, session, page, openScripts, opened } = await openReview();
    server.nowUtc = '2026-03-02T09:31:00';
    assert.equal((await count(() => session.receive({ type: 'readAgain' }))).reads, 1);
    assert.equal(page().asOf, '10:31');
    server.nowUtc = '2026-03-02T12:00:00';
    assert.equal((await openScripts()).reads, 1);
    assert.equal(opened.length, 2);
  });

  it('find before anything is opened that a database was dropped, and that another one has a value by now', async () => {
    const { server, openScripts, page, opened, status } = await openReview();
    server.databases = [
      { id: 6, name: 'Stock', target: '30' },
      { id: 7, name: 'Mail', target: '60' },
    ];
    await openScripts();
    assert.deepEqual(opened, []);
    assert.equal(
      status().failure,
      'Nothing was opened, because the server has changed since 09:00: Sales: It is no longer on this server. ' +
        'Stock: It already has 30 seconds. Choose it by name to overwrite that. The page shows the new plan.',
    );
    assert.equal(page().title, 'No database that can be changed is ticked.');
  });
});
