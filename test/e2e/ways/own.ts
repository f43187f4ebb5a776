import type { Simulator } from '../../../simulator/index';
import type { ServerToAdd } from '../host';
import type { Way } from './way';

const serverName = 'PROD-SQL07';

/** A simulated server, with the login of its administrator unless another is given. */
export function describeServer(
  name: string,
  { host: server, port, administrator }: Simulator,
  more: Partial<ServerToAdd> = {},
): ServerToAdd {
  return { name, server, port, ...administrator, encrypt: true, trustServerCertificate: true, ...more };
}

/** Our own driver, in a VS Code that has no other product for SQL Server. */
export const own: Way = {
  name: 'by our own driver',
  short: 'own',
  vsixFiles: () => Promise.resolve([]),
  serverName,
  server: (simulator) => describeServer(serverName, simulator),
  openPane: async (host) => {
    await host.answerDialog('Add and Keep the Password');
    await host.openViewContainer('Checkpoint Health');
    await host.expandRow(host.treeRows(serverName));
  },
  connectsScripts: false,
  connectedTo: () => Promise.resolve(null),
};
