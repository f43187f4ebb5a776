/** sp_MSforeachdb: undocumented, but in half of all published scripts. */
import type { Reply } from '../tds/handler';
import { SqlError } from '../tds/handler';
import { notModelled } from './errors';
import { runDynamic } from './execute-procedure';
import { makeFrame } from './interpreter';
import { argumentOf, type PassedArgument } from './parameters';
import type { ProcedureCall } from './system-procedures';
import { runSystemText } from './system-text';

/** Runs one to three commands for every database that is online and open to the caller, in the caller's own database; `?` stands for its name, not quoted. */
export async function* forEachDatabase(call: ProcedureCall): AsyncGenerator<Reply, number> {
  const { session, level, line } = call;
  const text = (argument: PassedArgument | undefined): string | undefined =>
    argument === undefined || argument.value === null ? undefined : String(argument.value);
  const [first, replaced = '?', second, third, before, after] = [
    ...['@command1', '@replacechar', '@command2', '@command3', '@precommand', '@postcommand'].map((name, at) =>
      text(argumentOf(call, at, name)),
    ),
  ];
  if (first === undefined)
    throw new SqlError(201, "Procedure or function 'sp_MSforeachdb' expects parameter '@command1', which was not supplied.", 16, 4, line);
  if (replaced.length !== 1) throw notModelled('@replacechar of other than one character', line);
  const names: string[] = [];
  for await (const reply of runSystemText(
    session,
    'SELECT name FROM sys.databases WHERE state = 0 AND HAS_DBACCESS(name) = 1 ORDER BY database_id',
    line,
  ))
    if (reply.kind === 'rows') names.push(...reply.rows.map((row) => String(row[0])));
  const run = (command: string): AsyncGenerator<Reply> => runDynamic(session, command, makeFrame(level + 2), 2, line);
  if (before !== undefined) yield* run(before);
  for (const name of names)
    for (const command of [first, second, third]) if (command !== undefined) yield* run(command.split(replaced).join(name));
  if (after !== undefined) yield* run(after);
  return 0;
}
