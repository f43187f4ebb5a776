import assert from 'node:assert/strict';
import { OpenServers } from '../../../src/shell/servers/open-servers';
import { ServerList } from '../../../src/shell/servers/server-list';
import type { SavedServer } from '../../../src/shell/servers/saved-server';
import { SavedServers } from '../../../src/shell/servers/saved-servers';
import { agree, FakeMonitor, FakeSecrets, FakeState, openDesk, savedServer } from '../fake-editor';
import { hostServer } from '../fake-host';
import { database, facts, snapshot, systemDatabases, tracking } from '../sample';

const found = snapshot(facts([...systemDatabases, database(5, 'a'), database(6, 'b'), database(7, 'c', { targetSeconds: 60 })]));

describe('the open servers', () => {
  it('make one monitor for a server, however often it is asked for', async () => {
    const desk = await openDesk(found);
    await Promise.all([desk.servers.monitor('server-1'), desk.servers.monitor('server-1'), desk.servers.connect('server-1', agree)]);
    assert.equal(desk.monitors.length, 1);
  });

  it('read a server once when many wait for its first answer', async () => {
    const desk = await openDesk(found);
    await Promise.all([
      desk.servers.connect('server-1', agree),
      desk.servers.connect('server-1', agree),
      desk.servers.connect('server-1', agree),
    ]);
    await desk.servers.connect('server-1', agree);
    assert.deepEqual(desk.monitors[0]?.asked, ['look']);
  });

  it('wait for the first answer also where the server is being connected to already', async () => {
    const desk = await openDesk(found);
    await desk.servers.monitor('server-1');
    const monitor = desk.monitors[0] as FakeMonitor;
    let answer = (): void => undefined;
    monitor.look = () => {
      monitor.snapshot = { ...monitor.snapshot, connection: 'connecting' };
      return new Promise((resolve) => (answer = resolve));
    };
    const first = desk.servers.connect('server-1', agree);
    await new Promise(setImmediate);
    let isAnswered = false;
    const second = desk.servers.connect('server-1', agree).then(() => (isAnswered = true));
    await new Promise(setImmediate);
    assert.equal(isAnswered, false);
    answer();
    await Promise.all([first, second]);
  });

  it('show a server that was not opened without touching it', async () => {
    const desk = await openDesk(found);
    assert.deepEqual(
      desk.servers.snapshots().map(({ label, connection }) => [label, connection]),
      [['Production 7', 'not connected']],
    );
    assert.equal(desk.monitors.length, 0);
  });

  it('give up the monitor of a server whose settings changed', async () => {
    const desk = await openDesk(found);
    await desk.servers.connect('server-1', agree);
    await desk.servers.save({ ...savedServer, user: 'other' });
    assert.equal(desk.monitors[0]?.isDisposed, true);
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
    assert.deepEqual([desk.monitors[0]?.isDisposed, desk.servers.openedThroughHosts().length], [false, 1]);
    assert.deepEqual(desk.state.values.get('checkpointHealth.knownServers'), [hostServer]);
  });

  it('are named by their logins from the moment on at which another one has the name, opened or not', async () => {
    const desk = await openDesk(found);
    await desk.servers.connect('server-1', agree);
    assert.equal(desk.servers.snapshot('server-1').label, 'Production 7');
    await desk.servers.save({ ...savedServer, id: 'server-2', user: 'reader' });
    const labels = ['Production 7 (dba)', 'Production 7 (reader)'];
    assert.deepEqual(
      desk.servers.snapshots().map(({ label }) => label),
      labels,
    );
    assert.deepEqual(
      ['server-1', 'server-2'].map((id) => desk.servers.snapshot(id).label),
      labels,
    );
    await desk.servers.remove('server-2');
    assert.equal(desk.servers.snapshot('server-1').label, 'Production 7');
  });

  it('remember a server again that was removed and reached again', async () => {
    const desk = await openDesk(found);
    for (let time = 0; time < 2; time++) {
      desk.servers.point(hostServer);
      await desk.servers.connect(hostServer.id, agree);
      assert.deepEqual(desk.state.values.get('checkpointHealth.knownServers'), [hostServer]);
      await desk.servers.remove(hostServer.id);
      assert.deepEqual(desk.state.values.get('checkpointHealth.knownServers'), []);
    }
  });

  it('try a server again that could not be reached when it is asked for again', async () => {
    const desk = await openDesk({ ...found, connection: 'failed', failure: 'It is down.' });
    await desk.servers.connect('server-1', agree);
    const monitor = desk.monitors[0] as FakeMonitor;
    monitor.found = found;
    assert.equal((await desk.servers.connect('server-1', agree)).snapshot.failure, null);
    assert.deepEqual(monitor.asked, ['look', 'refresh']);
  });

  it('say of a server that was not opened yet whether it was tracked when last seen, in whichever window', async () => {
    const desk = await openDesk({ ...found, tracking });
    const [one, ...others] = desk.servers.snapshots();
    assert.deepEqual([one?.tracking.isLastSeen, others.length], [false, 0]);
    await desk.servers.look('server-1');
    (desk.monitors[0] as FakeMonitor).change('tracking');
    assert.equal(desk.servers.list.wasTracked('server-1'), true);
    await desk.servers.save(desk.servers.list.saved.find('server-1') as SavedServer);
    assert.equal(desk.servers.snapshot('server-1').tracking.isLastSeen, true);
  });

  describe('where a login was refused', () => {
    const standing = { kind: 'refused', sentence: 'The login was refused.', retryInMs: null } as const;
    const refusedAt = (sinceMs: number): Parameters<typeof openDesk>[0] => ({
      ...found,
      connection: 'failed',
      failure: standing.sentence,
      standing: { ...standing, sinceMs },
    });

    it('just now, are not tried a second time for the same command', async () => {
      const desk = await openDesk(refusedAt(Date.now() + 1_000));
      await desk.servers.connect('server-1', () => assert.fail('it asked'));
      assert.deepEqual(desk.monitors[0]?.asked, ['look']);
    });

    it('earlier, here or by another server of the account, are tried again once the user said so: anything can run a command', async () => {
      const desk = await openDesk(refusedAt(0));
      const refuse = (): Promise<void> => Promise.reject(new Error('No.'));
      await assert.rejects(desk.servers.connect('server-1', refuse), /No\./);
      await assert.rejects(desk.servers.connect('server-1', refuse), /No\./);
      assert.deepEqual(desk.monitors[0]?.asked, ['look']);
      await desk.servers.connect('server-1', agree);
      assert.deepEqual(desk.monitors[0]?.asked, ['look', 'refresh']);
    });
  });

  it('ask the user for what a server waits for only where they opened its row or ran a command', async () => {
    const desk = await openDesk({
      ...found,
      connection: 'failed',
      standing: { kind: 'waiting', sentence: 'It waits.', sinceMs: 0, retryInMs: null },
    });
    await desk.servers.look('server-1');
    assert.deepEqual(desk.monitors[0]?.asked, ['look']);
    await desk.servers.expand('server-1');
    assert.deepEqual(desk.monitors[0]?.asked, ['look', 'refresh']);
    await desk.servers.connect('server-1', () => assert.fail('it asked'));
    assert.deepEqual(desk.monitors[0]?.asked, ['look', 'refresh', 'refresh']);
  });

  it('show no monitor of a server whose settings changed while it was being made', async () => {
    const saved = new SavedServers(new FakeState(), new FakeSecrets());
    await saved.save(savedServer);
    const made: FakeMonitor[] = [];
    let make = (): void => undefined;
    const servers = new OpenServers(new ServerList(saved, new FakeState()), {
      createMonitor: async (server) => {
        await new Promise<void>((resolve) => (make = resolve));
        made.push(new FakeMonitor(server.id, { ...found, label: server.name }, { ...found, label: server.name }));
        return made[made.length - 1] as FakeMonitor;
      },
    });
    const opening = servers.monitor('server-1');
    await new Promise(setImmediate);
    const saving = servers.save({ ...savedServer, name: 'Renamed' });
    await new Promise(setImmediate);
    make();
    await Promise.all([opening, saving]);
    assert.equal(made[0]?.isDisposed, true);
    assert.deepEqual([servers.snapshot('server-1').label, servers.snapshot('server-1').connection], ['Renamed', 'not connected']);
  });

  it('keep nothing of a server that was pointed at and never reached', async () => {
    const desk = await openDesk({ ...found, connection: 'failed', failure: 'The workspace is not trusted.' });
    desk.servers.point(hostServer);
    await desk.servers.connect(hostServer.id, agree);
    assert.equal(desk.state.values.get('checkpointHealth.knownServers'), undefined);
  });

  it('tell which server changed, and end all monitors at the end', async () => {
    const desk = await openDesk(found);
    const told: unknown[] = [];
    desk.servers.onDidChange((...args) => told.push(args));
    await desk.servers.connect('server-1', agree);
    await desk.servers.dispose();
    assert.deepEqual([told, desk.monitors[0]?.isDisposed], [[['server-1', 'facts']], true]);
  });

  it('make a monitor again after one could not be made', async () => {
    const saved = new SavedServers(new FakeState(), new FakeSecrets());
    await saved.save(savedServer);
    let attempts = 0;
    const servers = new OpenServers(new ServerList(saved, new FakeState()), {
      createMonitor: async () => {
        if (++attempts === 1) throw new Error('The chunk could not be loaded.');
        return new FakeMonitor('server-1', found);
      },
    });
    await assert.rejects(servers.monitor('server-1'), /could not be loaded/);
    assert.equal((await servers.monitor('server-1')).id, 'server-1');
    await assert.rejects(servers.monitor('nobody'), /no longer in the list/);
  });
});
