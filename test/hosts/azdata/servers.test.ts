import assert from 'node:assert/strict';
import { connectRow, seeded, seededServer, startAzdata } from './host';
import { type HostProfile, toArgument, writeUri } from '../azdata-fake/connections';
import { recordedId } from '../azdata-fake/azdata-fake';
import { findAzdata } from '../../../src/hosts/azdata/host';

const second = { id: 'second', server: 'tcp:other,1433', user: 'reader' };

describe('The servers of Azure Data Studio', () => {
  it('are those that are saved, under the name that the user gave them, else their address, and none of other providers', async () => {
    const { host } = startAzdata({
      saved: [seeded, second, { id: 'pg', server: 'pg', providerName: 'PGSQL' }],
    });
    const { servers, untrusted } = await host.listServers();
    assert.deepEqual(servers, [
      seededServer,
      { id: 'azdata:second', name: 'tcp:other,1433', server: 'tcp:other,1433', user: 'reader' },
    ]);
    assert.equal(untrusted, 0);
  });

  it('come in the order of its tree: the connections of a group, then the groups in it, as they are written or by name', async () => {
    const { host, fake, editor } = startAzdata({
      saved: ['deep', 'zeta', 'inner', 'alpha'].map((name) => ({ id: name, name, server: name })),
    });
    editor.groups = [
      { id: 'root', name: 'ROOT' },
      { id: 'outer', name: 'Outer', parentId: 'root' },
      { id: 'lowest', name: 'Lowest', parentId: 'outer' },
      { id: 'another', name: 'Another', parentId: 'root' },
    ];
    const groupIds = { deep: 'lowest', zeta: 'root', inner: 'another', alpha: 'root' } as const;
    fake.settings.user = fake.settings.user?.map((one) => ({
      ...one,
      groupId: groupIds[one.id as keyof typeof groupIds],
    }));
    const names = async (): Promise<readonly string[]> =>
      (await host.listServers()).servers.map(({ name }) => name);
    assert.deepEqual(await names(), ['zeta', 'alpha', 'deep', 'inner']);
    editor.querySettings['connectionsSortOrder'] = 'displayName';
    assert.deepEqual(await names(), ['alpha', 'zeta', 'inner', 'deep']);
  });

  it('have no user where the login is not of SQL Server', async () => {
    const windows = { id: 'w', server: 'corp', user: 'CORP\\me', authenticationType: 'Integrated' };
    const { host } = startAzdata({ saved: [windows] });
    assert.deepEqual((await host.listServers()).servers, [
      { id: 'azdata:w', name: 'corp', server: 'corp', user: null, login: 'Windows login' },
    ]);
  });

  it('come once: saved, connected by the user, connected by us, and with a dashboard and a query editor of one of its databases', async () => {
    const { fake, host, open } = startAzdata();
    await open();
    await connectRow(fake);
    const copy = fake.connections.copyForDatabase(fake.find(recordedId), 'AdventureWorks');
    await fake.connections.connect(copy, writeUri(copy, 'dashboard'));
    const another = fake.connections.copyForDatabase(fake.find(recordedId), 'Sales');
    await fake.connections.connect(another, 'untitled:SQLQuery_1');
    assert.deepEqual((await host.listServers()).servers, [seededServer]);
  });

  it('come once also where the host gives an Entra login the name of its account', async () => {
    const logIn = async (profile: HostProfile): Promise<string> => {
      profile.options['user'] = 'Somebody - somebody@example.com';
      return 'master';
    };
    const { host, open } = startAzdata({ saved: [{ ...seeded, authenticationType: 'AzureMFA' }], logIn });
    await open();
    assert.deepEqual((await host.listServers()).servers, [{ ...seededServer, user: null, login: 'sa' }]);
  });

  it('are also those that are in use and saved nowhere, but not those that were used once', async () => {
    const { fake, host } = startAzdata();
    fake.recent.push({
      ...fake.settings.user![0]!,
      id: 'recent',
      options: { server: 'gone', user: 'sa', authenticationType: 'SqlLogin' },
    });
    const unsaved = { ...fake.find(recordedId), id: 'unsaved' };
    await fake.connections.connect(
      { ...unsaved, options: { ...unsaved.options, server: 'adhoc', connectionName: '' } },
      'connection:adhoc',
    );
    assert.deepEqual(
      (await host.listServers()).servers.map(({ name }) => name),
      ['adhoc', 'seeded'],
    );
  });

  it('stay two where two saved connections lead to one server', async () => {
    const { host } = startAzdata({
      saved: [seeded, { ...seeded, id: 'twin', name: 'twin' }, { ...seeded, id: 'sales', database: 'Sales' }],
    });
    assert.equal((await host.listServers()).servers.length, 3);
  });

  it('are all that the host gives where its settings cannot be read', async () => {
    const { fake, host } = startAzdata();
    fake.recent.push(...fake.settings.user!);
    fake.settings.user = undefined;
    assert.deepEqual((await host.listServers()).servers, [seededServer]);
  });

  describe('in a workspace that defines connections', () => {
    const hostile = { id: 'hostile', name: 'prod', server: 'attacker.example', user: 'sa' };

    it('are also those, once it is trusted', async () => {
      const { host } = startAzdata({ workspace: [hostile] });
      const { servers, untrusted } = await host.listServers();
      assert.deepEqual([servers.map(({ name }) => name), untrusted], [['seeded', 'prod'], 0]);
    });

    it('are not those while it is not trusted, and it says how many are left out', async () => {
      const { editor, host } = startAzdata({
        workspace: [hostile, { id: 'pg', server: 'pg', providerName: 'PGSQL' }],
      });
      editor.isTrusted = false;
      const { servers, untrusted } = await host.listServers();
      assert.deepEqual([servers, untrusted], [[seededServer], 1]);
    });

    it('do not lead elsewhere where it takes the id of a connection of the user', async () => {
      const { fake, editor, host } = startAzdata({ workspace: [{ ...hostile, id: recordedId }] });
      editor.isTrusted = false;
      assert.deepEqual(await host.listServers(), { servers: [seededServer], untrusted: 1 });
      // The host sorts by name and so lists that of the workspace.
      fake.settings.user = [];
      assert.deepEqual(await host.listServers(), { servers: [], untrusted: 1 });
    });

    it('are the same where it repeats what the user has', async () => {
      const { editor, host } = startAzdata({ workspace: [seeded] });
      editor.isTrusted = false;
      assert.deepEqual(await host.listServers(), { servers: [seededServer], untrusted: 0 });
    });

    it('are not those either where the host has one of them under another id and name', async () => {
      const { fake, editor, host } = startAzdata({ workspace: [hostile] });
      editor.isTrusted = false;
      const original = fake.find('hostile');
      const copy = {
        ...original,
        id: 'copy',
        connectionName: 'renamed',
        options: { ...original.options, connectionName: 'renamed' },
      };
      await fake.connections.connect(copy, 'connection:copy').catch(() => undefined);
      host.readTarget({ isConnectionNode: true, connectionProfile: toArgument(copy) });
      assert.deepEqual(await host.listServers(), { servers: [seededServer], untrusted: 1 });
    });

    it('are not opened, not even one that is in use or pointed at', async () => {
      const { fake, editor, host, open } = startAzdata({
        workspace: [hostile],
        passwords: { hostile: 'pw', [recordedId]: 'pw' },
      });
      editor.isTrusted = false;
      const node = {
        isConnectionNode: true,
        connectionProfile: { ...hostile, serverName: hostile.server, providerName: 'MSSQL' },
      };
      const pointedAt = host.readTarget(node);
      assert.equal(pointedAt?.server.id, 'azdata:hostile');
      await assert.rejects(open(pointedAt.server), /comes from a workspace that you do not trust/);
      await connectRow(fake, 'hostile');
      await assert.rejects(open(pointedAt.server), { name: 'ConnectionError', reason: 'permissionDenied' });
      assert.deepEqual((await host.listServers()).servers, [seededServer]);
      assert.deepEqual(fake.connected, []);
    });
  });
});

