import type { Reply, Request, Session, SessionHost, SqlColumn, SqlMessage, SqlValue } from '../../tds/handler';
import { createSessionHost } from '../../tsql/session-host';
import { createFakeInstance, type FakeInstance, type Table } from './fake-instance';

export interface Answer {
  readonly sets: readonly { readonly columns: readonly SqlColumn[]; readonly rows: readonly (readonly SqlValue[])[] }[];
  readonly messages: readonly SqlMessage[];
  readonly errors: readonly SqlMessage[];
  readonly replies: readonly Reply[];
}

export interface Client {
  readonly instance: FakeInstance;
  readonly host: SessionHost & { close(): Promise<void> };
  readonly session: Session;
  /** Another session of the same host. */
  login(): Session;
  run(sql: string): Promise<Answer>;
  /** Rows of the only result set; fails on an error. */
  rows(sql: string): Promise<readonly (readonly SqlValue[])[]>;
  /** The only value of the only row. */
  value(expression: string): Promise<SqlValue>;
  /** The columns of the only result set. */
  columns(sql: string): Promise<readonly SqlColumn[]>;
  /** Number and text of the first error. */
  error(sql: string): Promise<string>;
  close(): Promise<void>;
}

export async function ask(session: Session, request: Request, signal = new AbortController().signal): Promise<Answer> {
  const sets: { columns: readonly SqlColumn[]; rows: (readonly SqlValue[])[] }[] = [];
  const messages: SqlMessage[] = [];
  const errors: SqlMessage[] = [];
  const replies: Reply[] = [];
  for await (const reply of session.execute(request, signal)) {
    replies.push(reply);
    if (reply.kind === 'columns') sets.push({ columns: reply.columns, rows: [] });
    if (reply.kind === 'rows') sets[sets.length - 1]?.rows.push(...reply.rows);
    if (reply.kind === 'info') messages.push(reply.message);
    if (reply.kind === 'error') errors.push(reply.message);
  }
  return { sets, messages, errors, replies };
}

export async function connect(extra: Readonly<Record<string, Table>> = {}): Promise<Client> {
  const instance = createFakeInstance(extra);
  const host = await createSessionHost(instance);
  const login = (): Session =>
    host.login({ user: 'dba', password: 'right', host: 'DESK', application: 'tests', library: '', database: '', encrypted: true });
  const session = login();
  const run = (sql: string): Promise<Answer> => ask(session, { kind: 'batch', sql });
  const only = async (sql: string): Promise<Answer['sets'][number]> => {
    const { sets, errors } = await run(sql);
    if (errors[0] !== undefined) throw new Error(`${errors[0].number} ${errors[0].message} (${sql})`);
    if (sets.length !== 1 || sets[0] === undefined) throw new Error(`${sets.length} result sets (${sql})`);
    return sets[0];
  };
  return {
    instance,
    host,
    session,
    login,
    run,
    rows: async (sql) => (await only(sql)).rows,
    columns: async (sql) => (await only(sql)).columns,
    value: async (expression) => (await only(`SELECT ${expression}`)).rows[0]?.[0] ?? null,
    error: async (sql) => {
      const { errors } = await run(sql);
      return errors[0] === undefined ? 'no error' : `${errors[0].number} ${errors[0].message}`;
    },
    close: async () => {
      session.close();
      await host.close();
    },
  };
}
