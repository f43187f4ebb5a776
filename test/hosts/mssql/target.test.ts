import assert from 'node:assert/strict';
import type { ConnectionHost } from '../../../src/hosts/host';
import { createMssqlHost } from '../../../src/hosts/mssql/host';
import { createFakeMssql, PASSWORD, type FakeMssql } from './fake';
import {
  databaseNode,
  databasesFolder,
  disconnectedNode,
  group,
  profile,
  serverNode,
  tableNode,
  TreeNode,
} from './nodes';

const PRODUCTION = { id: 'mssql:one', name: 'Production', server: 'sql07', user: 'dba' };

describe("a node of mssql's tree", () => {
  let fake: FakeMssql;
  let host: ConnectionHost;

  beforeEach(() => {
    fake = createFakeMssql();
    host = createMssqlHost(fake.world);
  });

  const shapes = [
    ['a connected server', serverNode, null],
    ['a server that is not connected', disconnectedNode, null],
    ['the folder of databases', databasesFolder, null],
    ['a database', databaseNode, 'CRM'],
    ['a table of a database', tableNode, 'CRM'],
  ] as const;
  for (const [name, node, databaseName] of shapes)
    it(`is ${name}`, () => {
      assert.deepEqual(host.readTarget(node), { server: PRODUCTION, databaseName });
    });

  it('is a server, though its connection names a database and its metadata is that of one', () => {
    const node = new TreeNode('Sales', 'Server', profile, group, {
      metadataTypeName: 'Database',
      name: 'Sales',
    });
    assert.equal(host.readTarget(node)?.databaseName, null);
  });

  const foreign: readonly (readonly [string, unknown])[] = [
    ['nothing, from the palette', undefined],
    ['null', null],
    ['a text', 'sql07'],
    ['a function', () => profile],
    ['a group', group],
    ['an error below a server', { label: 'Error loading', parentNode: serverNode }],
    [
      '"Add Connection"',
      { label: 'Add Connection', command: { command: 'mssql.addObjectExplorer', arguments: [group] } },
    ],
    [
      "a profile of Azure Data Studio's",
      { connectionProfile: { id: 'one', serverName: 'sql07', providerName: 'MSSQL' } },
    ],
    ['a profile without an id', new TreeNode('x', 'Server', { server: 'sql07' })],
    ['a profile without a server', new TreeNode('x', 'Server', { id: 'one', server: ' ' })],
    ['ids that are no texts', new TreeNode('x', 'Server', { ...profile, id: 7 as never })],
    ['one of our own rows', { kind: 'server', serverId: 'mssql:one' }],
  ];
  for (const [name, node] of foreign)
    it(`is not ${name}`, () => {
      assert.equal(host.readTarget(node), null);
    });

  it('may throw from every getter', () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
      },
    );
    assert.equal(host.readTarget(hostile), null);
    assert.equal(host.readTarget({ nodeType: 'Server', connectionProfile: hostile }), null);
    const half = { nodeType: 'Database', connectionProfile: profile, metadata: hostile, parentNode: hostile };
    assert.deepEqual(host.readTarget(half), { server: PRODUCTION, databaseName: null });
  });

  it('may be its own ancestor, or have ancestors without end', () => {
    const node: { connectionProfile: unknown; nodeType: string; parentNode?: unknown } = {
      connectionProfile: profile,
      nodeType: 'Table',
    };
    node.parentNode = { ...node, parentNode: node };
    assert.deepEqual(host.readTarget(node), { server: PRODUCTION, databaseName: null });
    let ancestors = 0;
    const endless = (): object => ({
      connectionProfile: profile,
      get parentNode() {
        ancestors++;
        return endless();
      },
    });
    assert.deepEqual(host.readTarget(endless()), { server: PRODUCTION, databaseName: null });
    assert.ok(ancestors < 100);
  });

  it('adds its server to the list where the settings do not have it, and says so once the command is done', async () => {
    let changes = 0;
    host.onDidChange((change) => (changes += change.kind === 'servers' ? 1 : 0));
    assert.deepEqual((await host.listServers()).servers, []);
    host.readTarget(databaseNode);
    assert.equal(changes, 0);
    assert.deepEqual((await host.listServers()).servers, [PRODUCTION]);
    host.readTarget(serverNode);
    assert.deepEqual((await host.listServers()).servers, [PRODUCTION]);
    assert.equal(changes, 1);
  });

  const addresses: readonly (readonly [object, string, string | null, string?])[] = [
    [{ profileName: undefined }, 'sql07', 'dba'],
    [{ profileName: '', port: 1433 }, 'sql07', 'dba'],
    [{ profileName: '', port: 1444 }, 'sql07,1444', 'dba'],
    [{ profileName: '', server: 'sql07,1500', port: 1444 }, 'sql07,1500', 'dba'],
    [{ profileName: '', server: 'sql07\\PAYROLL', port: 1444 }, 'sql07\\PAYROLL', 'dba'],
    [{ profileName: '', authenticationType: 'Integrated' }, 'sql07', null, 'Windows login'],
    [
      { profileName: '', authenticationType: 'AzureMFA', email: 'me@example.com' },
      'sql07',
      null,
      'me@example.com',
    ],
    [{ profileName: '', authenticationType: undefined }, 'sql07', 'dba'],
    [
      {
        profileName: '',
        server: '',
        user: '',
        connectionString: `Data Source = tcp:sql09,1444 ; Password=${PASSWORD};User Id=reader;Initial Catalog=x`,
      },
      'tcp:sql09,1444',
      'reader',
    ],
    [
      { profileName: '', port: 1500, connectionString: 'Server=a;Server="b";UID=reader;PWD="x;Server=evil"' },
      'b',
      'reader',
    ],
  ];
  for (const [changed, server, user, login] of addresses)
    it(`is called ${server}${user === null ? ', without a login,' : ` of ${user}`} for ${Object.keys(changed).join(', ')}`, () => {
      const target = host.readTarget(new TreeNode('x', 'Server', { ...profile, ...changed }));
      assert.deepEqual(target?.server, {
        id: 'mssql:one',
        name: server,
        server,
        user,
        ...(login && { login }),
      });
    });
});
