import assert from 'node:assert/strict';
import fc from 'fast-check';
import { seededServer, startAzdata } from './host';
import { readRecording, recordedPassword } from '../azdata-fake/recordings';
import { isCopyOf, reachesSame, readProfile, type AzdataProfile } from '../../../src/hosts/azdata/profile';

type Row = { isConnectionNode: boolean; nodeInfo: Record<string, unknown>; connectionProfile: Record<string, unknown> };

const server = (): Row => readRecording('server-row-argument');
const database = (): Row => readRecording('database-row-argument');

function point(node: unknown): unknown {
  return startAzdata().host.readTarget(node);
}

/** A row below a database: the host writes the database into the profile (serverTreeView.ts, getActionContext). */
function below(nodePath: string, nodeType: string, databaseName: unknown): unknown {
  const { connectionProfile } = database();
  return {
    isConnectionNode: false,
    nodeInfo: { nodePath, nodeType, metadata: null },
    connectionProfile: { ...connectionProfile, databaseName },
  };
}

describe('What a menu of Azure Data Studio points at', () => {
  it("is the server for a server's row", () => {
    assert.deepEqual(point(server()), { server: seededServer, databaseName: null });
  });

  it('is the server, not its own database, for the row of a connection that names one', () => {
    const row = server();
    row.connectionProfile['databaseName'] = 'Sales';
    assert.deepEqual(point(row), { server: seededServer, databaseName: null });
  });

  it("is the database for a database's row, whose profile keeps the server's id", () => {
    assert.deepEqual(point(database()), { server: seededServer, databaseName: 'AdventureWorks' });
  });

  it('is the database for a table in it', () => {
    const table = below('seedhost/Databases/AdventureWorks/Tables/dbo.Orders', 'Table', 'AdventureWorks');
    assert.deepEqual(point(table), { server: seededServer, databaseName: 'AdventureWorks' });
  });

  it('is the database of the path where nothing else names it', () => {
    const name = (path: string): unknown => (point(below(path, 'Folder', undefined)) as { databaseName: unknown }).databaseName;
    assert.equal(name('seedhost/Databases/AdventureWorks/Tables'), 'AdventureWorks');
    assert.equal(name('seedhost/Databases/System Databases/model'), 'model');
    assert.equal(name('seedhost/Databases/System Databases'), null);
    assert.equal(name('seedhost/Databases'), null);
  });

  it('is the server for what belongs to the server', () => {
    assert.deepEqual(point(below('seedhost/Security/Logins/sa', 'ServerLevelLogin', undefined)), {
      server: seededServer,
      databaseName: null,
    });
  });

  it('keeps a name that holds a slash, brackets or another script', () => {
    const row = database();
    for (const name of ['a/b', '[x]] y', 'Bücher 日本']) {
      row.nodeInfo['metadata'] = { metadataTypeName: 'Database', name };
      assert.deepEqual(point(row), { server: seededServer, databaseName: name });
    }
  });

  it("is the server for the bare profile of a dashboard's toolbar, and the database where the dashboard is a database's", () => {
    const bare = readRecording<Row['connectionProfile']>('dashboard-toolbar-argument');
    assert.deepEqual(point(bare), { server: seededServer, databaseName: null });
    assert.deepEqual(point({ ...bare, databaseName: 'master' }), { server: seededServer, databaseName: null });
    const options = { ...(bare['options'] as object), originalDatabase: 'Sales' };
    assert.deepEqual(point({ ...bare, id: 'a copy', databaseName: 'Sales', options }), { server: seededServer, databaseName: 'Sales' });
  });

  it('is the server for what the webview of a dashboard knows of its connection', () => {
    const { providerName, options } = readRecording<Row['connectionProfile']>('dashboard-toolbar-argument');
    assert.deepEqual(point({ providerName, connectionId: seededServer.id.slice('azdata:'.length), options }), {
      server: seededServer,
      databaseName: null,
    });
  });

  it('is the server or the database behind a row of another tree in the viewlet', () => {
    const { connectionProfile: payload } = server();
    const item = (type: string, changes: object): unknown => ({
      $treeViewId: 'azureResourceExplorer',
      $treeItemHandle: '0/0:x',
      $treeContainerId: 'dataExplorer',
      $treeItem: { type, payload: { ...payload, ...changes } },
    });
    assert.deepEqual(point(item('Server', { databaseName: 'master' })), { server: seededServer, databaseName: null });
    assert.deepEqual(point(item('Database', { databaseName: 'Sales' })), { server: seededServer, databaseName: 'Sales' });
    assert.equal(point({ $treeViewId: 'x', $treeItemHandle: 'y' }), null);
  });

  it('is nothing for the Uri of an editor, a row of another provider, a group, our own rows, or no argument', () => {
    const pg = server();
    pg.connectionProfile['providerName'] = 'PGSQL';
    const nothing = [undefined, null, 'text', 7, [], {}, pg, { scheme: 'untitled', path: 'SQLQuery_1', fsPath: '/x', $mid: 1 }];
    for (const node of [...nothing, { id: 'group', name: 'g', children: [] }, { isConnectionNode: true }]) assert.equal(point(node), null);
  });

  it('is nothing for objects that throw', () => {
    const throws = new Proxy({}, { get: () => assert.fail('read'), has: () => assert.fail('has'), ownKeys: () => assert.fail('keys') });
    for (const node of [
      throws,
      { connectionProfile: throws },
      { $treeItem: throws },
      { isConnectionNode: false, connectionProfile: {}, nodeInfo: throws },
    ])
      assert.equal(point(node), null);
  });

  it('never throws, whatever the object', () => {
    const { host } = startAzdata();
    const anything = fc.anything({ withNullPrototype: true, maxDepth: 4 });
    const key = fc.constantFrom(
      'connectionProfile',
      'nodeInfo',
      'isConnectionNode',
      'id',
      'providerName',
      'serverName',
      'options',
      '$treeItem',
      'metadata',
    );
    fc.assert(
      fc.property(fc.oneof(anything, fc.dictionary(key, anything)), (node) => (host.readTarget(node), true)),
      { numRuns: 500 },
    );
  });

  it('keeps no password', () => {
    const { host } = startAzdata({ saved: [] });
    for (const node of [server(), database(), readRecording('dashboard-toolbar-argument')])
      assert.ok(!JSON.stringify(host.readTarget(node)).includes(recordedPassword));
  });

  it('is remembered for this window where the host does not list it', async () => {
    const { host } = startAzdata({ saved: [] });
    assert.deepEqual(host.readTarget(database()), { server: seededServer, databaseName: 'AdventureWorks' });
    assert.deepEqual((await host.listServers()).servers, [seededServer]);
  });
});

