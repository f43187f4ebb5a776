import assert from 'node:assert/strict';
import { type WatchedServer, watchSimulator } from './watched-server';
import { changeOf, choiceOf } from '../../core/script/scripts-of';

const password = 'Str0ng!Passw0rd';

describe('A login that may not do everything', function () {
  this.timeout(60_000);
  let watched: WatchedServer;
  afterEach(() => watched?.dispose());

  it('is told in one sentence what tracking needs', async () => {
    watched = await watchSimulator({ user: 'reader', password });
    await assert.rejects(
      watched.monitor.startTracking(null),
      /Tracking needs ALTER ANY EVENT SESSION and VIEW SERVER STATE, which the login reader does not have on LEGACY-SQL07\./,
    );
    assert.equal(watched.simulator.server.ledger.sessionRuns.filter((run) => run.sessionName === 'CheckpointHealth').length, 0);
  });

  it('does the main job with VIEW SERVER STATE and ALTER ANY EVENT SESSION: tracks, judges, reviews', async () => {
    watched = await watchSimulator({ user: 'operator', password });
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

  it('gets one sentence for a wrong password, without the password', async () => {
    watched = await watchSimulator({ user: 'dba', password: 'Wr0ng!Secret' });
    await watched.monitor.refresh();
    const { connection, failure } = watched.monitor.snapshot;
    assert.equal(connection, 'failed');
    assert.match(failure ?? '', /dba/);
    assert.doesNotMatch(failure ?? '', /Wr0ng!Secret/);
  });
});
