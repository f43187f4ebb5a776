import assert from 'node:assert/strict';
import {
  ConnectionHosts,
  type HostState,
  listNotices,
  tellCautions,
  tellLoss,
} from '../../../src/shell/hosts/connection-hosts';
import { FakeHost, hostServer } from '../fake-host';
import { HeldAnswer } from '../../held-answer';
import type { HostName } from '../../../src/hosts/host';
import { createDesk, type FakeMonitor, FakeState } from '../fake-editor';
import { facts, partsOf, snapshot, systemDatabases } from '../sample';
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

  const last = (): HostState => looked.at(-1) ?? assert.fail('nobody looked');
  const gone = 'It shares its connections no longer.';

  it('are guessed by what is there before anything is activated', () => {
    assert.deepEqual([hosts.guess(), host.looks], ['mssql', 0]);
    host.present = false;
    assert.equal(hosts.guess(), 'own');
  });

  it('are chosen with what they list', async () => {
    await hosts.look();
    assert.deepEqual(
      [last().choice.name, last().listing?.servers, listNotices(last(), [])],
      ['mssql', [hostServer], []],
    );
  });

  it('are looked at again when something about them changes, and lose the pane when they can be used no longer', async () => {
    await hosts.look();
    host.obstacle = gone;
    host.change({ kind: 'servers' });
    await hosts.look();
    assert.deepEqual([last().choice.name, last().listing], ['own', null]);
  });

  const notice = (sentence: string) => [{ label: 'No connections from mssql', sentence }];
  for (const [what, present, obstacle, ways, notices] of [
    ['are missed in the pane where they can be used no longer', true, gone, ['mssql'], notice(gone)],
    ['are not missed where nobody needs them, so the pane greets with Add Server', true, gone, [], []],
    ['say nothing in the pane where they are not installed', false, 'It is not installed.', ['own'], []],
    [
      'are missed in the pane where they are gone and servers that they led to are still in it',
      false,
      'It is not installed.',
      ['own', 'mssql'],
      notice('It is not installed.'),
    ],
  ] as const)
    it(what, async () => {
      Object.assign(host, { present, obstacle });
      await hosts.look();
      assert.deepEqual([last().choice.name, listNotices(last(), ways)], ['own', notices]);
    });

  it('are looked at once more where something changes during a look', async () => {
    const answer = new HeldAnswer();
    const find = host.findObstacle;
    host.findObstacle = () => answer.call().then(find);
    const looking = hosts.look();
    host.change({ kind: 'servers' });
    answer.give();
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
    assert.deepEqual(partsOf(listNotices(last(), []), 'sentence'), [
      'The workspace that defines them is not trusted.',
    ]);
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
    assert.deepEqual(told, [
      `${gone} What was captured stays with each connection that you import.`,
      'Import Connections…',
    ]);
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
  beforeEach(() => ([state, told] = [new FakeState(), []]));

  async function open(host: FakeHost): Promise<FakeMonitor> {
    const desk = createDesk(snapshot(facts(systemDatabases)));
    desk.servers.list.takeIn({ servers: [hostServer], untrusted: 0 });
    tellCautions({
      servers: desk.servers,
      state,
      conversation: { offer: (sentence, button) => void told.push(sentence, button) },
      findHost: () => host,
      openSetting: async () => undefined,
    });
    await desk.servers.monitor(hostServer.id);
    return desk.monitor;
  }

  it('is told with the first server that was connected, and never again', async () => {
    const host = new FakeHost();
    host.caution = { sentence: 'It connects your files.', setting: 'its.setting' };
    const monitor = await open(host);
    monitor.become({ connection: 'failed' }, 'facts');
    assert.deepEqual(told, []);
    for (const each of [monitor, monitor, await open(host)])
      each.become({ connection: 'connected' }, 'facts');
    assert.deepEqual(told, ['It connects your files.', 'Open Setting']);
  });

  it('is nothing where there is nothing', async () => {
    (await open(new FakeHost())).become({ connection: 'connected' }, 'facts');
    assert.deepEqual([told, state.values.size], [[], 0]);
  });
});

describe('the host of the pane', () => {
  const finding = (name: HostFinding['name'], obstacle: string | null, isPresent = true): HostFinding => ({
    name,
    isPresent,
    obstacle,
  });
  const gone = 'It shares its connections no longer.';
  for (const [what, findings, name, place] of [
    ['our own container where no other product is here', [], 'own', 'own'],
    [
      'our own container where none is installed',
      [finding('mssql', 'It is not installed.', false)],
      'own',
      'own',
    ],
    ['our own container where none lets its connections be used', [finding('mssql', gone)], 'own', 'own'],
    [
      'Azure Data Studio before the mssql extension where both can be used',
      [finding('azdata', null), finding('mssql', null)],
      'azdata',
      'azdata',
    ],
    [
      'the mssql extension where it alone can be used',
      [finding('azdata', gone, false), finding('mssql', null)],
      'mssql',
      'mssql',
    ],
    [
      'our own container for a product that can be used and has no container for ours',
      [finding('mssql', null, false)],
      'mssql',
      'own',
    ],
  ] as const)
    it(`is ${what}`, () => {
      const choice = chooseHost(findings);
      assert.deepEqual([choice.name, choice.place], [name, place]);
    });

  it('is told with what is in the way of another', () =>
    assert.equal(chooseHost([finding('mssql', gone)]).why, gone));
});
