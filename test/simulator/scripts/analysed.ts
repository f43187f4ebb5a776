import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createModelledServer } from '../../../simulator/engine/landscape';
import type { SqlValue } from '../../../simulator/tds/handler';
import { createSessionHost } from '../../../simulator/tsql/session-host';
import { root } from '../../../tools/packages';
import { fillWithDefaults } from '../../sql-syntax/template-defaults';
import { ask, loginOf } from '../../../simulator/test/tsql/client';

export type SqlDesk = Awaited<ReturnType<typeof openSqlDesk>>;

/** A simulated server and a query window on it, without a network between them. */
export async function openSqlDesk(
  options: Parameters<typeof createModelledServer>[0] = {},
  database = '',
  user = 'dba',
) {
  const server = createModelledServer({ rate: 0, ...options });
  const host = await createSessionHost(server);
  const session = host.login(loginOf({ user, password: 'Str0ng!Passw0rd', database, application: 'SSMS' }));
  const close = async (): Promise<void> => {
    session.close();
    await host.close();
  };
  return { server, run: (sql: string) => ask(session, { kind: 'batch', sql }), close };
}

/** A file of sql/ as it is run by hand: the named parameters filled, the others at their defaults. */
export function readSqlFile(path: string, values: Readonly<Record<string, string>> = {}): string {
  const text = readFileSync(join(root, 'sql', path), 'utf8');
  const filled = Object.entries(values).reduce(
    (sql, [name, value]) => sql.replace(new RegExp(`<${name},[^<>]*>`, 'g'), () => value),
    text,
  );
  return fillWithDefaults(filled);
}

/** What sp_CheckpointHealth returns, result by result. */
export type Health = Awaited<ReturnType<typeof checkHealth>>;

const reading = 'sys.fn_xe_file_target_read_file(@read, NULL, NULL, NULL)';

/**
 * The procedure as one that lives as long as its window, which its header describes: the simulator has no permanent
 * ones.
 */
export const temporaryProcedure = readSqlFile('ssms/sp_CheckpointHealth.sql').replace(
  /^[^]*^ALTER PROCEDURE dbo\./m,
  'CREATE OR ALTER PROCEDURE #',
);

/** @param source what it reads events from in place of files */
export async function installProcedure(desk: SqlDesk, source = reading): Promise<void> {
  if (!temporaryProcedure.includes(reading)) throw new Error('The procedure reads no files.');
  const { errors } = await desk.run(temporaryProcedure.replace(reading, () => source));
  if (errors[0] !== undefined) throw new Error(`${errors[0].message} (line ${errors[0].line})`);
}

/** @throws Error with what the server said */
export async function checkHealth(desk: SqlDesk, parameters = '') {
  const { sets, errors } = await desk.run(`EXECUTE #sp_CheckpointHealth ${parameters};`);
  const [findings, roles, changed, databases, session, checkpoints, events] = sets.map(({ columns, rows }) =>
    rows.map((row): Readonly<Record<string, SqlValue>> =>
      Object.fromEntries(columns.map(({ name }, i) => [name, row[i] ?? null])),
    ),
  );
  if (
    errors.length > 0 ||
    !findings ||
    !roles ||
    !changed ||
    !databases ||
    !session?.[0] ||
    !checkpoints ||
    !events
  )
    throw new Error(errors.map(({ message }) => message).join('; ') || `${sets.length} result sets`);
  return { findings, roles, changed, databases, session: session[0], checkpoints, events };
}

/** "Mostly free: Busy 8 % of 30 min." */
export const textsOf = ({ findings }: Health, group: string): string[] =>
  findings
    .filter((row) => row['FindingsGroup'] === group)
    .map((row) => `${String(row['Finding'])}: ${String(row['Details'])}`);
export const taskOf = (health: Health): string => textsOf(health, 'Checkpoint task')[0] ?? '';
/** What could not be seen, without what one look never sees. */
export const unseenOf = (health: Health): string[] =>
  textsOf(health, 'Not seen').filter((text) => !/^(?:Do log writes wait\?|Limits after a change)/.test(text));
