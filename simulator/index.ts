import { createModelledServer, type ModelledServer, type ModelledServerOptions } from './engine/modelled-server';
import { LOGINS, type LoginDescription } from './engine/permissions';
import { storeEvents } from './stored-events';
import { startTdsServer, type LogEntry, type TlsMode } from './tds/server';
import { createSessionHost } from './tsql/session-host';

export interface SimulatorOptions extends ModelledServerOptions {
  /** So many events are in the files checkpoint_history*.xel before clients can connect; 0, the default: no such session. */
  readonly storedEvents?: number;
  /** 0, the default: any free port. */
  readonly port?: number;
  /** 'optional' by default: the client decides. */
  readonly tls?: TlsMode;
  /** What went wrong with a connection; nothing is written anywhere by default. */
  readonly log?: (entry: LogEntry) => void;
}

/** A modelled SQL Server that clients can log in to on this machine. */
export interface Simulator {
  readonly host: '127.0.0.1';
  readonly port: number;
  /** A login that may do all that a customer may. Its password is public: the simulator holds nothing and only this machine reaches it. */
  readonly administrator: { readonly user: string; readonly password: string };
  /** PEM of the certificate made for this run, for clients that want to trust it; undefined with TLS off. */
  readonly certificate: string | undefined;
  /** The model behind it: its ledger, and its clock to be advanced, paused and resumed. */
  readonly server: ModelledServer;
  /** Ends every connection, and all that the simulator holds. */
  close(): Promise<void>;
}

/** The logins of every server, each with what it is there to show; `server.logins` are those of one. */
export const logins: readonly LoginDescription[] = LOGINS;

/** Resolves when clients can connect. @throws the error of the operating system when the port is taken. */
export async function startSimulator({
  port = 0,
  tls = 'optional',
  log,
  storedEvents = 0,
  ...model
}: SimulatorOptions = {}): Promise<Simulator> {
  const server = createModelledServer(model);
  if (storedEvents > 0) await storeEvents(server, storedEvents, server.administrator.name);
  const host = await createSessionHost(server);
  const listener = await startTdsServer({ host, port, tls, ...(log ? { log } : {}) }).catch(async (error: unknown) => {
    await host.close();
    throw error;
  });
  return {
    host: '127.0.0.1',
    port: listener.port,
    administrator: { user: server.administrator.name, password: server.administrator.password },
    certificate: listener.certificate,
    server,
    close: async () => {
      await listener.close();
      await host.close();
    },
  };
}
