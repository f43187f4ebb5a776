import { createServer, connect, type AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Simulator, startSimulator } from '../../simulator/index';
import { createCertificate } from '../../simulator/tds/certificate';
import type { Encryption, Target } from './client';

/** A simulated server whose clock stands still, for real clients to log in to. */
export interface ClientsServer {
  readonly simulator: Simulator;
  target(encryption?: Encryption): Target;
  /** A certificate like the server's, of another server. */
  readonly strangersCertificateFile: string;
  /** A port that passes everything on to the server, and what clients sent through it. */
  wiretap(): Promise<Wiretap>;
  close(): Promise<void>;
}

interface Wiretap {
  readonly port: number;
  /** Whether a text, as TDS writes texts, went over the wire for everybody to read. */
  heard(text: string): boolean;
  close(): void;
}

async function openWiretap(port: number): Promise<Wiretap> {
  const heard: Buffer[] = [];
  const listener = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    client.on('data', (bytes) => heard.push(bytes));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one
        .on('error', () => other.destroy())
        .on('close', () => other.destroy())
        .pipe(other);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return {
    port: (listener.address() as AddressInfo).port,
    heard: (text) => Buffer.concat(heard).includes(Buffer.from(text, 'utf16le')),
    close: () => void listener.close(),
  };
}

export async function startClientsServer(): Promise<ClientsServer> {
  const simulator = await startSimulator({ rate: 0, tls: 'optional' });
  const folder = mkdtempSync(join(tmpdir(), 'cph-clients-'));
  const certificateFile = join(folder, 'server.pem');
  writeFileSync(certificateFile, simulator.certificate ?? '');
  const strangersCertificateFile = join(folder, 'stranger.pem');
  writeFileSync(strangersCertificateFile, (await createCertificate()).cert);
  return {
    simulator,
    strangersCertificateFile,
    target: (encryption = 'none') => ({ port: simulator.port, ...simulator.administrator, encryption, certificateFile }),
    wiretap: () => openWiretap(simulator.port),
    close: async () => {
      await simulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
