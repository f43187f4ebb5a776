/**
 * sp_readerrorlog, xp_readerrorlog and, in Amazon RDS, rdsadmin.dbo.rds_read_error_log over the modelled error log
 * (docs/facts.md, SQL Server 5).
 */
import { SqlError, type Reply, type SqlColumn } from '../tds/handler';
import { convertValue } from './convert';
import { requireErrorLog } from './error-log-files';
import { notModelled, unknownProcedure } from './errors';
import type { PassedArgument } from './parameters';
import { toSqlValue } from './sql-value';
import type { ProcedureCall } from './system-procedures';
import { isUnicode } from './types';
import { sqlError } from '../tds/messages';

const columns: readonly SqlColumn[] = [
  { name: 'LogDate', type: { name: 'datetime' }, nullable: true },
  { name: 'ProcessInfo', type: { name: 'nvarchar', length: 50 }, nullable: true },
  { name: 'Text', type: { name: 'nvarchar', length: 'max' }, nullable: true },
];

/** A time in the format of the log, to the millisecond. */
function timeOf(argument: PassedArgument | undefined): string | undefined {
  if (argument === undefined || argument.value === null) return undefined;
  return String(
    toSqlValue(convertValue(argument.value, argument.type, { name: 'datetime' }), { name: 'datetime' }),
  );
}

/** Amazon RDS User Guide, "Viewing error and agent logs"; Microsoft Learn, "sys.sp_readerrorlog". */
const parameters: Readonly<Record<string, readonly string[]>> = {
  sp_readerrorlog: ['@p1', '@p2', '@p3', '@p4'],
  rds_read_error_log: ['@index', '@type', '@search_str1', '@search_str2'],
};

/** Arguments in the order of the parameters. @throws SqlError 8145 */
function placeArguments(
  name: string,
  args: readonly PassedArgument[],
  line: number,
): readonly (PassedArgument | undefined)[] {
  const names = parameters[name] ?? [];
  const placed: (PassedArgument | undefined)[] = [];
  args.forEach((argument, index) => {
    const at = argument.name === '' ? index : names.indexOf(argument.name.toLowerCase());
    if (at < 0) throw sqlError(8145, [argument.name, name], line);
    placed[at] = argument;
  });
  return [...placed];
}

/**
 * Arguments: number of the log (0: the current one), its type (1: the engine's), two search texts. For xp_readerrorlog
 * the texts must be nvarchar, and first and last time and 'asc' or 'desc' may follow.
 * @throws SqlError 15003, 27219, 229, or 22004 if there is no such log or a text is not Unicode.
 */
export async function* readErrorLog({
  session,
  name,
  args,
  line,
}: ProcedureCall): AsyncGenerator<Reply, number> {
  const { instance } = session.host;
  const isHere =
    name === 'rds_read_error_log' ? instance.platform === 'rds' : instance.platform !== 'azure-sql-database';
  if (!isHere) throw unknownProcedure(name, line);
  requireErrorLog({ session, name, line });
  const [log, kind, first, second, from, to, order, ...rest] = placeArguments(name, args, line);
  if (Number(kind?.value ?? 1) !== 1) throw notModelled("the Agent's error log", line);
  if (
    rest.some((each) => each !== undefined && each.value !== null) ||
    (name === 'sp_readerrorlog' && args.length > 4)
  )
    throw notModelled(`more arguments of ${name}`, line);
  const searches = [first, second].flatMap((each) =>
    each?.value === null || each === undefined ? [] : [each],
  );
  if (name === 'xp_readerrorlog' && searches.some((each) => !isUnicode(each.type)))
    throw new SqlError(
      22004,
      'Error executing extended stored procedure: Invalid Parameter Type',
      12,
      1,
      line,
    );
  const wanted = searches.map((each) => String(each.value).toLowerCase());
  const [since, until] = [timeOf(from), timeOf(to)];
  const logRows = instance.errorLogs.read(Number(log?.value ?? 0));
  if (logRows === undefined)
    throw new SqlError(
      22004,
      "xp_readerrorlog() returned error 2, 'The system cannot find the file specified.'",
      16,
      1,
      line,
    );
  const found = logRows
    .filter((row) => wanted.every((text) => row.text.toLowerCase().includes(text)))
    .filter(
      (row) => (since === undefined || row.logDate >= since) && (until === undefined || row.logDate <= until),
    );
  const rows = /^desc/i.test(String(order?.value ?? '')) ? found.reverse() : found;
  yield { kind: 'columns', columns };
  yield { kind: 'rows', rows: rows.map((row) => [row.logDate, row.processInfo, row.text]) };
  session.rowCount = rows.length;
  yield session.options.noCount ? { kind: 'done' } : { kind: 'done', rowCount: rows.length };
  return 0;
}