const options = { server: 'sql01', user: 'sa', authenticationType: 'SqlLogin' };
const read = (more: Record<string, unknown> = {}): AzdataProfile =>
  readProfile({ id: '1', providerName: 'MSSQL', options: { ...options, ...more } })!;

describe('A profile of Azure Data Studio', () => {
  it('is read without anything that is or may hold a secret', () => {
    const secrets = {
      password: 's3cret',
      pwd: 's3cret',
      azureAccountToken: 's3cret',
      clientSecret: 's3cret',
      connectionString: 'PWD=s3cret',
    };
    assert.deepEqual(read({ ...secrets, encrypt: 'Mandatory' }).options, { ...options, encrypt: 'Mandatory' });
    assert.doesNotMatch(JSON.stringify(readProfile({ id: '1', providerName: 'MSSQL', password: 's3cret', options })), /s3cret/);
  });

  it('for one database is no copy of that for another, and one for the server covers all of its own', () => {
    assert.equal(isCopyOf(read({ database: 'Sales' }), read()), true);
    assert.equal(isCopyOf(read({ database: 'Sales' }), read({ database: 'master' })), true);
    assert.equal(isCopyOf(read({ database: 'Sales' }), read({ database: 'SALES' })), true);
    assert.equal(isCopyOf(read({ database: 'Sales' }), read({ database: 'Stock' })), false);
  });

  it('leads to the same place only with the same kind of login and the same user', () => {
    assert.equal(reachesSame(read(), read({ server: 'SQL01' })), true);
    for (const other of [{ server: 'sql02' }, { user: 'dba' }, { authenticationType: 'AzureMFA' }])
      assert.equal(reachesSame(read(), read(other)), false, JSON.stringify(other));
  });

  it('is none where it is of another product, lacks a server, or throws when it is read', () => {
    const broken = Object.defineProperty({}, 'options', { get: () => assert.fail('no options') });
    for (const value of [null, 'x', [], { id: '1', providerName: 'PGSQL', options }, { id: '1', providerName: 'MSSQL' }, broken])
      assert.equal(readProfile(value), null);
  });
});
