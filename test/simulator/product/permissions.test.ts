import assert from 'node:assert/strict';
import { type WatchedServer, watchSimulator } from './watched-server';
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
});
