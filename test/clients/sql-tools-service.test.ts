import assert from 'node:assert/strict';
import { installSqlToolsService } from '../../tools/clients/sql-tools-service';
import type { Ability, Cell } from './client';
import { describeConversation } from './conversation';
import { SqlToolsServiceClient, connectionOptions } from './sql-tools-service-client';
import { typesSql } from './steps';
import { startClientsServer, type ClientsServer } from './clients-server';

interface Session {
  readonly success: boolean;
  readonly sessionId: string;
  readonly rootNode: { readonly nodePath: string; readonly label: string };
  readonly errorMessage: string | null;
}

interface Expanded {
  readonly nodePath: string;
  readonly errorMessage: string | null;
  readonly nodes: readonly { readonly label: string; readonly nodePath: string }[] | null;
}

/** What Azure Data Studio and vscode-mssql ask their back end for besides queries: the server's facts, its databases, and the tree. */
function describeObjectExplorer(name: string, start: () => Promise<SqlToolsServiceClient>): void {
  describe(`${name} for the tree of Azure Data Studio`, function () {
    this.timeout(120_000);
    let server: ClientsServer;
    let client: SqlToolsServiceClient;
    before(async () => {
      server = await startClientsServer();
      client = await start();
    });
    after(async () => {
      await client?.end();
      await server?.close();
    });

    for (const encryption of ['none', 'trusting'] as const) {
      it(`learns the server's version and edition on connecting, with encryption: ${encryption}`, async () => {
        const { serverInfo, errorMessage } = await client.open(server.target(encryption));
        assert.equal(errorMessage, null);
        assert.deepEqual([serverInfo.engineEditionId, serverInfo.isCloud], [3, false]);
        assert.match(serverInfo.serverVersion, /^15\.0\.4375\./);
        assert.match(serverInfo.serverEdition, /^Enterprise Edition/);
      });
      it(`lists the databases that are online, with encryption: ${encryption}`, async () => {
        const { ownerUri } = await client.open(server.target(encryption));
        const { databaseNames } = await client.service.request<{ databaseNames: readonly string[] }>('connection/listdatabases', {
          ownerUri,
        });
        assert.equal(databaseNames.length, 402);
        for (const each of ['a]b', "x'; DROP DATABASE y;--"]) assert.ok(databaseNames.includes(each), each);
      });
      it(`shows the tree of the server, with encryption: ${encryption}`, async () => {
        const created = client.service.next<Session>('objectexplorer/sessioncreated', () => true);
        await client.service.request('objectexplorer/createsession', { options: connectionOptions(server.target(encryption)) });
        const { success, sessionId, rootNode } = await created;
        assert.ok(success);
        assert.match(rootNode.label, /SQL Server 15\.0\.4375\.\d+ - dba/);
        const expand = async (nodePath: string): Promise<Expanded> => {
          const expanded = client.service.next<Expanded>('objectexplorer/expandCompleted', (event) => event.nodePath === nodePath);
          await client.service.request('objectexplorer/expand', { sessionId, nodePath });
          return expanded;
        };
        const root = await expand(rootNode.nodePath);
        assert.deepEqual(
          root.nodes?.map(({ label }) => label),
          ['Databases', 'Security', 'Server Objects'],
        );
        const databases = await expand(`${rootNode.nodePath}/Databases`);
        assert.equal(databases.errorMessage, null);
        const labels = databases.nodes?.map(({ label }) => label) ?? [];
        assert.equal(labels.length, 401, 'a folder of system databases, and 400');
        assert.equal(labels[0], 'System Databases');
        const system = await expand(databases.nodes?.[0]?.nodePath ?? '');
        assert.deepEqual(
          system.nodes?.map(({ label }) => label),
          ['master', 'model', 'msdb', 'tempdb'],
        );
      });
    }
  });
}

const abilities: readonly Ability[] = ['cancel'];

const start = async (): Promise<SqlToolsServiceClient> => new SqlToolsServiceClient(await installSqlToolsService()).initialize();

/** The grid of Azure Data Studio: 0x before binary, uniqueidentifier in lower case. */
function showInGrid(cell: Cell): Cell {
  if (cell === null) return null;
  if (/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/.test(cell)) return cell.toLowerCase();
  if (/^([0-9a-f]{2})+$/.test(cell)) return `0x${cell.toUpperCase()}`;
  return cell;
}

describeConversation('SQL Tools Service', {
  start,
  verifies: false,
  abilities,
  show: showInGrid,
  splitsScripts: true,
  resetsOptions: true,
  // Each also loads the names for its IntelliSense.
  connections: 10,
  // .NET's decimal has 28 digits, and the grid shows 65,535 characters of a value.
  types: typesSql.replace('100000', '30000').replace(/\d+ AS decimal\(38, 0\)/, '1234567890123456789012345678 AS decimal(28, 0)'),
});
describeObjectExplorer('SQL Tools Service', start);
