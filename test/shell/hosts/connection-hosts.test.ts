import assert from 'node:assert/strict';
import { ConnectionHosts, type HostState, listNotices } from '../../../src/shell/hosts/connection-hosts';
import { FakeHost, hostServer } from '../fake-host';

describe('the other products whose connections can be used', () => {
  let host: FakeHost;
  let looked: HostState[];
  let failures: unknown[];
  let connections: unknown[];
  let hosts: ConnectionHosts;

  beforeEach(() => {
    host = new FakeHost();
    [looked, failures, connections] = [[], [], []];
    const world = {
      hosts: [host],
      onLooked: (state: HostState) => void looked.push(state),
      onFailure: (error: unknown) => void failures.push(error),
    };
    hosts = new ConnectionHosts(world, (change) => void connections.push(change));
  });

  const last = (): HostState => looked[looked.length - 1] as HostState;

  it('are guessed by what is there before anything is activated', () => {
    assert.deepEqual([hosts.guess(), host.looks], ['mssql', 0]);
    host.present = false;
    assert.equal(hosts.guess(), 'own');
  });

  it('are chosen with what they list', async () => {
    await hosts.look();
    assert.deepEqual([last().choice.name, last().listing?.servers, listNotices(last(), [])], ['mssql', [hostServer], []]);
  });

  it('are looked at again when something about them changes, and lose the pane when they can be used no longer', async () => {
    await hosts.look();
    host.obstacle = 'It shares its connections no longer.';
    host.change({ kind: 'servers' });
    await hosts.look();
    assert.deepEqual([last().choice.name, last().listing], ['own', null]);
    assert.deepEqual(listNotices(last(), []), [{ label: 'No connections from mssql', sentence: 'It shares its connections no longer.' }]);
  });

  it('say nothing in the pane where they are not installed', async () => {
    [host.present, host.obstacle] = [false, 'It is not installed.'];
    await hosts.look();
    assert.deepEqual([last().choice.name, listNotices(last(), ['own'])], ['own', []]);
  });

  it('are missed in the pane where they are gone and servers that they led to are still in it', async () => {
    [host.present, host.obstacle] = [false, 'It is not installed.'];
    await hosts.look();
    assert.deepEqual(listNotices(last(), ['own', 'mssql']), [{ label: 'No connections from mssql', sentence: 'It is not installed.' }]);
  });

  it('are looked at once more where something changes during a look', async () => {
    let answer = (): void => undefined;
    const slow = new Promise<void>((resolve) => (answer = resolve));
    const find = host.findObstacle.bind(host);
    host.findObstacle = async () => {
      await slow;
      return find();
    };
    const looking = hosts.look();
    host.change({ kind: 'servers' });
    answer();
    await looking;
    assert.deepEqual([host.looks, looked.length], [2, 1]);
  });

  it('cannot be used where they break, which is told', async () => {
    host.findObstacle = () => Promise.reject(new Error('its activation failed'));
    await hosts.look();
    assert.deepEqual([last().choice.name, last().findings[0]?.obstacle], ['own', 'its activation failed']);
    assert.equal(failures.length, 1);
  });

  it('tell who connected and disconnected', () => {
    host.change({ kind: 'disconnected', serverId: 'mssql:11' });
    assert.deepEqual(connections, [{ kind: 'disconnected', serverId: 'mssql:11' }]);
  });

  it('count the connections of a workspace that is not trusted, and the pane says so', async () => {
    host.listing = { servers: [], untrusted: 2 };
    await hosts.look();
    assert.deepEqual(
      listNotices(last(), []).map(({ sentence }) => sentence),
      ['The workspace that defines them is not trusted.'],
    );
  });

  it('are let go at the end', () => {
    hosts.dispose();
    host.change({ kind: 'disconnected', serverId: 'mssql:11' });
    assert.deepEqual([host.isDisposed, connections], [true, []]);
  });
});
