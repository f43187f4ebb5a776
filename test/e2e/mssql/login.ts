/** A login with tedious, where the real extension has SQL Tools Service log in. */
import { Connection } from 'tedious';

export interface LoginDetails {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string | undefined;
  readonly encrypt: boolean;
  readonly trustServerCertificate: boolean;
}

export function logIn({ host, port, user, password, ...options }: LoginDetails): Promise<Connection> {
  const connection = new Connection({
    server: host,
    authentication: { type: 'default', options: { userName: user, password } },
    options: { port, ...options, appName: 'vscode-mssql', connectTimeout: 30_000, requestTimeout: 0, maxRetriesOnTransientErrors: 0 },
  });
  return new Promise((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve(connection))));
}
