/** Names statements that change more than their own session, for the ledger. */
import type { Statement } from './statements';
import type { Source } from './syntax';
import { wordSet } from './word-set';

/** Procedures that only read, or that run given text: each statement of that text is looked at. */
const reading = wordSet(`sp_executesql sp_readerrorlog xp_readerrorlog sp_enumerrorlogs xp_enumerrorlogs
  rds_read_error_log sp_prepare sp_execute sp_prepexec sp_unprepare sp_describe_first_result_set`);

/** Table variables and temporary tables are the session's own. */
function isOwn(name: readonly string[] | undefined): boolean {
  return /^[@#]/.test(name?.[name.length - 1] ?? '');
}

/**
 * The target may be the alias of a table variable in FROM. Aliases inside a join are not looked for, so the statement
 * is noted.
 */
function nameRowChange(verb: string, target: readonly string[], from: readonly Source[]): string | null {
  const alias = target.length === 1 ? target[0]?.toLowerCase() : undefined;
  const meant = from.find((source) => source.kind === 'table' && source.alias?.toLowerCase() === alias);
  const name = meant?.kind === 'table' ? meant.name : target;
  return isOwn(name) ? null : `${verb} ${name.join('.')}`;
}

/** The usual name of the command, with its object; null if the statement changes only its own session. */
export function nameServerCommand(statement: Statement): string | null {
  switch (statement.kind) {
    case 'targetRecoveryTime':
      return `ALTER DATABASE ${statement.database ?? 'CURRENT'} SET TARGET_RECOVERY_TIME`;
    case 'createEventSession':
      return `CREATE EVENT SESSION ${statement.name}`;
    case 'alterEventSession':
      return `ALTER EVENT SESSION ${statement.name}`;
    case 'dropEventSession':
      return `DROP EVENT SESSION ${statement.name}`;
    case 'checkpoint':
    case 'reconfigure':
      return statement.kind.toUpperCase();
    case 'dbcc':
      return /^TRACE(ON|OFF)$/.test(statement.command) ? `DBCC ${statement.command}` : null;
    case 'insert':
      return nameRowChange('INSERT', statement.target, []);
    case 'update':
      return nameRowChange('UPDATE', statement.target, statement.from);
    case 'delete':
      return nameRowChange('DELETE', statement.target, statement.from);
    case 'createTable':
      return isOwn(statement.name) ? null : `${statement.kind} ${statement.name.join('.')}`;
    case 'dropTable':
      return statement.names.every(isOwn)
        ? null
        : `dropTable ${statement.names.map((name) => name.join('.')).join(', ')}`;
    case 'createProcedure':
      return null;
    case 'executeProcedure':
      return typeof statement.name === 'string'
        ? 'EXECUTE of a variable'
        : nameProcedure(statement.name, statement.args.length);
    default:
      return null;
  }
}

/** A procedure is noted unless it is known to read. sp_configure lists with up to one argument, and sets with two. */
function nameProcedure(name: readonly string[], argumentCount: number): string | null {
  const last = name[name.length - 1]?.toLowerCase() ?? '';
  if (reading.has(last) || last.startsWith('#') || (last === 'sp_configure' && argumentCount < 2))
    return null;
  return `EXECUTE ${name.join('.')}`;
}
