import assert from 'node:assert/strict';
import type { Connection } from 'tedious';
import { startTdsServer, type LogEntry, type TdsServer, type TlsMode } from '../../tds/server';
import { createScriptedHost, type Script, type ScriptedHost } from './scripted-host';
import { connect, type ClientSettings } from './tedious-client';

export interface Served {
  readonly host: ScriptedHost;
  readonly server: TdsServer;
  readonly log: readonly LogEntry[];
  /** Logs in; the connection ends with the test. */
  open(settings?: ClientSettings): Promise<Connection>;
}

/** Gives each test scripted servers, which end with it and leave no session. */
export function useServers(): (script?: Script, tls?: TlsMode, host?: ScriptedHost) => Promise<Served> {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  return async (script = () => [], tls = 'off', host = createScriptedHost(script)) => {
    const log: LogEntry[] = [];
    const server = await startTdsServer({ host, tls, log: (entry) => log.push(entry) });
    const connections: Connection[] = [];
    closing.push(async () => {
      connections.forEach((connection) => connection.close());
      await server.stop();
      assert.equal(host.openSessions(), 0);
    });
    const open = async (settings: ClientSettings = {}): Promise<Connection> => {
      const connection = await connect(server.port, settings);
      connections.push(connection);
      return connection;
    };
    return { host, server, log, open };
  };
}
