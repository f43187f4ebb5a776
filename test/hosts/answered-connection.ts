/** A connection of our own driver to a server of which a test gives the answers. */
import assert from 'node:assert/strict';
import { startTdsServer, type TdsServer } from '../../simulator/tds/server';
import { createDirectAccess } from '../../src/hosts/direct/access';
import { type Connection, ConnectionError, type QueryOptions } from '../../src/hosts/host';
import type { ReadText } from '../../src/core/script/text';
import { type Answer, type AnsweringHost, createAnsweringHost, PASSWORD } from './tds-host';
import { freely, keptSecret } from './opening';

export const SECONDS = { timeoutMs: 5_000 };
export const read = (sql: string): ReadText => sql as ReadText;

export interface AnsweredConnection {
  readonly host: AnsweringHost;
  readonly server: TdsServer;
  readonly connection: Connection;
  /** How a query fails; the address of the server reads HOST. */
  failOf(sql: string, options?: QueryOptions): Promise<{ reason: string; message: string; number: number | null }>;
  close(): Promise<void>;
}

export async function openAnsweredConnection(answer: Answer): Promise<AnsweredConnection> {
  const host = createAnsweringHost(answer);
  const server = await startTdsServer({ host, tls: 'required' });
  const address = `127.0.0.1,${server.port}`;
  const saved = { id: 'a', name: 'A', server: address, user: 'dba', encrypt: 'mandatory', trustServerCertificate: true } as const;
  const connection = await createDirectAccess({ server: saved, secrets: keptSecret(PASSWORD) }).open(freely());
  return {
    host,
    server,
    connection,
    failOf: async (sql, options = SECONDS) => {
      const error = await connection.query(read(sql), options).then(
        () => assert.fail('it answered'),
        (thrown: unknown) => thrown,
      );
      assert.ok(error instanceof ConnectionError, String(error));
      return { reason: error.reason, message: error.message.replace(address, 'HOST'), number: error.number };
    },
    close: async () => {
      await connection.close();
      await server.close();
    },
  };
}
