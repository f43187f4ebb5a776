import { createServer, connect, type AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '../../simulator/index';
import { createCertificate } from '../../simulator/tds/certificate';
import type { Encryption, Target } from './client';

export type ClientsServer = Awaited<ReturnType<typeof startClientsServer>>;

/** A simulated server whose clock stands still, for real clients to log in to. */
export async function startClientsServer() {
  const simulator = await startSimulator({ rate: 0, tls: 'optional' });
  const folder = mkdtempSync(join(tmpdir(), 'cph-clients-'));
  const [certificateFile, strangersCertificateFile] = [join(folder, 'server.pem'), join(folder, 'stranger.pem')];
  writeFileSync(certificateFile, simulator.certificate ?? '');
  writeFileSync(strangersCertificateFile, (await createCertificate()).cert);
  return {
    simulator,
    /** A certificate like the server's, of another server. */
    strangersCertificateFile,
    target: (encryption: Encryption = 'none'): Target => ({
      port: simulator.port,
      ...simulator.administrator,
      encryption,
      certificateFile,
    }),
    /** A port that passes everything on to the server, and whether a text, as TDS writes texts, was sent through it for everybody to read. */
    wiretap: async () => {
      const heard: Buffer[] = [];
      const listener = createServer((client) => {
        const server = connect(simulator.port, '127.0.0.1');
        client.on('data', (bytes) => heard.push(bytes));
        client.on('error', () => server.destroy()).on('close', () => server.destroy());
        server.on('error', () => client.destroy()).on('close', () => client.destroy());
        client.pipe(server).pipe(client);
      });
      await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
      return {
        port: (listener.address() as AddressInfo).port,
        heard: (text: string) => Buffer.concat(heard).includes(Buffer.from(text, 'utf16le')),
        close: () => void listener.close(),
      };
    },
    close: async (): Promise<void> => {
      await simulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
