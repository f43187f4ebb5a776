import assert from 'node:assert/strict';
import { type WatchedServer, watch, watchSimulator } from './watched-server';
import { changeOf, choiceOf } from '../../core/script/scripts-of';

describe('A login that may not do everything', () => {
  let watched: WatchedServer;
  afterEach(() => watched?.dispose());

  it('does the main job with VIEW SERVER STATE and ALTER ANY EVENT SESSION: tracks, judges, reviews', async () => {
    watched = await watchSimulator({ user: 'operator' });
    const { monitor, simulator } = watched;
    await monitor.refresh();
    await monitor.startTracking(null);
    simulator.server.advance(12 * 60_000);
    await monitor.refresh();
    await monitor.stopTracking();
    assert.ok((monitor.capture?.ledger().checkpoints ?? 0) > 20);
    assert.equal(monitor.snapshot.instance?.blind ?? null, null);
    const database = monitor.snapshot.facts?.databases.find(({ name }) => name === 'a]b');
    const { scripts } = await monitor.reviewSwitch(choiceOf([database?.databaseId ?? 0], true));
    assert.match(changeOf(scripts), /N'a\]b'/);
    await monitor.removeTracking();
  });

  it('sees by VIEW SERVER STATE alone that a database is secondary here, and where its primary is', async () => {
    watched = await watchSimulator({}, { scenario: 'availability-group' });
    const { port } = watched.simulator.replicas.find(({ name }) => name === 'SALES-SQL02') ?? assert.fail();
    const monitor = watch({ ...watched.simulator, port }, { user: 'operator' });
    await monitor.refresh();
    const orders =
      monitor.snapshot.facts?.databases.find(({ name }) => name === 'Sales_Orders')?.databaseId ?? 0;
    const { plan } = await monitor.reviewSwitch(choiceOf([orders], true));
    await monitor.dispose();
    const reason = 'It is a secondary replica here. Change it on SALES-SQL01. The same script does that.';
    const excluded = plan.exclusions.map((each) => [each.name, each.reason, each.elsewhere]);
    assert.deepEqual(excluded, [['Sales_Orders', reason, 'SALES-SQL01']]);
  });

  it('is told by SQL Server 2022 which part it lacks where it may create event sessions and not start them, and nothing is recorded', async () => {
    watched = await watchSimulator({ user: 'session-creator' }, { release: 2022 });
    const { monitor, simulator } = watched;
    await monitor.refresh();
    await assert.rejects(
      monitor.startTracking(null),
      /^Error: Tracking needs ALTER ANY EVENT SESSION ENABLE and VIEW SERVER PERFORMANCE STATE, which the login session-creator/,
    );
    await assert.rejects(
      monitor.removeTracking(),
      /Removing the event session needs ALTER ANY EVENT SESSION,.* it stays as it is/,
    );
    assert.ok(
      !simulator.server.ledger.sessionRuns.some(({ sessionName }) => sessionName === 'CheckpointHealth'),
    );
  });
});
