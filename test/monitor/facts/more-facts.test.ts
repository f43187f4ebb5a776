import assert from 'node:assert/strict';
import type { Facts } from '../../../src/core/advice/facts';
import { ConnectionError } from '../../../src/hosts/host';
import { choiceOf } from '../../core/script/scripts-of';
import { FakeServer, FakeTimers } from '../fake-server';
import { watch as watchFake, watchUnread } from '../watched-fake';
import { LoginBreaker } from '../../../src/monitor/queries/login-breaker';

const denied = new ConnectionError('permissionDenied', 'VIEW SERVER STATE permission was denied.', 300);
const quick = ['startup-options', 'accelerated-recovery', 'server-settings', 'trace-flags'];
const slow = ['event-volume', 'database-files', 'database-logs'];

async function watch(server = new FakeServer()) {
  const { monitor, timers } = await watchFake([], server);
  const facts = (): Facts => monitor.snapshot.facts ?? assert.fail('no facts');
  /** With what is read behind the click: a look waits behind it. */
  const refreshAll = async (): Promise<void> => {
    await monitor.refresh();
    await monitor.look('now');
  };
  return { server, timers, monitor, facts, refreshAll };
}

describe('What is read of a server beyond its databases', () => {
  it('is little while only the pane looks at it', async () => {
    const { server, facts, timers, refreshAll } = await watch();
    timers.fire(30_000);
    await refreshAll();
    const first = server.asked.slice(0, server.asked.indexOf('event-volume'));
    assert.ok(quick.every((name) => first.includes(name)));
    assert.equal(
      first.filter((name) => name === 'server-facts').length,
      3,
      'the first time, the timer, and the user',
    );
    assert.ok(!slow.some((name) => first.includes(name)));
    assert.equal(facts().logs.kind, 'observed');
  });

  it('is everything if the user refreshes, and before a review', async () => {
    const { server, facts, monitor, refreshAll } = await watch();
    await monitor.refresh();
    assert.deepEqual(
      facts().logs,
      { kind: 'not observable', reason: 'not read yet' },
      'the click does not wait for it',
    );
    assert.equal(facts().moreReadUtcMs, null);
    await refreshAll();
    assert.deepEqual([facts().logs.kind, facts().moreReadUtcMs], ['observed', facts().server.nowUtcMs]);
    const [before, queries] = [
      server.asked.filter((name) => name === 'database-logs').length,
      server.queries,
    ];
    await monitor.reviewSwitch(choiceOf([5], true));
    assert.equal(server.asked.filter((name) => name === 'database-logs').length, before + 1);
    assert.ok(server.queries - queries <= 7, `${server.queries - queries} queries`);
  });

  it('lets clicks go between two questions, behind a refresh and for a review, and does not count their time', async () => {
    for (const isReview of [false, true]) {
      const [server, asked] = [new FakeServer(), [] as string[][]];
      let nowMs = 0;
      const breaker = new LoginBreaker({
        schedule: new FakeTimers().schedule,
        elapsedMs: () => nowMs,
        nowMs: () => nowMs,
      });
      const { monitor } = watchUnread({ breaker }, server);
      await monitor.refresh();
      server.after.set('event-volume', () => {
        server.after.set('server-facts', () => (nowMs += 60_000));
        void monitor.refresh().then(() => asked.push(server.asked.filter((name) => slow.includes(name))));
      });
      await (isReview ? monitor.reviewSwitch(choiceOf([5], true)) : monitor.refresh());
      await monitor.look('now');
      assert.deepEqual([asked, monitor.snapshot.facts?.logs.kind], [[['event-volume']], 'observed']);
    }
  });

  it('is read once for two reviews at the same time, and for a review and a refresh', async () => {
    for (const isRefresh of [false, true])
      for (const isUnderWay of [false, true]) {
        const { server, monitor } = await watch();
        const review = (): Promise<unknown> => monitor.reviewSwitch(choiceOf([5], true));
        if (isUnderWay) server.after.set('event-volume', () => void review());
        const first = isRefresh ? monitor.refresh() : review();
        if (!isUnderWay) void review();
        await first;
        await monitor.look('now');
        assert.equal(server.asked.filter((name) => name === 'database-logs').length, 1);
      }
  });

  it('is of one server: nothing is planned if another answers in its place, before a review or between its questions', async () => {
    for (const isBetween of [false, true]) {
      const { server, monitor } = await watch();
      const change = (): void =>
        void Object.assign(server, { name: 'ANOTHER', databases: [{ id: 5, name: 'Other', target: '0' }] });
      if (isBetween) server.after.set('database-files', change);
      else change();
      const review = (): ReturnType<typeof monitor.reviewSwitch> => monitor.reviewSwitch(choiceOf([5], true));
      await assert.rejects(review(), { message: 'Another server answers now. Try again.' });
      await monitor.refresh();
      assert.equal((await review()).facts.server.serverName, 'ANOTHER');
    }
  });

  it('is of the server on which the user chose: databases that were chosen on the one before are not tracked', async () => {
    const { server, monitor } = await watch();
    server.name = 'ANOTHER';
    const looked = monitor.look();
    await assert.rejects(monitor.startTracking([5]), { message: 'Another server answers now. Try again.' });
    await looked;
    assert.ok(!server.asked.includes('session-create'));
  });

  it('is not read after a click if the connection was lost meanwhile', async () => {
    const { server, monitor } = await watch();
    server.failures.set('server-facts', new ConnectionError('unreachable', 'The server does not answer.'));
    await monitor.refresh();
    await monitor.look('now');
    assert.equal(monitor.snapshot.connection, 'failed');
    assert.equal(server.asked.includes('database-logs'), false);
  });

  for (const name of ['event-session', 'server-state', 'availability-roles', ...quick, ...slow])
    it(`loses nothing else if the server refuses ${name}`, async () => {
      const server = Object.assign(new FakeServer(), {
        isHadrEnabled: name === 'availability-roles' ? '1' : '0',
      });
      server.failures.set(name, denied);
      const { facts, monitor, refreshAll } = await watch(server);
      await refreshAll();
      const { state, roles, settings, traceFlags, startup, acceleratedRecovery, logs } = facts();
      const seen = { state, roles, settings, traceFlags, startup, acceleratedRecovery, logs };
      const refused = Object.values(seen).filter(
        (each) => each.kind === 'not observable' && each.reason === denied.message,
      );
      assert.equal(
        refused.length,
        ['event-session', 'event-volume', 'database-files'].includes(name) ? 0 : 1,
      );
      assert.equal(monitor.snapshot.connection, 'connected');
    });

  it('is called missing, not refused, if the version does not have it', async () => {
    const server = new FakeServer();
    for (const name of ['database-logs', 'startup-options'])
      server.failures.set(
        name,
        new ConnectionError('queryFailed', "Invalid object name 'sys.dm_db_log_stats' (Msg 208).", 208),
      );
    const { facts, refreshAll } = await watch(server);
    await refreshAll();
    for (const each of [facts().startup, facts().logs])
      assert.match(
        each.kind === 'not observable' ? each.reason : '',
        /^This version or platform does not have it: Invalid object name/,
      );
  });

  it('says that a login does not see the files, and not that there are none', async () => {
    const { facts, refreshAll } = await watch();
    await refreshAll();
    assert.match(
      JSON.stringify(facts().files),
      /"not observable".*does not show this login any files\. That needs VIEW ANY DEFINITION/,
    );
  });

  it('stays until it is read again, and is forgotten with the server', async () => {
    const { server, facts, timers, monitor, refreshAll } = await watch();
    await refreshAll();
    const readAt = facts().moreReadUtcMs;
    server.nowUtc = '2026-03-02T09:00:00';
    timers.fire(30_000);
    await monitor.look();
    await monitor.startTracking(null);
    assert.deepEqual([facts().logs.kind, facts().moreReadUtcMs], ['observed', readAt]);
    assert.notEqual(facts().server.nowUtcMs, readAt);
    server.name = 'ANOTHER';
    timers.fire(30_000);
    await monitor.look();
    await monitor.listAdoptable().catch(() => undefined);
    assert.deepEqual(
      [facts().server.serverName, facts().moreReadUtcMs, facts().logs.kind],
      ['ANOTHER', null, 'not observable'],
    );
  });
});
