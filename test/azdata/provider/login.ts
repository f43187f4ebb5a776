import { appendFileSync } from 'node:fs';
import type { ConnectionInfo } from 'azdata';
import { Connection, Request, type ConnectionConfiguration } from 'tedious';

/** What tedious tells of one column, as far as it is used here. */
export interface Column {
  readonly colName: string;
  readonly type: { readonly name: string };
  readonly scale?: number | undefined;
  readonly dataLength?: number | undefined;
}

export interface ResultSet {
  readonly columns: readonly Column[];
  readonly rows: (readonly unknown[])[];
}

/** What one batch gave: everything up to its end, errors included. */
export interface BatchResult {
  readonly sets: readonly ResultSet[];
  readonly messages: readonly { readonly text: string; readonly isError: boolean }[];
  readonly hasError: boolean;
}

/** One login of its own, as long as `use` takes. @throws tedious' own error where the server cannot be reached or refuses it */
export async function withLogin<T>(info: ConnectionInfo, use: (run: (sql: string) => Promise<BatchResult>) => Promise<T>): Promise<T> {
  const connection = new Connection(configure(info));
  connection.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())));
  try {
    return await use((sql) => runBatch(connection, sql));
  } finally {
    connection.close();
  }
}

/** Settings of a profile as SQL Tools Service reads them: the port behind a comma, no time limit for a query. */
function configure({ options }: ConnectionInfo): ConnectionConfiguration {
  const [server = '', port] = String(options['server']).replace(/^tcp:/i, '').split(',');
  const encrypt = !['Optional', 'false', 'False'].includes(String(options['encrypt'] ?? 'Mandatory'));
  return {
    server: server.trim(),
    authentication: { type: 'default', options: { userName: String(options['user'] ?? ''), password: String(options['password'] ?? '') } },
    options: {
      ...(port !== undefined && { port: Number(port) }),
      ...(options['database'] && { database: String(options['database']) }),
      encrypt,
      trustServerCertificate: ['true', 'True', true].includes(options['trustServerCertificate']),
      appName: String(options['applicationName'] ?? 'azdata'),
      connectTimeout: 30_000,
      requestTimeout: 0,
      maxRetriesOnTransientErrors: 0,
      useUTC: true,
    },
  };
}

function runBatch(connection: Connection, sql: string): Promise<BatchResult> {
  noteRun(sql);
  const sets: ResultSet[] = [];
  const messages: { text: string; isError: boolean }[] = [];
  const note = (isError: boolean) => (token: { readonly message: string }) => messages.push({ text: token.message, isError });
  const [onInfo, onError] = [note(false), note(true)];
  connection.on('infoMessage', onInfo).on('errorMessage', onError);
  return new Promise((resolve) => {
    const request = new Request(sql, (error) => {
      connection.removeListener('infoMessage', onInfo);
      connection.removeListener('errorMessage', onError);
      resolve({ sets, messages, hasError: error !== undefined && error !== null });
    });
    request.on('columnMetadata', (columns) => sets.push({ columns: columns as unknown as readonly Column[], rows: [] }));
    request.on('row', (cells: readonly { readonly value: unknown }[]) => sets.at(-1)?.rows.push(cells.map(({ value }) => value)));
    connection.execSqlBatch(request);
  });
}

function noteRun(sql: string): void {
  const file = process.env['AZDATA_PROVIDER_RUNS'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(sql)}\n`);
}
