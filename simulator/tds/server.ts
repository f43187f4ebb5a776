import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createCertificate, type Certificate } from './certificate';
import { Connection } from './connection';
import type { LogEntry } from './connection';
import { Faults } from './faults';
import type { SessionHost } from './handler';
import type { TlsMode } from './prelogin';

export type { LogEntry } from './connection';
export type { TlsMode } from './prelogin';

interface TdsServerOptions {
  readonly host: SessionHost;
  /** 0, the default: any free port. */
  readonly port?: number;
  /** 'off' by default. */
  readonly tls?: TlsMode;
  readonly log?: (entry: LogEntry) => void;
  /** By default a new one. */
  readonly certificate?: Certificate;
}

export type TdsServer = Awaited<ReturnType<typeof startTdsServer>>;

/** Listens on the loopback address only. Resolves when clients can connect; rejects when the port is taken. */
export async function startTdsServer({
  host,
  port = 0,
  tls = 'off',
  log = () => undefined,
  ...own
}: TdsServerOptions) {
  let certificate = tls === 'off' ? undefined : (own.certificate ?? (await createCertificate()));
  const faults = new Faults();
  const connections = new Set<Connection>();
  const listener = createServer((socket) => {
    const connection = new Connection(socket, {
      host,
      tls,
      log,
      faults,
      ...(certificate ? { certificate } : {}),
    });
    connections.add(connection);
    void connection.closed.then(() => connections.delete(connection));
  });
  const listen = (at: number): Promise<void> =>
    new Promise((resolve, reject) => {
      listener.once('error', reject);
      listener.listen(at, '127.0.0.1', resolve);
    });
  await listen(port);
  const taken = (listener.address() as AddressInfo).port;
  const disconnect = async (): Promise<void> => {
    for (const connection of connections) connection.destroy();
    await Promise.all([...connections].map((connection) => connection.closed));
  };
  const stop = async (): Promise<void> => {
    if (!listener.listening) return;
    const stopped = new Promise<void>((resolve) => listener.close(() => resolve()));
    await disconnect();
    await stopped;
  };
  return {
    port: taken,
    /** PEM of the certificate, for clients that want to trust it; undefined without TLS. */
    certificate: certificate?.cert,
    /** What goes wrong with its answers. */
    faults,
    /** Ends every connection; new ones are accepted. */
    disconnect,
    isListening: () => listener.listening,
    /** Ends every connection and session, and stops listening. */
    stop,
    close: stop,
    /** Listens again at the same port. @param other a new certificate; absent: the same as before */
    start: (other?: Certificate): Promise<void> => {
      certificate = other ?? certificate;
      return listen(taken);
    },
  };
}
