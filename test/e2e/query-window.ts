import { Connection, Request } from 'tedious';

export interface LoginAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** The database that the query window is in; absent: the login's own. */
  readonly database?: string | undefined;
}

/** Splits a script as SSMS does: GO alone on a line ends a batch. */
export function splitAtGo(script: string): readonly string[] {
  return script.split(/^[ \t]*GO[ \t]*\r?$/im).filter((batch) => batch.trim() !== '');
}

export type Cells = Readonly<Record<string, unknown>>;

/** What a person sees of a script: messages as they come, and the tables below them. */
export interface Shown {
  /** Messages and errors, a line each. */
  readonly printed: string;
  readonly tables: readonly (readonly Cells[])[];
}

/** A query window that stays open from one batch to the next. */
export interface QueryWindow {
  /** Batch by batch, each whatever came of the one before. */
  run(script: string): Promise<Shown>;
  close(): void;
}

/** @param heard each message when it comes, while the script still runs */
export async function openQueryWindow(
  address: LoginAddress,
  heard: (message: string) => void = () => undefined,
): Promise<QueryWindow> {
  const connection = await connect(address);
  let lines: string[] = [];
  const hear = (message: string): void => {
    lines.push(message);
    heard(message);
  };
  connection.on('infoMessage', ({ message }) => hear(message));
  connection.on('errorMessage', ({ number, message }) => hear(`Msg ${number}: ${message}`));
  return {
    run: async (script) => {
      lines = [];
      const tables: Cells[][] = [];
      for (const batch of splitAtGo(script)) await runBatch(connection, batch, tables);
      return { printed: lines.join('\n'), tables };
    },
    close: () => connection.close(),
  };
}

/**
 * Runs a script over one login of the test's own, as a DBA would in a query window.
 * @returns what it printed, errors among it
 */
export async function runScript(address: LoginAddress, script: string): Promise<readonly string[]> {
  const printed: string[] = [];
  const window = await openQueryWindow(address, (message) => printed.push(message));
  try {
    await window.run(script);
  } finally {
    window.close();
  }
  return printed;
}

function connect({ host, port, user, password, database }: LoginAddress): Promise<Connection> {
  const connection = new Connection({
    server: host,
    authentication: { type: 'default', options: { userName: user, password } },
    options: {
      port,
      database,
      encrypt: true,
      trustServerCertificate: true,
      requestTimeout: 0,
      rowCollectionOnRequestCompletion: false,
    },
  });
  return new Promise((resolve, reject) =>
    connection.connect((error) => (error ? reject(error) : resolve(connection))),
  );
}

/** Errors are printed, and the next batch is run: that is what a query window does. */
function runBatch(connection: Connection, batch: string, tables: Cells[][]): Promise<void> {
  return new Promise((resolve) => {
    const request = new Request(batch, () => resolve());
    request.on('columnMetadata', () => tables.push([]));
    request.on('row', (columns: readonly { metadata: { colName: string }; value: unknown }[]) =>
      tables[tables.length - 1]?.push(
        Object.fromEntries(columns.map(({ metadata, value }) => [metadata.colName, value])),
      ),
    );
    connection.execSqlBatch(request);
  });
}
