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

/** An error or an informational message, as SQL Server sent it. */
interface ServerMessage {
  readonly isError: boolean;
  readonly number: number;
  readonly state: number;
  readonly severity: number;
  readonly line: number;
  readonly text: string;
}

/** What one batch gave: everything up to its end. */
export interface BatchResult {
  readonly sets: readonly ResultSet[];
  readonly messages: readonly ServerMessage[];
  /** What ended the batch early, be it a message of the server's or not (a time-out, a lost connection). */
  readonly failure: string | null;
}

/** A login of the tests' own, past the product. */
export interface Login {
  run(sql: string): Promise<BatchResult>;
  close(): Promise<void>;
}

/** @throws tedious' own error where the server cannot be reached or refuses the login */
export async function logIn(configuration: ConnectionConfiguration): Promise<Login> {
  const connection = new Connection(configuration);
  connection.on('error', () => undefined);
  await new Promise<void>((resolve, reject) =>
    connection.connect((error) => (error ? reject(error) : resolve())),
  );
  return {
    run: (sql) => runBatch(connection, sql),
    close: () =>
      new Promise((resolve) => {
        connection.once('end', () => resolve());
        connection.close();
      }),
  };
}

/** One login as long as `use` takes. @throws as logIn does */
export async function withLogin<T>(info: ConnectionInfo, use: (run: Login['run']) => Promise<T>): Promise<T> {
  const login = await logIn(configure(info));
  try {
    return await use((sql) => {
      noteRun(sql);
      return login.run(sql);
    });
  } finally {
    void login.close();
  }
}

/** Settings of a profile as SQL Tools Service reads them: the port behind a comma, no time limit for a query. */
function configure({ options }: ConnectionInfo): ConnectionConfiguration {
  const [server = '', port] = String(options['server']).replace(/^tcp:/i, '').split(',');
  const encrypt = !['Optional', 'false', 'False'].includes(String(options['encrypt'] ?? 'Mandatory'));
  return {
    server: server.trim(),
    authentication: {
      type: 'default',
      options: { userName: String(options['user'] ?? ''), password: String(options['password'] ?? '') },
    },
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
  const sets: ResultSet[] = [];
  const messages: ServerMessage[] = [];
  type Token = Readonly<Record<'number' | 'state' | 'class' | 'lineNumber', number>> & {
    readonly message: string;
  };
  const [onInfo, onError] = [false, true].map(
    (isError) =>
      ({ number, state, class: severity, lineNumber: line, message: text }: Token) => {
        messages.push({ isError, number, state, severity, line, text });
      },
  ) as [(token: Token) => void, (token: Token) => void];
  connection.on('infoMessage', onInfo).on('errorMessage', onError);
  return new Promise((resolve) => {
    const request = new Request(sql, (error) => {
      connection.removeListener('infoMessage', onInfo);
      connection.removeListener('errorMessage', onError);
      resolve({ sets, messages, failure: error ? error.message : null });
    });
    request.on('columnMetadata', (columns) =>
      sets.push({ columns: columns as unknown as readonly Column[], rows: [] }),
    );
    request.on('row', (cells: readonly { readonly value: unknown }[]) =>
      sets.at(-1)?.rows.push(cells.map(({ value }) => value)),
    );
    connection.execSqlBatch(request);
  });
}

function noteRun(sql: string): void {
  const file = process.env['AZDATA_PROVIDER_RUNS'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(sql)}\n`);
}
