import assert from 'node:assert/strict';
import { type WatchedServer, watchSimulator } from '../product/watched-server';

describe('The databases of our session on the simulated server', () => {
  let watched: WatchedServer;
  afterEach(() => watched?.dispose());

  it('are changed while it runs: the session never stops, each is counted over the time in which it was recorded, and the gap is marked', async () => {
    watched = await watchSimulator();
    const { simulator, monitor } = watched;
    await monitor.refresh();
    const busiest = listBusiest(watched, 3);
    const [kept = 0, removed = 0, added = 0] = busiest;
    await monitor.startTracking([kept, removed]);
    const fromUtcMs = monitor.capture?.observation?.beginUtcMs ?? 0;
    simulator.server.advance(1_800_000);
    await monitor.changeTrackedDatabases([kept, added]);
    simulator.server.advance(3_600_000);
    await monitor.stopTracking();

    const runs = simulator.server.ledger.sessionRuns.filter(({ sessionName }) => sessionName === 'CheckpointHealth');
    assert.equal(runs.length, 1, 'one run');
    const observation = monitor.capture?.observation;
    const [gap] = observation?.gaps ?? [];
    assert.deepEqual([observation?.gaps.length, gap?.kind], [1, 'databases changed']);
    assert.deepEqual(gap?.databases, { before: [kept, removed], after: [kept, added] });
    const changedUtcMs = gap?.beginUtcMs ?? 0;
    assert.equal(changedUtcMs, fromUtcMs + 1_800_000);
    const truth = (id: number, beginUtcMs: number, endUtcMs: number): number =>
      [...simulator.server.ledger.checkpoints].filter(
        (one) => one.databaseId === id && one.beginUtcMs >= beginUtcMs && one.endUtcMs < endUtcMs,
      ).length;
    const { columns, databases } = monitor.capture ?? assert.fail('no capture');
    const captured = (id: number): number =>
      [...columns.database.subarray(0, columns.rows)].filter((at) => databases[at]?.databaseId === id).length;
    const end = observation?.endUtcMs ?? 0;
    assert.ok(truth(removed, fromUtcMs, changedUtcMs) > 5 && truth(added, changedUtcMs, end) > 5);
    assert.equal(captured(removed), truth(removed, fromUtcMs, changedUtcMs));
    assert.equal(captured(added), truth(added, changedUtcMs, end));
    // The one that runs at the very moment of the change may be lost to the gap.
    assert.ok(truth(kept, fromUtcMs, end) - captured(kept) <= 1);
  });

  it('are not recorded for a login of SQL Server 2022 that may create event sessions and not start them: it is told which part it lacks', async () => {
    watched = await watchSimulator({ user: 'session-creator' }, { release: 2022 });
    const { monitor, simulator } = watched;
    await monitor.refresh();
    await assert.rejects(
      monitor.startTracking(null),
      /^Error: Tracking needs ALTER ANY EVENT SESSION ENABLE and VIEW SERVER PERFORMANCE STATE, which the login session-creator/,
    );
    await assert.rejects(monitor.removeTracking(), /Removing the event session needs ALTER ANY EVENT SESSION,.* it stays as it is/);
    assert.ok(!simulator.server.ledger.sessionRuns.some(({ sessionName }) => sessionName === 'CheckpointHealth'));
  });
});

/** By what the model did in its first hour, in a server of its own time. */
function listBusiest({ simulator }: WatchedServer, count: number): readonly number[] {
  simulator.server.advance(3_600_000);
  const counts = new Map<number, number>();
  for (const { databaseId } of simulator.server.ledger.checkpoints)
    if (databaseId > 4) counts.set(databaseId, (counts.get(databaseId) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, count)
    .map(([id]) => id);
}
