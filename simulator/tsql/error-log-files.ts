/** sp_enumerrorlogs, xp_enumerrorlogs and sp_cycle_errorlog. */
import { SqlError, type Reply, type SqlColumn } from '../tds/handler';
import { notModelled, unknownProcedure } from './errors';
import type { ProcedureCall } from './system-procedures';

/** As in published output: the date is text. It is not documented that the others are int. */
const columns: readonly SqlColumn[] = [
  { name: 'Archive #', type: { name: 'int' }, nullable: true },
  { name: 'Date', type: { name: 'nvarchar', length: 24 }, nullable: true },
  { name: 'Log File Size (Byte)', type: { name: 'int' }, nullable: true },
];

/** 2026-03-02T09:15:00.120 as 03/02/2026  09:15. */
const formatDate = (local: string): string =>
  `${local.slice(5, 7)}/${local.slice(8, 10)}/${local.slice(0, 4)}  ${local.slice(11, 16)}`;

/**
 * The current log and its archives. The argument is 1 for the engine's log.
 * @throws SqlError 15003, 27219 without permission
 */
export async function* listErrorLogs({
  session,
  name,
  args,
  line,
}: ProcedureCall): AsyncGenerator<Reply, number> {
  const { instance } = session.host;
  if (instance.platform === 'azure-sql-database') throw unknownProcedure(name, line);
  requireErrorLog({ session, name, line });
  if (Number(args[0]?.value ?? 1) !== 1) throw notModelled("the Agent's error log", line);
  const rows = instance.errorLogs.list().map((file) => [file.number, formatDate(file.changed), file.bytes]);
  yield { kind: 'columns', columns };
  yield { kind: 'rows', rows };
  session.rowCount = rows.length;
  yield session.options.noCount ? { kind: 'done' } : { kind: 'done', rowCount: rows.length };
  return 0;
}

/** DBCC ERRORLOG under its usual name. @throws SqlError 2571 for anyone but sysadmin */
export async function* cycleErrorLog({ session, name, line }: ProcedureCall): AsyncGenerator<Reply, number> {
  if (session.host.instance.platform === 'azure-sql-database') throw unknownProcedure(name, line);
  session.host.instance.errorLogs.cycle(session.principal());
  const message =
    'DBCC execution completed. If DBCC printed error messages, contact your system administrator.';
  yield { kind: 'info', message: { number: 2528, state: 1, severity: 0, message, line } };
  return 0;
}

/** @throws SqlError with the procedure's name and line */
export function requireErrorLog({
  session,
  name,
  line,
}: Pick<ProcedureCall, 'session' | 'name' | 'line'>): void {
  try {
    session.host.instance.requireErrorLog(name, session.principal());
  } catch (refusal) {
    if (!(refusal instanceof SqlError)) throw refusal;
    throw new SqlError(refusal.number, refusal.message, refusal.severity, refusal.state, line, name);
  }
}
