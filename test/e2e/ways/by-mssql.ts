import { approve, describeConnection, mssqlRows, observe, openMssqlPane, ourRows, saveConnections } from './mssql';
import { packageMssqlStandIn } from '../mssql/vsix';
import type { Way } from './way';

const serverName = 'PROD-SQL07';

/** The connections of VS Code's SQL Server extension, by the node of a server in its tree. */
export const mssql: Way = {
  name: "by the SQL Server extension's connection",
  short: 'mssql',
  vsixFiles: async () => [await packageMssqlStandIn()],
  serverName,
  openPane: async (host, simulator) => {
    host.paneTitle = 'Checkpoint Health';
    await saveConnections(host, [describeConnection('11111111-2222-3333-4444-555555555555', serverName, simulator)]);
    await openMssqlPane(host);
    await host.takeContextMenuItem(mssqlRows(host, serverName), 'Show Checkpoint Health');
    await approve(host);
    await ourRows(host, serverName).waitFor();
  },
  connectsScripts: true,
  connectedTo: async (host, uri) => {
    const found = (await observe(host)).connections.find((connection) => connection.uri === uri);
    return found === undefined ? null : serverName;
  },
};
