import type { SessionState } from './session-state';
import { statementsWithin } from './statement-kinds';
import type { Statement } from './statements';
import { sqlError } from '../tds/messages';

/**
 * If USE names a database that does not exist, nothing of the batch runs, even if an earlier statement would have
 * created it (David Dye, "SQL Server 2012 T-SQL Recipes", recipe 20-1).
 * @throws SqlError 911.
 */
export function checkDatabases(statements: readonly Statement[], session: SessionState): void {
  const { instance } = session.host;
  if (instance.platform === 'azure-sql-database') return;
  for (const statement of statements) {
    if (statement.kind === 'use' && instance.findDatabase(statement.database) === undefined)
      throw sqlError(911, [statement.database], statement.line);
    checkDatabases(statementsWithin(statement), session);
  }
}
