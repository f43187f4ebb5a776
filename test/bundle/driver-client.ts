/** Runs under the oldest host's Node, as one file: logs in to a test's server in every way, streams, cancels, times out, and says how that went. */
import type { ReadText } from '../../src/core/script/text';
import { createDirectAccess } from '../../src/hosts/direct/access';
import type { Connection, OwnServer } from '../../src/hosts/host';
import { freely } from '../hosts/opening';

export interface Went {
  readonly streamedRows: number;
  readonly batches: number;
  readonly cancelled: string;
  readonly timedOut: string;
  readonly afterwards: string | null | undefined;
}

const [, , port = '0', password = '', token = ''] = process.argv;

function describe(authentication: 'sql' | 'windows' | 'entra', user: string): OwnServer {
  return { id: user, name: user, server: `127.0.0.1,${port}`, authentication, user, encrypt: 'mandatory', trustServerCertificate: true };
}

async function reasonOf(query: Promise<unknown>): Promise<string> {
  return query.then(
    () => 'none',
    (error: unknown) => (error as { readonly reason: string }).reason,
  );
}

async function tryAll(connection: Connection): Promise<Went> {
  let [streamedRows, batches] = [0, 0];
  const onRows = (_columns: readonly string[], rows: readonly unknown[]): void => {
    batches++;
    streamedRows += rows.length;
  };
  await connection.query('many' as ReadText, { timeoutMs: 10_000, onRows });
  const control = new AbortController();
  const endless = connection.query('endless' as ReadText, { timeoutMs: 10_000, signal: control.signal });
  setTimeout(() => control.abort(), 50);
  const cancelled = await reasonOf(endless);
  const timedOut = await reasonOf(connection.query('endless' as ReadText, { timeoutMs: 50 }));
  const afterwards = (await connection.query('one' as ReadText, { timeoutMs: 10_000 }))[0]?.rows[0]?.[0];
  await connection.close();
  return { streamedRows, batches, cancelled, timedOut, afterwards };
}

async function main(): Promise<void> {
  const went: Record<string, Went> = {};
  for (const server of [describe('sql', 'dba'), describe('windows', 'CONTOSO\\ann'), describe('entra', 'ann@contoso.com')]) {
    const access = createDirectAccess({ server, secrets: { get: async () => (server.authentication === 'entra' ? token : password) } });
    went[server.authentication ?? ''] = await tryAll(await access.open(freely()));
  }
  console.log(JSON.stringify({ node: process.version, went }));
}

void main();
