import assert from 'node:assert/strict';
import { changeText, tickDatabase } from '../../../src/core/review/review-edits';
import { createServerMonitor } from '../../../src/monitor/monitored-server';
import type { ReviewDraft } from '../../../src/core/review/review-draft';
import type { ToReview } from '../../../src/protocol';
import { createLog } from '../../../src/shell/kit/log';
import { ReviewSession } from '../../../src/shell/review/review-session';
import { FakeServer, FakeTimers, surroundingsOf } from '../../monitor/fake-server';
import { FakeConversation } from '../fake-conversation';

/** A review of a server that counts what it is asked. */
async function openReview() {
  const server = new FakeServer();
  const monitor = createServerMonitor(surroundingsOf(server, new FakeTimers()));
  const posted: ToReview[] = [];
  const opened: string[] = [];
  const find = <T extends ToReview['type']>(type: T): Extract<ToReview, { type: T }> =>
    posted.filter((message) => message.type === type).at(-1) as Extract<ToReview, { type: T }>;
  const session = new ReviewSession(
    {
      serverId: 'fake',
      monitor: async () => monitor,
      editor: { open: async (_text, title) => void opened.push(title) },
      conversation: new FakeConversation([]),
      log: createLog({ info: () => undefined, warn: () => undefined, error: () => undefined }),
      post: (message) => void posted.push(message),
      schedule: (_delayMs, task) => {
        const timer = setTimeout(task, 0);
        return { dispose: () => clearTimeout(timer) };
      },
      compare: async () => undefined,
      lastOpened: { get: () => undefined, set: () => undefined },
    },
    { databaseIds: [5, 6], namedIds: [] },
  );
  const idle = async (): Promise<void> => {
    do await new Promise((resolve) => setTimeout(resolve, 5));
    while (find('status').status.doing !== null);
  };
  await session.receive({ type: 'ready' });
  await idle();
  return {
    server,
    opened,
    page: () => find('page').page,
    failure: () => find('status').status.failure,
    draft: () => find('draft').draft,
    choose: async (draft: ReviewDraft) => {
      await session.receive({ type: 'choose', draft });
      await idle();
    },
    act: async (message: Parameters<ReviewSession['receive']>[0]) => {
      await session.receive(message);
      await idle();
    },
    /** How often what follows has the facts read, and every query that it sends. */
    count: async (what: () => Promise<void>) => {
      const before = server.asked.length;
      await what();
      const asked = server.asked.slice(before);
      return { reads: asked.filter((name) => name === 'database-facts').length, queries: asked.length };
    },
  };
}

describe('the queries of a review', () => {
  it('are those of one read when it opens', async () => {
    const { server, page } = await openReview();
    assert.equal(server.asked.filter((name) => name === 'database-facts').length, 1);
    assert.deepEqual([page().title, page().asOf], ['2 databases get 60 seconds.', '09:00']);
  });

  it('are none for ticks, keys and waves', async () => {
    const { count, choose, draft, page } = await openReview();
    const none = await count(async () => {
      await choose(tickDatabase(draft(), 6, false));
      await choose(changeText({ ...draft(), revision: 5 }, 'targetSeconds', '90'));
    });
    assert.deepEqual(none, { reads: 0, queries: 0 });
    assert.equal(page().title, '2 databases get 90 seconds.');
  });

  it('are those of one read more where the reader asks, and of one before scripts are opened', async () => {
    const { server, count, act, page, opened } = await openReview();
    server.nowUtc = '2026-03-02T09:31:00';
    assert.equal((await count(() => act({ type: 'readAgain' }))).reads, 1);
    assert.equal(page().asOf, '10:31');
    assert.equal((await count(() => act({ type: 'open', revision: 1 }))).reads, 1);
    assert.equal(opened.length, 2);
  });

  it('find before anything is opened that a database was dropped, and that another one has a value by now', async () => {
    const { server, act, page, opened, failure } = await openReview();
    server.databases = [
      { id: 6, name: 'Stock', target: '30' },
      { id: 7, name: 'Mail', target: '60' },
    ];
    await act({ type: 'open', revision: 1 });
    assert.deepEqual(opened, []);
    assert.equal(
      failure(),
      'Nothing was opened, because the server has changed since 09:00: Sales: It is no longer on this server. ' +
        'Stock: It already has 30 seconds. Choose it by name to overwrite that. The page shows the new plan.',
    );
    assert.equal(page().title, 'No database that can be changed is ticked.');
  });

  it('open scripts where the server is as it was but for what was measured', async () => {
    const { server, act, opened } = await openReview();
    server.nowUtc = '2026-03-02T12:00:00';
    await act({ type: 'open', revision: 1 });
    assert.equal(opened.length, 2);
  });
});
