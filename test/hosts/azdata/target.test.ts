import assert from 'node:assert/strict';
import { seededServer, startAzdata } from './host';
import { readRecording } from '../azdata-fake/azdata-fake';
import {
  isCopyOf,
  reachesSame,
  readAzdataProfile,
  type AzdataProfile,
} from '../../../src/hosts/azdata/profile';

type Row = {
  isConnectionNode: boolean;
  nodeInfo: Record<string, unknown>;
  connectionProfile: Record<string, unknown>;
};

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

const bare = (): Row['connectionProfile'] => readRecording('dashboard-toolbar-argument');

/** A row of another tree in the viewlet. */
const item = (type: string, databaseName: string): unknown => ({
  $treeViewId: 'azureResourceExplorer',
  $treeItemHandle: '0/0:x',
  $treeContainerId: 'dataExplorer',
  $treeItem: { type, payload: { ...server().connectionProfile, databaseName } },
});

/** A database's row, with this name in its metadata. */
const named = (name: string): unknown => {
  const row = database();
  return { ...row, nodeInfo: { ...row.nodeInfo, metadata: { metadataTypeName: 'Database', name } } };
};

describe('What a menu of Azure Data Studio points at', () => {
  const { providerName, options: bareOptions } = bare();
  const withDatabase = server();
  withDatabase.connectionProfile['databaseName'] = 'Sales';
  const ofDatabase = { ...(bareOptions as object), originalDatabase: 'Sales' };
  const connectionId = seededServer.id.slice('azdata:'.length);
  for (const [what, node, databaseName] of [
    ["a server's row", server(), null],
    ['the row of a connection that names a database of its own', withDatabase, null],
    ["a database's row, whose profile keeps the server's id", database(), 'AdventureWorks'],
    [
      'a table',
      below('seedhost/Databases/AdventureWorks/Tables/dbo.Orders', 'Table', 'AdventureWorks'),
      'AdventureWorks',
    ],
    [
      'a folder whose path alone names the database',
      below('seedhost/Databases/AdventureWorks/Tables', 'Folder', undefined),
      'AdventureWorks',
    ],
    ['a system database', below('seedhost/Databases/System Databases/model', 'Folder', undefined), 'model'],
    [
      'the folder of the system databases',
      below('seedhost/Databases/System Databases', 'Folder', undefined),
      null,
    ],
    ['the folder of the databases', below('seedhost/Databases', 'Folder', undefined), null],
    ['what belongs to the server', below('seedhost/Security/Logins/sa', 'ServerLevelLogin', undefined), null],
    ['a name with a slash', named('a/b'), 'a/b'],
    ['a name with brackets', named('[x]] y'), '[x]] y'],
    ['a name of other scripts', named('Bücher 日本'), 'Bücher 日本'],
    ["the toolbar of a server's dashboard", bare(), null],
    ["the toolbar of a server's dashboard, that names master", { ...bare(), databaseName: 'master' }, null],
    [
      "the toolbar of a database's dashboard",
      { ...bare(), id: 'a copy', databaseName: 'Sales', options: ofDatabase },
      'Sales',
    ],
    [
      'what the webview of a dashboard knows of its connection',
      { providerName, connectionId, options: bareOptions },
      null,
    ],
    ['a server in another tree of the viewlet', item('Server', 'master'), null],
    ['a database in another tree of the viewlet', item('Database', 'Sales'), 'Sales'],
  ] as const)
    it(`is ${databaseName === null ? 'the server' : `the database ${databaseName}`} for ${what}`, () => {
      assert.deepEqual(point(node), { server: seededServer, databaseName });
    });

  it('is nothing for the Uri of an editor, a row of another provider, a group, our own rows, or no argument', () => {
    const pg = server();
    pg.connectionProfile['providerName'] = 'PGSQL';
    const nothing = [
      undefined,
      null,
      'text',
      7,
      [],
      {},
      pg,
      { $treeViewId: 'x', $treeItemHandle: 'y' },
      { scheme: 'untitled', path: 'SQLQuery_1', fsPath: '/x', $mid: 1 },
    ];
    for (const node of [...nothing, { id: 'group', name: 'g', children: [] }, { isConnectionNode: true }])
      assert.equal(point(node), null);
  });

  it('is nothing for objects that throw', () => {
    const throws = new Proxy(
      {},
      { get: () => assert.fail('read'), has: () => assert.fail('has'), ownKeys: () => assert.fail('keys') },
    );
    for (const node of [
      throws,
      { connectionProfile: throws },
      { $treeItem: throws },
      { isConnectionNode: false, connectionProfile: {}, nodeInfo: throws },
    ])
      assert.equal(point(node), null);
  });

  it('is remembered for this window where the host does not list it', async () => {
    const { host } = startAzdata({ saved: [] });
    assert.deepEqual(host.readTarget(database()), { server: seededServer, databaseName: 'AdventureWorks' });
    assert.deepEqual((await host.listServers()).servers, [seededServer]);
  });
});

const options = { server: 'sql01', user: 'sa', authenticationType: 'SqlLogin' };
const read = (more: Record<string, unknown> = {}): AzdataProfile =>
  readAzdataProfile({ id: '1', providerName: 'MSSQL', options: { ...options, ...more } })!;

describe('A profile of Azure Data Studio', () => {
  it('is read without anything that is or may hold a secret', () => {
    const secrets = {
      password: 's3cret',
      pwd: 's3cret',
      azureAccountToken: 's3cret',
      clientSecret: 's3cret',
      connectionString: 'PWD=s3cret',
    };
    assert.deepEqual(read({ ...secrets, encrypt: 'Mandatory' }).options, {
      ...options,
      encrypt: 'Mandatory',
    });
    assert.doesNotMatch(
      JSON.stringify(readAzdataProfile({ id: '1', providerName: 'MSSQL', password: 's3cret', options })),
      /s3cret/,
    );
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
    for (const value of [
      null,
      'x',
      [],
      { id: '1', providerName: 'PGSQL', options },
      { id: '1', providerName: 'MSSQL' },
      broken,
    ])
      assert.equal(readAzdataProfile(value), null);
  });
});
