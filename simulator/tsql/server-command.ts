/** Statements that change more than what their own session holds, for the ledger. */
import type { Statement } from './statements';

/** Procedures that read, or only run what they are given, which is looked at statement by statement. */
const reading = new Set([
  'sp_executesql',
  'sp_readerrorlog',
  'xp_readerrorlog',
  'sp_enumerrorlogs',
  'xp_enumerrorlogs',
  'rds_read_error_log',
  'sp_prepare',
  'sp_execute',
  'sp_prepexec',
  'sp_unprepare',
  'sp_describe_first_result_set',
]);

/** Table variables and temporary tables are the session's own. */
function isOwn(name: readonly string[] | undefined): boolean {
  return /^[@#]/.test(name?.[name.length - 1] ?? '');
}

/** The command as people name it, with what it is about; null where the statement changes nothing but its own session. */
export function nameServerCommand(statement: Statement): string | null {
  switch (statement.kind) {
    case 'targetRecoveryTime':
      return `ALTER DATABASE ${statement.database ?? 'CURRENT'} SET TARGET_RECOVERY_TIME`;
    case 'dataMovement':
      return `ALTER DATABASE ${statement.database ?? 'CURRENT'} SET HADR`;
    case 'failover':
      return `ALTER AVAILABILITY GROUP ${statement.group} FAILOVER`;
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
    case 'update':
    case 'delete':
      return isOwn(statement.target) ? null : `${statement.kind.toUpperCase()} ${statement.target.join('.')}`;
    case 'truncate':
    case 'createTable':
    case 'alterTable':
      return isOwn(statement.name) ? null : `${statement.kind} ${statement.name.join('.')}`;
    case 'dropTable':
      return statement.names.every(isOwn) ? null : `dropTable ${statement.names.map((name) => name.join('.')).join(', ')}`;
    case 'createIndex':
    case 'dropIndex':
      return isOwn(statement.table) ? null : `${statement.kind} ${statement.table.join('.')}`;
    case 'createProcedure':
      return null;
    case 'executeProcedure':
      return typeof statement.name === 'string' ? 'EXECUTE of a variable' : nameProcedure(statement.name, statement.args.length);
    default:
      return null;
  }
}

/** What is called is noted unless it is known to read: sp_configure lists with one argument at most, and sets with two. */
function nameProcedure(name: readonly string[], argumentCount: number): string | null {
  const last = name[name.length - 1]?.toLowerCase() ?? '';
  if (reading.has(last) || last.startsWith('#') || (last === 'sp_configure' && argumentCount < 2)) return null;
  return `EXECUTE ${name.join('.')}`;
}
