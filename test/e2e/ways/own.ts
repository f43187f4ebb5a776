import type { Way } from './way';

const serverName = 'PROD-SQL07';

/** Our own driver, in a VS Code that has no other product for SQL Server. */
export const own: Way = {
  name: 'by our own driver',
  short: 'own',
  vsixFiles: () => Promise.resolve([]),
  serverName,
  server: ({ host: server, port, administrator }) => ({
    name: serverName,
    server,
    port,
    ...administrator,
    encrypt: true,
    trustServerCertificate: true,
  }),
  openPane: async (host) => {
    await host.answerDialog('Add and Keep the Password');
    await host.openViewContainer('Checkpoint Health');
    await host.expandRow(host.treeRows(serverName));
  },
  connectsScripts: false,
  connectedTo: () => Promise.resolve(null),
};
