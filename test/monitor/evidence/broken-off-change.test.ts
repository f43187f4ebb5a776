import assert from 'node:assert/strict';
import { ConnectionError, type QueryOptions } from '../../../src/hosts/host';
import { FakeServer } from '../fake-server';
import { checkpoints, time, track } from '../watched-fake';

const lost = new ConnectionError('disconnected', 'The connection was lost.');

/** A tracked server on which something happens when the change of the databases arrives. */
async function trackOn(
  arrives: (server: FakeServer, options: QueryOptions) => void,
  databaseIds: readonly number[] | null = [5, 6],
) {
  const server = new FakeServer();
  const open = server.open.bind(server);
  server.open = async (opening) => {
    const connection = await open(opening);
    const query: typeof connection.query = async (text, options) => {
      if (/Checkpoint Health: session-change-databases /.test(text)) arrives(server, options);
      return connection.query(text, options);
    };
    return { ...connection, query };
  };
  const watched = await track(databaseIds, [], server);
  Object.assign(server, { events: checkpoints(20, 0, 2), nowUtc: time(60) });
  await watched.poll();
  return watched;
}

const gapsOf = ({ snapshot }: Awaited<ReturnType<typeof trackOn>>['monitor']): readonly unknown[] =>
  (snapshot.tracking.observation?.gaps ?? []).map(({ kind, databases }) => [kind, databases]);

/** Breaks off as a server that dropped checkpoint_end and could not add it again. */
function loseEnd(server: FakeServer): never {
  server.hasEnd = '0';
  throw lost;
}

describe('A change of the databases', () => {
  it('does not break off if the user gives up while it runs: it goes to its end, has two minutes, and is looked at', async () => {
    const controller = new AbortController();
    const seen: unknown[] = [];
    const { monitor } = await trackOn((_server, { signal, timeoutMs }) => {
      controller.abort();
      seen.push(signal?.aborted, timeoutMs);
    });
    await monitor.changeTrackedDatabases([5], controller.signal);
    assert.deepEqual(seen, [false, 120_000]);
    assert.deepEqual(
      [monitor.snapshot.tracking.state, monitor.snapshot.trackedDatabaseIds],
      ['tracking', [5]],
    );
    assert.deepEqual(gapsOf(monitor), [['databases changed', { before: [5, 6], after: [5] }]]);
  });

  it('does not begin if the user gave up before', async () => {
    const { server, monitor } = await trackOn(() => undefined);
    const controller = new AbortController();
    const done = monitor.changeTrackedDatabases([5], controller.signal);
    controller.abort();
    await assert.rejects(done, { reason: 'cancelled' });
    assert.ok(!server.asked.includes('session-change-databases'));
  });

  it('is mended if it broke off between dropping an event and adding it, with the databases of the event that is left', async () => {
    const { server, monitor } = await trackOn(loseEnd);
    await assert.rejects(monitor.changeTrackedDatabases([5]), /The connection was lost/);
    assert.equal(server.hasEnd, '1');
    const mending = server.texts.find((text) => text.includes('session-add-missing-events')) ?? '';
    assert.equal(mending.match(/\[database_id\] = \(5\) OR \[database_id\] = \(6\)/g)?.length, 2);
    assert.deepEqual(
      [monitor.snapshot.tracking.state, monitor.snapshot.trackedDatabaseIds],
      ['tracking', [5, 6]],
    );
    assert.deepEqual(gapsOf(monitor), [['databases changed', { before: [5, 6], after: [5, 6] }]]);
  });

  it('names the missing event if it cannot be mended, blames nobody, and lets our session be removed', async () => {
    const { server, monitor } = await trackOn(loseEnd, null);
    server.failures.set('session-add-missing-events', new ConnectionError('permissionDenied', 'Refused.'));
    await assert.rejects(
      monitor.changeTrackedDatabases([5]),
      /lost\. .* now lacks checkpoint_end, .* Refused\. Remove it with Remove Tracking Session/,
    );
    assert.equal(monitor.snapshot.tracking.state, 'stopped');
    assert.doesNotMatch(monitor.snapshot.tracking.message ?? '', /someone else/);
    await assert.rejects(
      monitor.startTracking(null),
      /without checkpoint_end: a change to it was interrupted\. Remove it with Remove Tracking Session/,
    );
    await monitor.removeTracking();
    assert.equal(server.isDefined, false);
  });
});
