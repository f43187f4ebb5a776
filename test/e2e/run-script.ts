import { Connection, Request } from 'tedious';

export interface LoginAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** The database that the query window is in; absent: the login's own. */
  readonly database?: string;
}

/** Splits a script as SSMS does: GO alone on a line ends a batch. */
export function splitAtGo(script: string): readonly string[] {
  return script.split(/^[ \t]*GO[ \t]*\r?$/im).filter((batch) => batch.trim() !== '');
}

/** Runs a script batch by batch over one login of the test's own, as a DBA would in a query window. @returns what it printed, errors among it */
export async function runScript(address: LoginAddress, script: string): Promise<readonly string[]> {
  const connection = await connect(address);
  const printed: string[] = [];
  connection.on('infoMessage', ({ message }) => printed.push(message));
  connection.on('errorMessage', ({ number, message }) => printed.push(`Msg ${number}: ${message}`));
  try {
    for (const batch of splitAtGo(script)) await runBatch(connection, batch);
  } finally {
    connection.close();
  }
  return printed;
}

function connect({ host, port, user, password, database }: LoginAddress): Promise<Connection> {
  const connection = new Connection({
    server: host,
    authentication: { type: 'default', options: { userName: user, password } },
    options: { port, database, encrypt: true, trustServerCertificate: true, requestTimeout: 120_000 },
  });
  return new Promise((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve(connection))));
}

/** Errors are printed, and the next batch is run: that is what a query window does. */
function runBatch(connection: Connection, batch: string): Promise<void> {
  return new Promise((resolve) => connection.execSqlBatch(new Request(batch, () => resolve())));
}
