/** sp_readerrorlog and xp_readerrorlog over the modelled error log (docs/facts.md, SQL Server 5). */
import { SqlError, type Reply, type SqlColumn } from '../tds/handler';
import { convertValue } from './convert';
import { notModelled } from './errors';
import type { PassedArgument } from './parameters';
import { toSqlValue } from './sql-value';
import type { ProcedureCall } from './system-procedures';
import { isUnicode } from './types';

const columns: readonly SqlColumn[] = [
  { name: 'LogDate', type: { name: 'datetime' }, nullable: true },
  { name: 'ProcessInfo', type: { name: 'nvarchar', length: 50 }, nullable: true },
  { name: 'Text', type: { name: 'nvarchar', length: 'max' }, nullable: true },
];

/** A time in the log's own form, to the millisecond. */
function timeOf(argument: PassedArgument | undefined): string | undefined {
  if (argument === undefined || argument.value === null) return undefined;
  return String(toSqlValue(convertValue(argument.value, argument.type, { name: 'datetime' }), { name: 'datetime' }));
}

/** Arguments: number of the log, its type (1: the engine's), two search texts; for xp_readerrorlog these must be nvarchar, and first and last time and 'asc' or 'desc' may follow. @throws SqlError 229, 22004. */
export async function* readErrorLog({ session, name, args, line }: ProcedureCall): AsyncGenerator<Reply, number> {
  const { instance } = session.host;
  const principal = session.principal();
  const allowed =
    ['securityadmin', 'sysadmin'].some((role) => instance.isServerRoleMember(role, principal) === 1) ||
    instance.hasPermission(null, null, 'VIEW SERVER STATE', principal) === 1;
  if (!allowed) throw new SqlError(15003, 'Only members of the securityadmin role can execute this stored procedure.', 16, 1, line, name);
  const [log, kind, first, second, from, to, order, ...rest] = args;
  if (Number(log?.value ?? 0) !== 0) throw notModelled('an archived error log', line);
  if (Number(kind?.value ?? 1) !== 1) throw notModelled("the Agent's error log", line);
  if (rest.some((each) => each.value !== null) || (name === 'sp_readerrorlog' && args.length > 4))
    throw notModelled(`more arguments of ${name}`, line);
  const searches = [first, second].flatMap((each) => (each?.value === null || each === undefined ? [] : [each]));
  if (name === 'xp_readerrorlog' && searches.some((each) => !isUnicode(each.type)))
    throw new SqlError(22004, 'Error executing extended stored procedure: Invalid Parameter Type', 12, 1, line);
  const wanted = searches.map((each) => String(each.value).toLowerCase());
  const [since, until] = [timeOf(from), timeOf(to)];
  const found = instance
    .errorLog()
    .filter((row) => wanted.every((text) => row.text.toLowerCase().includes(text)))
    .filter((row) => (since === undefined || row.logDate >= since) && (until === undefined || row.logDate <= until));
  const rows = /^desc/i.test(String(order?.value ?? '')) ? found.reverse() : found;
  yield { kind: 'columns', columns };
  yield { kind: 'rows', rows: rows.map((row) => [row.logDate, row.processInfo, row.text]) };
  session.rowCount = rows.length;
  yield session.options.noCount ? { kind: 'done' } : { kind: 'done', rowCount: rows.length };
  return 0;
}
