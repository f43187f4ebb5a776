import assert from 'node:assert/strict';
import { ConnectionError, type ConnectionHost } from '../../../src/hosts/host';
import { createMssqlHost } from '../../../src/hosts/mssql/host';
import { HeldAnswer } from '../../held-answer';
import { createFakeMssql, PASSWORD, sharingError, type FakeMssql } from './fake';
import { serverNode } from './nodes';
import { freely } from '../opening';

const saved = { user: 'dba', authenticationType: 'SqlLogin', password: PASSWORD };
const entry = (id: string, more: object = {}): object => ({ id, server: `sql-${id}`, ...saved, ...more });

describe('the connections in the settings of mssql', () => {
  let fake: FakeMssql;
  let host: ConnectionHost;
  const names = async (): Promise<readonly string[]> =>
    (await host.listServers()).servers.map(({ name }) => name);

  beforeEach(() => {
    fake = createFakeMssql();
    host = createMssqlHost(fake.world);
  });

  it("are the user's and the workspace's, each once, without passwords, and mssql is not started for them", async () => {
    fake.user = [entry('a', { profileName: 'First' }), entry('b'), entry('a', { profileName: 'Again' })];
    fake.workspace = [entry('b', { profileName: 'Hijacked' }), entry('c')];
    const listing = await host.listServers();
    assert.deepEqual(await names(), ['First', 'sql-b', 'sql-c']);
    assert.equal(listing.untrusted, 0);
    assert.deepEqual(listing.servers[1], { id: 'mssql:b', name: 'sql-b', server: 'sql-b', user: 'dba' });
    assert.equal(fake.isActive, false);
  });

  it('are counted and not used where only a workspace that is not trusted defines them', async () => {
    fake.user = [entry('a')];
    fake.workspace = [entry('a', { server: 'evil' }), entry('b'), entry('c'), 'damaged'];
    fake.isTrusted = false;
    const listing = await host.listServers();
    assert.deepEqual(
      listing.servers.map(({ server }) => server),
      ['sql-a'],
    );
    assert.equal(listing.untrusted, 2);
    const opening = host.access({ id: 'mssql:b', name: 'b', server: 'sql-b', user: null }).open(freely());
    await assert.rejects(
      opening,
      (error) => error instanceof ConnectionError && /a workspace that you do not trust/.test(error.message),
    );
    assert.deepEqual(fake.calls, []);
    fake.isTrusted = true;
    assert.deepEqual(await names(), ['sql-a', 'sql-b', 'sql-c']);
  });

  it('stay unused without trust, also when their node is pointed at', async () => {
    fake.workspace = [{ ...serverNode.connectionProfile }];
    fake.isTrusted = false;
    host.onDidChange(() => assert.fail('nothing is new in the list'));
    assert.equal(host.readTarget(serverNode)?.server.id, 'mssql:one');
    await Promise.resolve();
    assert.deepEqual(await host.listServers(), { servers: [], untrusted: 1 });
  });

  for (const damaged of [
    undefined,
    null,
    'text',
    7,
    {},
    [null, 7, 'x', [], {}, { id: 'x' }, { server: 'y' }, { id: '', server: 'y' }],
  ])
    it(`may be ${JSON.stringify(damaged)}`, async () => {
      fake.user = damaged;
      fake.workspace = damaged;
      assert.deepEqual(await host.listServers(), { servers: [], untrusted: 0 });
    });

  it('leave out the entry that the setting suggests', async () => {
    fake.user = [entry('a', { server: '{{put-server-name-here}}' }), entry('b')];
    assert.deepEqual(await names(), ['sql-b']);
  });

  describe('with groups', () => {
    const groups = [
      { id: 'ROOT', name: 'ROOT' },
      { id: 'p', name: 'Production', parentId: 'ROOT' },
      { id: 'a', name: 'Archive', parentId: 'p' },
      { id: 'd', name: 'development', parentId: 'ROOT' },
      { id: 'lost', name: 'Lost', parentId: 'gone' },
    ];

    beforeEach(() => {
      fake.groups = groups;
      fake.isActive = true;
    });

    it('leave out what mssql ignores, and the diagnostics count it', async () => {
      fake.user = [
        entry('known', { groupId: 'p' }),
        entry('none'),
        entry('other', { groupId: 'x' }),
        entry('below', { groupId: 'lost' }),
        entry('empty', { groupId: '' }),
      ];
      assert.deepEqual(await names(), ['sql-known']);
      assert.match(
        (await host.describe()).join('\n'),
        /^Connections that mssql ignores, because mssql\.connectionGroups does not have their groupId: 4$/m,
      );
    });

    it('have one without a group as long as mssql has not started, which gives it one', async () => {
      fake.user = [entry('none')];
      fake.isActive = false;
      assert.deepEqual(await names(), ['sql-none']);
    });

    it('know the root group of older versions by its name', async () => {
      fake.groups = [
        { id: '4711', name: 'ROOT' },
        { id: 'p', name: 'Production', parentId: '4711' },
      ];
      fake.user = [entry('top', { groupId: '4711' }), entry('production', { groupId: 'p' })];
      assert.deepEqual(await names(), ['sql-production', 'sql-top']);
    });

    it('are all there where no group is written, or what is written is damaged', async () => {
      fake.user = [entry('b', { groupId: 'x' }), entry('a')];
      for (const written of [undefined, null, 'x', [], [null, 7, {}]]) {
        fake.groups = written;
        assert.deepEqual(await names(), ['sql-a', 'sql-b'], JSON.stringify(written));
      }
    });

    it('come in the order of its tree: groups before connections, each by name or by the place that the user gave it', async () => {
      fake.user = [
        entry('1', { groupId: 'ROOT', profileName: 'zeta' }),
        entry('2', { groupId: 'ROOT', profileName: 'Alpha' }),
        entry('3', { groupId: 'ROOT', profileName: 'last', order: 1 }),
        entry('4', { groupId: 'p', profileName: 'prod' }),
        entry('5', { groupId: 'a', profileName: 'old' }),
        entry('6', { groupId: 'd', profileName: 'dev' }),
      ];
      assert.deepEqual(await names(), ['dev', 'old', 'prod', 'last', 'Alpha', 'zeta']);
    });

    it('come to an end where groups lead in a circle', async () => {
      fake.groups = [...groups, { id: 'x', name: 'x', parentId: 'y' }, { id: 'y', name: 'y', parentId: 'x' }];
      fake.user = [entry('a', { groupId: 'x' }), entry('b', { groupId: 'ROOT' })];
      assert.deepEqual(await names(), ['sql-b', 'sql-a']);
    });
  });

  it('are none without mssql', async () => {
    fake.user = [entry('a')];
    fake.way = 'absent';
    assert.deepEqual(await host.listServers(), { servers: [], untrusted: 0 });
    assert.equal(host.isPresent(), false);
  });

  it('are told of when something changes, until nobody listens', () => {
    const heard: string[] = [];
    const listening = host.onDidChange(({ kind }) => heard.push(kind));
    fake.tellChange();
    listening.dispose();
    fake.tellChange();
    host.onDidChange(({ kind }) => heard.push(kind));
    host.dispose();
    fake.tellChange();
    assert.deepEqual(heard, ['servers']);
  });
});

