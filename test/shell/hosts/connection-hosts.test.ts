import assert from 'node:assert/strict';
import { ConnectionHosts, type HostState, listNotices, tellCautions, tellLoss } from '../../../src/shell/hosts/connection-hosts';
import { FakeHost, hostServer } from '../fake-host';
import type { HostName } from '../../../src/hosts/host';
import { OpenServers } from '../../../src/shell/servers/open-servers';
import { SavedServers } from '../../../src/shell/servers/saved-servers';
import { ServerList } from '../../../src/shell/servers/server-list';
import { FakeMonitor, FakeSecrets, FakeState } from '../fake-editor';
import { facts, snapshot, systemDatabases } from '../sample';
import { chooseHost, type HostFinding } from '../../../src/shell/hosts/host-choice';

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
    assert.deepEqual(listNotices(last(), ['mssql']), [
      { label: 'No connections from mssql', sentence: 'It shares its connections no longer.' },
    ]);
    assert.deepEqual(listNotices(last(), []), [], 'nobody needs them, so the pane greets with Add Server');
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

describe('the day on which the connections of another product cannot be used any more', () => {
  const gone = 'It shares its connections no longer.';
  const found = (name: HostState['choice']['name'], obstacle: string | null): HostState => ({
    choice: { name, place: name, why: 'w' },
    findings: [{ name: 'mssql', isPresent: true, obstacle }],
    listing: null,
  });
  const [usable, lost] = [found('mssql', null), found('own', gone)];
  let state: FakeState;
  let told: string[];
  let imports: number;

  beforeEach(() => ([state, told, imports] = [new FakeState(), [], 0]));

  function tell(now: HostState, before: HostState | null, ways: readonly HostName[]): void {
    const world = {
      state,
      conversation: {
        offer: (sentence: string, button: string, act: () => Promise<void>) => {
          told.push(sentence, button);
          void act();
        },
      },
      importServers: async () => void imports++,
      showPane: async () => undefined,
    };
    tellLoss(world, now, before, ways);
  }

  it('is told at once, with what happened, what stays and a button that imports them', () => {
    tell(lost, usable, []);
    assert.deepEqual(told, [`${gone} What was captured stays with each connection that you import.`, 'Import Connections…']);
    assert.equal(imports, 1);
  });

  it('is told once where it came with an update, so that no window has seen both', () => {
    tell(lost, null, ['mssql', 'own']);
    tell(lost, null, ['mssql', 'own']);
    assert.equal(told.length, 2);
    tell(usable, null, ['mssql']);
    tell(lost, null, ['mssql']);
    assert.equal(told.length, 4, 'it came back in between');
  });

  it('is no news to anybody who needs none of them', () => {
    tell(lost, null, ['own']);
    tell(lost, null, []);
    tell(lost, lost, ['own']);
    assert.deepEqual(told, []);
  });
});

describe("what using another product's connections does besides", () => {
  let state: FakeState;
  let told: string[];
  let monitor: FakeMonitor;

  async function open(host: FakeHost): Promise<void> {
    const list = new ServerList(new SavedServers(new FakeState(), new FakeSecrets()), new FakeState());
    list.takeIn({ servers: [hostServer], untrusted: 0 });
    monitor = new FakeMonitor(hostServer.id, snapshot(facts(systemDatabases), { id: hostServer.id, connection: 'not connected' }));
    const servers = new OpenServers(list, { createMonitor: async () => monitor });
    tellCautions({
      servers,
      state,
      conversation: { offer: (sentence, button) => void told.push(sentence, button) },
      findHost: () => host,
      openSetting: async () => undefined,
    });
    await servers.monitor(hostServer.id);
  }

  function become(connection: 'failed' | 'connected'): void {
    monitor.snapshot = { ...monitor.snapshot, connection };
    monitor.change('facts');
  }

  beforeEach(() => {
    [state, told] = [new FakeState(), []];
  });

  it('is told with the first server that was connected, and never again', async () => {
    const host = new FakeHost();
    host.caution = { sentence: 'It connects your files.', setting: 'its.setting' };
    await open(host);
    become('failed');
    assert.deepEqual(told, []);
    become('connected');
    become('connected');
    await open(host);
    become('connected');
    assert.deepEqual(told, ['It connects your files.', 'Open Setting']);
  });

  it('is nothing where there is nothing', async () => {
    await open(new FakeHost());
    become('connected');
    assert.deepEqual([told, state.values.size], [[], 0]);
  });
});

const finding = (name: HostFinding['name'], obstacle: string | null, isPresent = true): HostFinding => ({ name, isPresent, obstacle });

describe('the host of the pane', () => {
  it('is our own container where no other product is here, or none lets its connections be used', () => {
    assert.equal(chooseHost([]).name, 'own');
    assert.equal(chooseHost([finding('mssql', 'It is not installed.', false)]).name, 'own');
    const closed = chooseHost([finding('mssql', 'It shares its connections no longer.')]);
    assert.deepEqual([closed.name, closed.why], ['own', 'It shares its connections no longer.']);
  });

  it('is Azure Data Studio before the mssql extension where both can be used', () => {
    assert.equal(chooseHost([finding('azdata', null), finding('mssql', null)]).name, 'azdata');
    assert.equal(chooseHost([finding('azdata', 'It is not here.', false), finding('mssql', null)]).name, 'mssql');
  });

  it('has the pane in our own container where its connections can be used and it has no container for ours', () => {
    const { name, place } = chooseHost([finding('mssql', null, false)]);
    assert.deepEqual([name, place], ['mssql', 'own']);
    assert.equal(chooseHost([finding('mssql', null)]).place, 'mssql');
  });
});
