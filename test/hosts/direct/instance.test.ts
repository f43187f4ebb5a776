import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { startTdsServer, type TdsServer } from '../../../simulator/tds/server';
import { createDirectAccess } from '../../../src/hosts/direct/access';
import type { Connection } from '../../../src/hosts/host';
import { failOf, freely, keptSecret } from '../opening';
import { createAnsweringHost, giveRows, PASSWORD, savedServer, TEXT, type AnsweringHost } from '../tds-host';

/** SQL Server Browser's own port (MC-SQLR 1.9). */
const browserPort = 1434;

/** Answers like SQL Server Browser (MC-SQLR 2.2.5, SVR_RESP): 5, a length, then what it knows of each instance. */
async function startBrowser(instances: Readonly<Record<string, number>>): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.on('message', (_asked, from) => {
    const text = Object.entries(instances)
      .map(
        ([name, port]) =>
          `ServerName;SQL1;InstanceName;${name};IsClustered;No;Version;16.0.1000.6;tcp;${port};;`,
      )
      .join('');
    const head = Buffer.from([5, 0, 0]);
    head.writeUInt16LE(text.length, 1);
    socket.send(Buffer.concat([head, Buffer.from(text, 'latin1')]), from.port, from.address);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(browserPort, '127.0.0.1', resolve);
  });
  return socket;
}

describe('a named instance', () => {
  let server: TdsServer;
  let host: AnsweringHost;
  let browser: Socket;

  before(async () => {
    host = createAnsweringHost(() => giveRows([['name', TEXT]], [['x']]));
    server = await startTdsServer({ host, tls: 'required' });
    browser = await startBrowser({ OTHER: 1, PROD: server.port });
  });

  after(async () => {
    browser?.close();
    await server?.close();
  });

  const open = (address: string, port?: number): Promise<Connection> => {
    const saved = savedServer(address, port === undefined ? {} : { port });
    return createDirectAccess({ server: saved, secrets: keptSecret(PASSWORD), connectTimeoutMs: 5_000 }).open(
      freely(),
    );
  };

  it('is found by asking SQL Server Browser for its port', async () => {
    await (await open('127.0.0.1\\prod')).close();
    assert.equal(host.logins.length, 1);
  });

  it('is not looked for where a port is given', async () => {
    await (await open('127.0.0.1\\NOSUCH', server.port)).close();
    assert.equal(host.logins.length, 2);
  });

  it('that SQL Server Browser does not know is named', async () => {
    assert.equal(
      (await failOf(open('127.0.0.1\\NOSUCH'))).message,
      'Could not reach 127.0.0.1\\NOSUCH: SQL Server Browser gave no port for that instance. Check the name, the port and the firewall.',
    );
  });
});
