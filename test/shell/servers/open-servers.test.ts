import assert from 'node:assert/strict';
import { OpenServers } from '../../../src/shell/servers/open-servers';
import { ServerList } from '../../../src/shell/servers/server-list';
import { startSimulator } from '../../../simulator/index';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { reach, watchThrough } from '../../simulator/product/watched-server';
import { createServerRow } from '../../../src/shell/tree/server-row';
import type { SavedServer } from '../../../src/shell/servers/saved-server';
import { SavedServers } from '../../../src/shell/servers/saved-servers';
import { HeldAnswer } from '../../held-answer';
import { agree, type Desk, FakeMonitor, FakeSecrets, FakeState, openDesk, savedServer } from '../fake-editor';
import { hostServer } from '../fake-host';
import { partsOf, shop, tracking } from '../sample';

const found = shop();
const soon = (): Promise<void> => new Promise(setImmediate);
/** The servers that other products led to, as they are remembered. */
const remembered = (desk: Desk): unknown => desk.state.values.get('checkpointHealth.knownServers');

/** One saved server whose monitors are made in that way. */
async function openWith(createMonitor: ConstructorParameters<typeof OpenServers>[1]): Promise<OpenServers> {
  const saved = new SavedServers(new FakeState(), new FakeSecrets());
  await saved.save(savedServer);
  return new OpenServers(new ServerList(saved, new FakeState()), createMonitor);
}