describe('what is said about mssql', () => {
  it('is an obstacle, one sentence that offers the other way, or none', async () => {
    const fake = createFakeMssql('exports');
    const host = createMssqlHost(fake.world);
    assert.equal(host.isPresent(), true);
    assert.equal(fake.isActive, false);
    assert.equal(await host.findObstacle(), null);
    fake.way = 'commands';
    assert.equal(await host.findObstacle(), null);
    for (const way of ['neither', 'absent', 'broken'] as const) {
      fake.way = way;
      assert.match(
        (await host.findObstacle()) ?? '',
        /^The (installed version of the )?SQL Server extension \(mssql\).*With Add Server you can connect without it\.$/,
      );
    }
  });

  it('is looked for again when mssql has started after all, later than anybody waited', async () => {
    const fake = createFakeMssql('exports');
    const { findExtension } = fake.world;
    const start = new HeldAnswer();
    const host = createMssqlHost({
      ...fake.world,
      findExtension: () => {
        const extension = findExtension();
        return extension && { ...extension, activate: () => start.call().then(() => extension.activate()) };
      },
    });
    const told: string[] = [];
    host.onDidChange(({ kind }) => told.push(kind));
    const looking = host.findObstacle();
    fake.pass(60_000);
    assert.match((await looking) ?? '', /could not be started/);
    assert.deepEqual(told, []);
    start.give();
    await new Promise(setImmediate);
    assert.deepEqual(told, ['servers']);
    assert.equal(await host.findObstacle(), null);
    assert.deepEqual(told, ['servers']);
  });

  it('is also what was found, free of secrets and names of servers', async () => {
    const fake = createFakeMssql('commands');
    fake.user = [entry('a'), 'damaged'];
    fake.workspace = [entry('b')];
    fake.isTrusted = false;
    const host = createMssqlHost(fake.world);
    assert.deepEqual(await host.describe(), [
      'SQL Server extension (ms-mssql.mssql): 1.42.0, not active yet',
      'Its view container objectExplorer: there',
      'exports.connectionSharing: not known before it is active',
      'Commands mssql.connectionSharing.*: 4 of the 4 that are needed',
      'Command mssql.connectionSharing.editConnectionSharingPermissions: not there',
      'Command mssql.objectExplorerNewQuery: not there',
      'Connections: 1 usable, 1 of a workspace that is not trusted, 1 damaged or incomplete entries',
      'Approval in this window: not asked',
    ]);
    fake.does['connect'] = () => Promise.reject(sharingError('PERMISSION_DENIED'));
    const [server] = (await host.listServers()).servers;
    if (server === undefined) assert.fail('no server');
    await assert.rejects(host.access(server).open(freely()));
    const lines = (await host.describe()).join('\n');
    assert.match(lines, /active\n[^]*connectionSharing: not there\n[^]*Approval in this window: refused$/);
    assert.doesNotMatch(lines, /sql-a|dba|Str0ng/);
    fake.way = 'absent';
    assert.deepEqual(await host.describe(), [
      'SQL Server extension (ms-mssql.mssql): not installed, or disabled',
    ]);
  });
});