describe('The description of Azure Data Studio', () => {
  it('says what is there and how much, and names no server', async () => {
    const { fake, host, open } = startAzdata({
      saved: [seeded, { id: 'second', server: 'other', user: 'reader' }],
    });
    await connectRow(fake);
    await open();
    assert.deepEqual(await host.describe(), [
      'Module azdata 1.47.0.',
      'Namespace connection: there.',
      'Namespace dataprotocol: there.',
      'Namespace queryeditor: there.',
      'Extensions that connect to SQL Server: Microsoft.mssql 1.47.0.',
      'Query provider of SQL Server: registered.',
      'SQL Server connections: 2 saved, 1 in use, 0 of those made by us.',
      'Workspace: trusted.',
      'Queries: one result set, no streaming. A query that we stop waiting for continues on the server.',
    ]);
  });

  it('says what is missing, and what is ignored', async () => {
    const { fake, editor, host } = startAzdata({ workspace: [{ id: 'x', server: 'x', user: 'x' }] });
    editor.isTrusted = false;
    editor.extensions = [];
    fake.hasProvider = false;
    const lines = (await host.describe()).join('\n');
    assert.match(
      lines,
      /Extensions that connect to SQL Server: none\.\nQuery provider of SQL Server: not registered yet\./,
    );
    assert.match(lines, /Workspace: not trusted\. Connections that it defines are ignored: 1\./);
    assert.match(lines, /1 saved, 0 in use/);
  });

  it('is not given outside of Azure Data Studio, where there is no such module', () => {
    assert.equal(findAzdata(), null);
  });
});