describe('the open servers', () => {
  it('make one monitor for a server, and read it once, however many wait for its first answer', async () => {
    const desk = await openDesk(found);
    const connect = (): Promise<unknown> => desk.servers.connect('server-1', agree);
    await Promise.all([
      desk.servers.monitor('server-1'),
      desk.servers.monitor('server-1'),
      connect(),
      connect(),
    ]);
    await connect();
    assert.deepEqual([desk.monitors.length, desk.asked()], [1, ['look']]);
  });

  it('wait for the first answer also where the server is being connected to already', async () => {
    const desk = await openDesk(found);
    await desk.servers.monitor('server-1');
    const answer = new HeldAnswer();
    desk.monitor.look = () => {
      desk.monitor.snapshot = { ...desk.monitor.snapshot, connection: 'connecting' };
      return answer.call();
    };
    const first = desk.servers.connect('server-1', agree);
    await soon();
    let isAnswered = false;
    const second = desk.servers.connect('server-1', agree).then(() => (isAnswered = true));
    await soon();
    assert.equal(isAnswered, false);
    answer.give();
    await Promise.all([first, second]);
  });

  it('give up the monitor of a server whose settings changed', async () => {
    const desk = await openDesk(found);
    await desk.servers.connect('server-1', agree);
    await desk.servers.save({ ...savedServer, user: 'other' });
    assert.equal(desk.monitor.isDisposed, true);
    await desk.servers.connect('server-1', agree);
    assert.equal(desk.monitors.length, 2);
  });

  it('give up the monitor of a connection that another product took away, or led to another server', async () => {
    const desk = await openDesk(found);
    const { list } = desk.servers;
    for (const next of [{ ...hostServer, server: 'elsewhere' }, null]) {
      list.takeIn({ servers: [hostServer], untrusted: 0 });
      await desk.servers.takeInList();
      await desk.servers.connect(hostServer.id, agree);
      await desk.servers.takeInList();
      const made = desk.monitors[desk.monitors.length - 1];
      assert.equal(made?.isDisposed, false);
      list.takeIn({ servers: next === null ? [] : [next], untrusted: 0 });
      await desk.servers.takeInList();
      assert.equal(made?.isDisposed, true);
    }
  });

  it('keep the monitor of a server whose product is gone: it says so itself, and shows what it captured', async () => {
    const desk = await openDesk(found);
    desk.servers.list.takeIn({ servers: [hostServer], untrusted: 0 });
    await desk.servers.connect(hostServer.id, agree);
    desk.servers.list.takeIn(null);
    await desk.servers.takeInList();
    assert.deepEqual([desk.monitor.isDisposed, desk.servers.openedThroughHosts().length], [false, 1]);
    assert.deepEqual(remembered(desk), [hostServer]);
  });

  it('are named by their logins from the moment on at which another one has the name, opened or not', async () => {
    const desk = await openDesk(found);
    await desk.servers.connect('server-1', agree);
    assert.equal(desk.servers.snapshot('server-1').label, 'Production 7');
    await desk.servers.save({ ...savedServer, id: 'server-2', user: 'reader' });
    const labels = ['Production 7 (dba)', 'Production 7 (reader)'];
    assert.deepEqual(partsOf(desk.servers.snapshots(), 'label'), labels);
    assert.equal(desk.servers.snapshot('server-1').label, labels[0]);
    await desk.servers.remove('server-2');
    assert.equal(desk.servers.snapshot('server-1').label, 'Production 7');
  });

  it('remember a server again that was removed and reached again', async () => {
    const desk = await openDesk(found);
    for (let time = 0; time < 2; time++) {
      desk.servers.point(hostServer);
      await desk.servers.connect(hostServer.id, agree);
      assert.deepEqual(remembered(desk), [hostServer]);
      await desk.servers.remove(hostServer.id);
      assert.deepEqual(remembered(desk), []);
    }
  });

  it('try a server again that could not be reached when it is asked for again', async () => {
    const desk = await openDesk({ ...found, connection: 'failed', failure: 'It is down.' });
    await desk.servers.connect('server-1', agree);
    desk.monitor.found = found;
    assert.equal((await desk.servers.connect('server-1', agree)).snapshot.failure, null);
    assert.deepEqual(desk.asked(), ['look', 'refresh']);
  });

  it('say of a server that was not opened yet whether it was tracked when last seen, in whichever window', async () => {
    const desk = await openDesk({ ...found, tracking });
    const [one, ...others] = desk.servers.snapshots();
    assert.deepEqual([one?.tracking.isLastSeen, others.length], [false, 0]);
    await desk.servers.look('server-1');
    desk.monitor.change('tracking');
    assert.equal(desk.servers.list.wasTracked('server-1'), true);
    await desk.servers.save(desk.servers.list.saved.find('server-1') as SavedServer);
    assert.equal(desk.servers.snapshot('server-1').tracking.isLastSeen, true);
  });

  describe('where a login was refused', () => {
    const standing = { kind: 'refused', sentence: 'The login was refused.', retryInMs: null } as const;
    const refusedAt = (sinceMs: number) =>
      ({
        ...found,
        connection: 'failed',
        failure: standing.sentence,
        standing: { ...standing, sinceMs },
      }) as const;

    it('just now, are not tried a second time for the same command', async () => {
      const desk = await openDesk(refusedAt(Date.now() + 1_000));
      await desk.servers.connect('server-1', () => assert.fail('it asked'));
      assert.deepEqual(desk.asked(), ['look']);
    });

    it('earlier, here or by another server of the account, are tried again once the user said so: anything can run a command', async () => {
      const desk = await openDesk(refusedAt(0));
      const refuse = (): Promise<void> => Promise.reject(new Error('No.'));
      await assert.rejects(desk.servers.connect('server-1', refuse), /No\./);
      await assert.rejects(desk.servers.connect('server-1', refuse), /No\./);
      assert.deepEqual(desk.asked(), ['look']);
      await desk.servers.connect('server-1', agree);
      assert.deepEqual(desk.asked(), ['look', 'refresh']);
    });
  });

  it('ask the user for what a server waits for only where they opened its row or ran a command', async () => {
    const standing = { kind: 'waiting', sentence: 'It waits.', sinceMs: 0, retryInMs: null } as const;
    const desk = await openDesk({ ...found, connection: 'failed', standing });
    await desk.servers.look('server-1');
    assert.deepEqual(desk.asked(), ['look']);
    await desk.servers.expand('server-1');
    assert.deepEqual(desk.asked(), ['look', 'refresh']);
    await desk.servers.connect('server-1', () => assert.fail('it asked'));
    assert.deepEqual(desk.asked(), ['look', 'refresh', 'refresh']);
  });

  it('show no monitor of a server whose settings changed while it was being made', async () => {
    const made: FakeMonitor[] = [];
    const making = new HeldAnswer();
    const servers = await openWith(async ({ id, name }) => {
      await making.call();
      const monitor = new FakeMonitor(id, found, { ...found, label: name });
      made.push(monitor);
      return monitor;
    });
    const opening = servers.monitor('server-1');
    await soon();
    const saving = servers.save({ ...savedServer, name: 'Renamed' });
    await soon();
    making.give();
    await Promise.all([opening, saving]);
    assert.equal(made[0]?.isDisposed, true);
    assert.deepEqual(
      [servers.snapshot('server-1').label, servers.snapshot('server-1').connection],
      ['Renamed', 'not connected'],
    );
  });

  it('keep nothing of a server that was pointed at and never reached', async () => {
    const desk = await openDesk({ ...found, connection: 'failed', failure: 'The workspace is not trusted.' });
    desk.servers.point(hostServer);
    await desk.servers.connect(hostServer.id, agree);
    assert.equal(remembered(desk), undefined);
  });

  it('watch a server once, however often it is listed, by its own name and last start', async () => {
    const simulator = await startSimulator({ rate: 0, tls: 'required', seed: 1 });
    const other = await startSimulator({ rate: 0, tls: 'required', seed: 1 });
    other.server.advance(60_000);
    other.server.restart();
    const made = new Map<string, ServerMonitor>();
    const servers = await openWith(async ({ id }, label, isElsewhere) => {
      const access = reach(id === 'server-3' ? other : simulator);
      const monitor = watchThrough({ ...access, id, label }, false, { isElsewhere });
      made.set(id, monitor);
      return monitor;
    });
    for (const id of ['server-2', 'server-3']) await servers.save({ ...savedServer, id, name: id });
    const told: unknown[] = [];
    servers.onDidChange((id, change) => told.push(`${id} ${change}`));
    const [first, second] = await Promise.all(
      ['server-1', 'server-2', 'server-3'].map((id) => servers.connect(id, agree)),
    );
    const [one, twin] = first === made.get('server-1') ? ['server-1', 'server-2'] : ['server-2', 'server-1'];
    assert.equal(first, second);
    assert.equal(first, made.get(one!));
    await first!.startTracking(null);
    const row = createServerRow(servers.snapshot(twin!), 'own');
    assert.deepEqual(
      [row.description, row.expand],
      [
        `the same server as ${servers.snapshot(one!).label}, by its login ${simulator.administrator.user}`,
        'never',
      ],
    );
    const states = (): readonly unknown[] =>
      [one!, twin!, 'server-3'].map((id) => {
        const { tracking, sameAs = null, id: shown } = servers.snapshot(id);
        return [tracking.state, sameAs, shown === id];
      });
    const label = servers.snapshot(one!).label;
    assert.deepEqual(states(), [
      ['tracking', null, true],
      ['tracking', label, true],
      ['not tracking', null, true],
    ]);
    assert.ok(told.includes(`${twin} tracking`));
    // Stopped by the other entry, it says nothing of a stop from outside.
    await (await servers.monitor(twin!)).stopTracking();
    assert.deepEqual(
      [one!, twin!].map((id) => servers.snapshot(id).tracking.message),
      [first!.snapshot.tracking.message, first!.snapshot.tracking.message],
    );
    assert.doesNotMatch(first!.snapshot.tracking.message ?? '', /outside/);
    const runs = simulator.server.ledger.sessionRuns;
    assert.equal(runs.filter(({ sessionName }) => sessionName === 'CheckpointHealth').length, 1);
    // An entry of another product was reached too, so it stays if that product goes.
    servers.list.takeIn({ servers: [hostServer], untrusted: 0 });
    await servers.connect(hostServer.id, agree);
    assert.deepEqual(
      [servers.snapshot(hostServer.id).sameAs, servers.list.wasReached(hostServer.id)],
      [label, true],
    );
    await servers.remove(hostServer.id);
    // Without the entry that watched it, the other one does.
    await servers.remove(one!);
    await servers.connect(twin!, agree);
    assert.deepEqual([servers.snapshot(twin!).sameAs, made.get(twin!) === first], [undefined, false]);
    assert.equal(servers.snapshot(twin!).connection, 'connected');
    await servers.dispose();
    await Promise.all([simulator.close(), other.close()]);
  });

  it('ask an entry again where its address leads when the user turns to it, and keep the one that tracks after a restart', async () => {
    const [one, other] = await Promise.all([
      startSimulator({ rate: 0, tls: 'required', seed: 1 }),
      startSimulator({ rate: 0, tls: 'required', seed: 1 }),
    ]);
    other.server.advance(60_000);
    other.server.restart();
    let behind = one;
    const servers = await openWith(async ({ id }, label, isElsewhere) => {
      const access = reach(id === 'server-1' ? one : behind);
      return watchThrough({ ...access, id, label }, false, { isElsewhere });
    });
    await servers.save({ ...savedServer, id: 'server-2', name: 'listener' });
    const node = await servers.connect('server-1', agree);
    assert.equal(await servers.connect('server-2', agree), node);
    // The group fails over.
    behind = other;
    const listener = await servers.connect('server-2', agree);
    assert.deepEqual([listener === node, servers.snapshot('server-2').sameAs], [false, undefined]);
    behind = one;
    await servers.save({ ...savedServer, id: 'server-2', name: 'listener' });
    await node.startTracking(null);
    // The server restarts, and the other entry is the first to see it.
    one.server.advance(60_000);
    one.server.restart();
    await servers.connect('server-2', agree);
    await node.refresh();
    const states = ['server-1', 'server-2'].map((id) => servers.snapshot(id).sameAs ?? null);
    assert.deepEqual(states, [null, servers.snapshot('server-1').label]);
    await servers.dispose();
    await Promise.all([one.close(), other.close()]);
  });

  it('tell which server changed, and end all monitors at the end', async () => {
    const desk = await openDesk(found);
    const told: unknown[] = [];
    desk.servers.onDidChange((...args) => told.push(args));
    await desk.servers.connect('server-1', agree);
    await desk.servers.dispose();
    assert.deepEqual([told, desk.monitor.isDisposed], [[['server-1', 'facts']], true]);
  });

  it('make a monitor again after one could not be made', async () => {
    let attempts = 0;
    const servers = await openWith(async () => {
      if (++attempts === 1) throw new Error('The chunk could not be loaded.');
      return new FakeMonitor('server-1', found);
    });
    await assert.rejects(servers.monitor('server-1'), /could not be loaded/);
    assert.equal((await servers.monitor('server-1')).id, 'server-1');
    await assert.rejects(servers.monitor('nobody'), /no longer in the list/);
  });
});
