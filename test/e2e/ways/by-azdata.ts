import { packageAzdataStandIn } from '../azdata/vsix';
import {
  describeAzdataConnection,
  describeAzdataServers,
  explorerRows,
  observeAzdata,
  openConnections,
  paneRows,
  saveAzdataConnections,
} from './azdata';
import type { Way } from './way';

const serverName = 'PROD-SQL07';
/** As the connection has it; the stand-in knows where it listens. */
const address = 'prod-sql07.corp';

/** The connections of Azure Data Studio, by the row of a server in its tree. */
export const azdata: Way = {
  name: "by Azure Data Studio's connection",
  short: 'azdata',
  vsixFiles: async () => [await packageAzdataStandIn()],
  env: (simulator) => describeAzdataServers({ [address]: simulator }),
  serverName,
  openPane: async (host, simulator) => {
    host.paneTitle = 'Checkpoint Health';
    await saveAzdataConnections(host, [describeAzdataConnection('11111111-2222-3333-4444-555555555555', serverName, address, simulator)]);
    await openConnections(host);
    await host.takeContextMenuItem(explorerRows(host, serverName), 'Show Checkpoint Health');
    await paneRows(host, serverName).waitFor();
  },
  connectsScripts: true,
  connectedTo: async (host, uri) => {
    const found = (await observeAzdata(host)).scripts.find((script) => script.uri === uri);
    return found?.server === address ? serverName : (found?.server ?? null);
  },
};
