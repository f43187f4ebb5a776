import assert from 'node:assert/strict';
import { ConnectionError } from '../../../src/hosts/host';
import { LoginBreaker } from '../../../src/monitor/queries/login-breaker';
import { HeldAnswer } from '../../held-answer';
import { FakeTimers } from '../fake-server';
import { watchUnread } from '../watched-fake';
import { changeOf, choiceOf } from '../../core/script/scripts-of';

describe('Watching a server', () => {
  it('reads the facts, judges every database and reads again later', async () => {
    const { server, timers, monitor } = watchUnread();
    assert.deepEqual(
      [server.opened, monitor.snapshot.connection],
      [0, 'not connected'],
      'asks nothing before it is told to',
    );
    await monitor.refresh();
    const { connection, facts, verdicts } = monitor.snapshot;
    const targets = facts?.databases.map((database) => database.targetSeconds);
    assert.deepEqual(
      [connection, targets, facts?.server.startedUtcMs],
      ['connected', [0, 0, 60], Date.UTC(2026, 1, 18, 3)],
    );
    assert.deepEqual(
      [verdicts.get(5)?.group, verdicts.get(7)?.group],
      ['Automatic, not measured', 'Indirect'],
    );
    assert.deepEqual([timers.delays, server.opened], [[15_000], 1]);
    timers.fire(15_000);
    await monitor.look();
    assert.deepEqual(timers.delays, [30_000], 'only the second look comes soon');
  });

  it('begins every text with settings that keep the user session out', async () => {
    const { server, monitor } = watchUnread();
    await monitor.refresh();
    for (const text of server.texts)
      assert.match(
        text,
        /^\/\* Checkpoint Health: [\w, -]+ \*\/\nSET NOCOUNT ON;\nSET ROWCOUNT 0;[\s\S]*SET LOCK_TIMEOUT 5000;/,
      );
  });

  it('lists what it was asked in the last minute by the name of each text, also refused ones', async () => {
    let nowMs = 0;
    const breaker = new LoginBreaker({
      schedule: new FakeTimers().schedule,
      elapsedMs: () => nowMs,
      nowMs: () => nowMs,
    });
    const { server, monitor } = watchUnread({ breaker });
    server.failures.set(
      'server-state',
      new ConnectionError('permissionDenied', 'VIEW SERVER STATE permission was denied.', 300),
    );
    await monitor.refresh();
    const names = monitor.snapshot.cost.lastMinute.map(({ name }) => name);
    const [together, ...alone] = names;
    assert.equal(together, 'server-facts, database-facts, server-state, server-settings, startup-options');
    assert.deepEqual(
      alone.filter((name) => !name.includes(',')),
      server.asked,
      'and each alone, since one was refused',
    );
    nowMs = 60_001;
    assert.deepEqual(monitor.snapshot.cost.lastMinute, []);
  });

  it('does not try a refused login again by itself, since that locks accounts', async () => {
    const { server, timers, monitor } = watchUnread();
    await monitor.refresh();
    server.failures.set('open', new ConnectionError('loginFailed', 'The login failed.', 18456));
    server.failures.set('server-facts', new ConnectionError('disconnected', 'The connection was lost.'));
    await monitor.refresh();
    assert.equal(monitor.snapshot.failure, 'The connection was lost.');
    assert.deepEqual(timers.delays, [30_000]);
    timers.fire(30_000);
    await monitor.refresh();
    assert.equal(monitor.snapshot.failure, 'The login failed.');
    assert.deepEqual(timers.delays, []);
  });

  it('keeps what was known when a later read fails, and opens a new connection after a lost one', async () => {
    const { server, monitor } = watchUnread();
    await monitor.refresh();
    server.failures.set('*', new ConnectionError('disconnected', 'The connection was lost.'));
    await monitor.refresh();
    assert.equal(monitor.snapshot.facts?.databases.length, 3);
    assert.equal(server.closed, 1);
    server.failures.clear();
    await monitor.refresh();
    assert.equal(monitor.snapshot.connection, 'connected');
    assert.equal(server.opened, 2);
  });

  it('notices that a target recovery time has changed, and when', async () => {
    const { server, monitor } = watchUnread();
    await monitor.refresh();
    server.databases = server.databases.map((database) =>
      database.id === 5 ? { ...database, target: '60' } : database,
    );
    server.nowUtc = '2026-03-02T08:30:00';
    await monitor.refresh();
    const between = { notBeforeUtcMs: Date.UTC(2026, 2, 2, 8), atUtcMs: Date.UTC(2026, 2, 2, 8, 30) };
    assert.deepEqual(monitor.snapshot.changes, [
      { databaseId: 5, source: 'observed', ...between, fromSeconds: 0, toSeconds: 60 },
    ]);
  });

  it('leaves out a database whose row could not be read, names it in the log and shows the others', async () => {
    const { server, surroundings, monitor } = watchUnread();
    server.databases = [...server.databases, { id: 8, name: 'Odd', target: 'sixty' }];
    await monitor.refresh();
    assert.equal(monitor.snapshot.facts?.databases.length, 3);
    assert.match(
      surroundings.logged.join('\n'),
      /Row 4, column "target_seconds": expected a whole number or NULL, found "sixty"/,
    );
  });

  it('writes the script for databases that can be switched, from facts read just before', async () => {
    const { server, monitor } = watchUnread();
    const { plan, scripts } = await monitor.reviewSwitch(choiceOf([5, 7]));
    assert.deepEqual(plan.exclusions, [
      {
        databaseId: 7,
        name: 'Mail',
        kind: 'already has 60 seconds',
        reason: 'It already has 60 seconds.',
        elsewhere: null,
      },
    ]);
    assert.match(changeOf(scripts), /N'Sales'/);
    assert.match(changeOf(scripts), /nothing was measured/);
    assert.equal((await monitor.reviewSwitch(choiceOf([7]))).scripts, null);
    assert.ok(!server.texts.some((text) => text.includes('TARGET_RECOVERY_TIME =')), 'never run by us');
  });

  it('plans again from what was read, without a query, and never from nothing', async () => {
    const { server, monitor } = watchUnread();
    await assert.rejects(monitor.replanSwitch(choiceOf([5])), /is not connected/);
    const { facts } = await monitor.reviewSwitch(choiceOf([5, 6]));
    const asked = server.asked.length;
    server.databases = [];
    const again = await monitor.replanSwitch(choiceOf([6]));
    assert.deepEqual(
      [again.plan.steps.map(({ database }) => database.name), again.facts === facts],
      [['Stock'], true],
    );
    assert.equal(server.asked.length, asked);
  });

  it('ends the query when the user cancels, and goes on with the work that waits', async () => {
    const { server, monitor } = watchUnread();
    await monitor.refresh();
    server.isSilent = true;
    const cancel = new AbortController();
    const starting = monitor.startTracking(null, cancel.signal);
    const next = monitor.refresh();
    await new Promise(setImmediate);
    cancel.abort();
    server.isSilent = false;
    await assert.rejects(starting, /Cancelled/);
    await next;
    assert.equal(monitor.snapshot.connection, 'connected');
    assert.equal(monitor.snapshot.tracking.state, 'failed');
  });

  it('does not call a server failed because the user gave up waiting for it', async () => {
    const { server, timers, monitor } = watchUnread();
    await monitor.refresh();
    for (const begin of [
      (signal: AbortSignal) => monitor.reviewSwitch(choiceOf([5], true), signal),
      (signal: AbortSignal) => monitor.refresh(signal),
    ]) {
      server.isSilent = true;
      const cancel = new AbortController();
      const work = begin(cancel.signal);
      await new Promise(setImmediate);
      cancel.abort();
      server.isSilent = false;
      await assert.rejects(work, { name: 'ConnectionError', reason: 'cancelled' });
      assert.deepEqual([monitor.snapshot.connection, monitor.snapshot.failure], ['connected', null]);
      assert.ok(timers.delays.includes(30_000), 'reads again later');
    }
  });

  it('asks a server that is down once for a script, not twice', async () => {
    const { server, monitor } = watchUnread();
    await monitor.refresh();
    server.failures.set('server-facts', new ConnectionError('unreachable', 'PROD-SQL07 does not answer.'));
    const before = server.queries;
    await assert.rejects(monitor.reviewSwitch(choiceOf([5], true)), /does not answer/);
    assert.equal(server.queries, before + 1);
  });

  it('closes a connection that comes after it was disposed', async () => {
    const { server, monitor } = watchUnread();
    const late = new HeldAnswer();
    const open = server.open.bind(server);
    server.open = async (opening) => {
      await late.call();
      return open({ ...opening, turn: async () => undefined });
    };
    const reading = monitor.refresh();
    await new Promise(setImmediate);
    await monitor.dispose();
    late.give();
    await reading;
    assert.deepEqual([server.opened, server.closed], [1, 1]);
  });

  it('does not begin work that was cancelled while it waited', async () => {
    const { server, monitor } = watchUnread();
    const cancel = new AbortController();
    cancel.abort();
    await assert.rejects(monitor.startTracking(null, cancel.signal), /Cancelled before it began/);
    assert.equal(server.opened, 0);
  });

  it('leaves no timer and no connection behind', async () => {
    const { server, timers, monitor } = watchUnread();
    await monitor.refresh();
    await monitor.startTracking(null);
    await monitor.dispose();
    assert.deepEqual([timers.delays, server.closed], [[], 1]);
  });
});
