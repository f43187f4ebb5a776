import assert from 'node:assert/strict';
import { createModelledServer, type ModelledServerOptions } from '../../engine/landscape';
import type { ModelledServer } from '../../engine/modelled-server';
import { LOGINS } from '../../engine/permissions/permissions-logins';
import type {
  Login,
  Reply,
  Request,
  Session,
  SessionHost,
  SqlColumn,
  SqlMessage,
  SqlValue,
} from '../../tds/handler';
import { createSessionHost } from '../../tsql/session-host';
import { shown } from '../shown';
import { createFakeInstance, type FakeInstance } from './fake-instance';

type Rows = readonly (readonly SqlValue[])[];

export interface Answer {
  readonly sets: readonly { readonly columns: readonly SqlColumn[]; readonly rows: Rows }[];
  readonly messages: readonly SqlMessage[];
  readonly errors: readonly SqlMessage[];
  readonly replies: readonly Reply[];
}

/** A session, and short ways to ask it. */
export interface Client {
  readonly host: SessionHost & { close(): Promise<void> };
  readonly session: Session;
  run(sql: string): Promise<Answer>;
  /**
   * All that is answered, in order: the rows of each set as JSON, the text of each message, each error as `!` with its
   * number.
   */
  told(sql: string): Promise<string>;
  /** Rows of the only result set; fails on an error. */
  rows(sql: string): Promise<Rows>;
  /** The only value of the only row. */
  value(expression: string): Promise<SqlValue>;
  /** Number and text of the first error. */
  error(sql: string): Promise<string>;
  close(): Promise<void>;
}

export async function ask(
  session: Session,
  request: Request,
  signal = new AbortController().signal,
): Promise<Answer> {
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

/** See `Client.told`. */
export function tell({ replies, sets }: Answer): string {
  let set = 0;
  return replies
    .flatMap((reply) => {
      if (reply.kind === 'columns') return [shown(sets[set++]?.rows)];
      return reply.kind === 'info'
        ? [reply.message.message]
        : reply.kind === 'error'
          ? [`!${reply.message.number}`]
          : [];
    })
    .join(' | ');
}

export const numbersOf = ({ errors }: Answer): readonly number[] => errors.map((each) => each.number);

export function clientOf(host: Client['host'], session: Session, close: () => Promise<void>): Client {
  const run = (sql: string): Promise<Answer> => ask(session, { kind: 'batch', sql });
  const rows = async (sql: string): Promise<Rows> => {
    const { sets, errors } = await run(sql);
    if (errors[0] !== undefined) throw new Error(`${errors[0].number} ${errors[0].message} (${sql})`);
    if (sets.length !== 1 || sets[0] === undefined) throw new Error(`${sets.length} result sets (${sql})`);
    return sets[0].rows;
  };
  return {
    host,
    session,
    run,
    rows,
    told: async (sql) => tell(await run(sql)),
    value: async (expression) => (await rows(`SELECT ${expression}`))[0]?.[0] ?? null,
    error: async (sql) => {
      const { errors } = await run(sql);
      return errors[0] === undefined ? 'no error' : `${errors[0].number} ${errors[0].message}`;
    },
    close,
  };
}

export const loginOf = (more: Partial<Login> = {}): Login => ({
  user: 'dba',
  password: 'right',
  host: '',
  application: '',
  library: '',
  database: '',
  encrypted: true,
  ...more,
});

/** The fake instance, with one session, and `login` for another. */
export async function connect(): Promise<Client & { readonly instance: FakeInstance; login(): Session }> {
  const instance = createFakeInstance();
  const host = await createSessionHost(instance);
  const login = (): Session => host.login(loginOf({ host: 'DESK', application: 'tests' }));
  const session = login();
  const close = async (): Promise<void> => {
    session.close();
    await host.close();
  };
  return { ...clientOf(host, session, close), instance, login };
}

/** One such client for the tests of a suite. */
export function useClient(): Awaited<ReturnType<typeof connect>> {
  const client = {} as Awaited<ReturnType<typeof connect>>;
  before(async () => void Object.assign(client, await connect()));
  after(() => client.close());
  return client;
}

/** A modelled server whose clock stands, and a client for each login. */
export interface ModelledConnection {
  readonly server: ModelledServer;
  as(user: string, database?: string): Client;
  close(): Promise<void>;
}

export async function connectModelled(options: ModelledServerOptions): Promise<ModelledConnection> {
  const server = createModelledServer({ rate: 0, ...options });
  const host = await createSessionHost(server);
  const { password } = LOGINS[0] as (typeof LOGINS)[number];
  return {
    server,
    as: (user, database = '') => {
      const login = loginOf({ user, password, database, host: 'WS-17', application: 'sqlcmd' });
      const session = host.login(login);
      return clientOf(host, session, () => Promise.resolve(session.close()));
    },
    close: () => host.close(),
  };
}

/** [expression, value] */
export type DocumentedValue = readonly [string, SqlValue];

/**
 * A test for each expression as a constant, and one for all of them where the strings come from rows: a scalar subquery
 * is no constant.
 */
export function itGives(client: Client, values: readonly DocumentedValue[]): void {
  for (const [expression, expected] of values)
    it(`gives ${shown(expected)} for ${expression}`, async () =>
      assert.deepEqual(await client.value(expression), expected));

  it('gives the same values where the strings come from rows', async () => {
    for (const [expression, expected] of values) {
      const fromRows = expression.replace(/N?'(?:[^']|'')*'/g, (literal) => `(SELECT ${literal})`);
      assert.deepEqual(await client.value(fromRows), expected, fromRows);
    }
  });
}

/** Queries or expressions that fail, each with the start of its error. */
export type Refused = Readonly<Record<string, string>>;

export function itRefuses(client: Client, failures: Refused): void {
  for (const [failing, expected] of Object.entries(failures))
    it(`answers ${expected} for ${failing}`, async () => {
      const error = await client.error(
        /^\s*(SELECT|DECLARE|WITH)\b/i.test(failing) ? failing : `SELECT ${failing}`,
      );
      assert.ok(error.startsWith(expected), error);
    });
}

/** Scripts by what they show, each with all that is answered. */
export type Told = Readonly<Record<string, readonly [sql: string, told: string]>>;

/** A test for each script, which a session as it is after its login runs. */
export function itTells(client: Client, scripts: Told): void {
  for (const [title, [sql, told]] of Object.entries(scripts))
    it(title, async () => {
      client.session.reset?.();
      assert.equal(await client.told(sql), told);
    });
}
